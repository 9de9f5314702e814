import BackendKit
import ServiceDescription

/// Reads a service's document and those of the same origin it refers to, with limits for bytes, time and number.
final class DocumentReader {
  static let mostDocuments = 20
  static let mostBytes = DescriptionText.Limits.document.bytes
  /// The maximum time for reading all documents.
  static let patience = Duration.seconds(30)

  private let prober: Prober
  private var bytes = DocumentReader.mostBytes
  private var time = DocumentReader.patience

  init(_ prober: Prober) { self.prober = prober }

  /// Reads a document as JSON or YAML; nil if it is neither, or the budget is used up.
  func read(_ target: ProbeTarget) async throws(BackendError) -> Value? {
    guard bytes > 0, time > .zero else { return nil }
    let begin = ContinuousClock.now
    let limit = Prober.Limit(bytes: bytes, time: time)
    let answer = try await prober.get(target, [("Accept", "application/json, */*")], limit: limit)
    time -= ContinuousClock.now - begin
    guard let answer, answer.isSuccess, !answer.isPage, !answer.isCut else { return nil }
    bytes -= answer.body.count
    if let value = answer.document { return value }
    return (try? DescriptionText.read(answer.body, file: "document.yaml", limits: .document))?.value
  }

  /// Returns a document and all that it refers to, by path; each reference then contains the path of its document.
  func referred(by root: Value, at place: String) async throws(BackendError) -> (root: Value, others: [String: Value]) {
    // Most documents refer to no other, and a large one need not be copied.
    guard Self.refersToOthers(root) else { return (root, [:]) }
    let place = Self.plain(place)
    var others: [String: Value] = [:]
    var waiting: [String] = []
    var seen: Set<String> = [place]
    func take(_ value: Value, at here: String) -> Value {
      Self.rewritten(value) { reference in
        let mark = reference.firstIndex(of: "#") ?? reference.endIndex
        let path = mark == reference.startIndex ? here : Self.resolved(String(reference[..<mark]), against: here)
        guard let path else { return reference }
        let pointer = mark == reference.endIndex ? "#" : reference[mark...]
        if path == place { return String(pointer) }
        if Self.isDocument(path), seen.insert(path).inserted { waiting.append(path) }
        return path + pointer
      }
    }
    let whole = take(root, at: place)
    if !waiting.isEmpty { prober.begin(limit: Self.mostDocuments) }
    // The references of the root come first, so that a long chain does not use up their share.
    var begun = 0
    while begun < waiting.count, begun < Self.mostDocuments {
      let path = waiting[begun]
      begun += 1
      guard let value = try await read(ProbeTarget(path)) else { continue }
      others[path] = take(value, at: path)
    }
    return (whole, others)
  }

  private static func plain(_ path: String) -> String { String(path.prefix { $0 != "?" && $0 != "#" }) }

  /// Returns whether an address has the extension of a document: others may be those of records, or trigger an action.
  private static func isDocument(_ path: String) -> Bool {
    [".json", ".yaml", ".yml"].contains { plain(path).lowercased().hasSuffix($0) }
  }

  /// The path of another document on the same origin; nil if it is anything else. An absolute address is kept, since
  /// the sender refuses other origins.
  private static func resolved(_ reference: String, against place: String) -> String? {
    if reference.contains(text: "://") { return reference.hasPrefix("http") ? reference : nil }
    guard !reference.isEmpty, !reference.hasPrefix("//"), !reference.prefix(while: { $0 != "/" }).contains(":") else {
      return nil
    }
    return Link.resolved(reference, against: place)
  }

  private static func refersToOthers(_ value: Value) -> Bool {
    switch value {
    case .object(let object):
      object.members.contains { name, member in
        name == "$ref" && member.text?.hasPrefix("#") == false || refersToOthers(member)
      }
    case .array(let elements): elements.contains(where: refersToOthers)
    default: false
    }
  }

  private static func rewritten(_ value: Value, _ reference: (String) -> String) -> Value {
    switch value {
    case .object(let object):
      .object(
        Object(
          object.members.map { name, member in
            name == "$ref" && member.text != nil
              ? (name, .string(reference(member.text ?? ""))) : (name, rewritten(member, reference))
          }))
    case .array(let elements): .array(elements.map { rewritten($0, reference) })
    default: value
    }
  }
}
