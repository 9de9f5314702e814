import BackendKit
import ServiceDescription

/// Reads a service's document and those it refers to: of the same origin, or files of the operator. It limits bytes,
/// time and number.
final class DocumentReader {
  static let mostDocuments = 2_000
  /// The maximum number of references that lead from a document to another, one after the other.
  private static let mostLevels = 20
  static let mostBytes = DescriptionText.Limits.document.bytes
  /// The maximum time for reading all documents.
  static let patience = Duration.seconds(30)

  private let prober: Prober
  /// The files of the operator, by path; nil to read from the service.
  private let files: [String: [UInt8]]?
  private var bytes = DocumentReader.mostBytes
  private var time = DocumentReader.patience

  /// The reason why the last text that looks like a document cannot be read.
  private(set) var problem: String?

  var readsFiles: Bool { files != nil }

  init(_ prober: Prober, files: [String: [UInt8]]? = nil) { (self.prober, self.files) = (prober, files) }

  /// Reads a document as JSON or YAML; nil if it is neither, or the budget is used up.
  func read(_ target: ProbeTarget) async throws(BackendError) -> Value? {
    if let files { return files[target.address].flatMap { value(of: $0, at: target) } }
    guard bytes > 0, time > .zero else { return nil }
    let begin = ContinuousClock.now
    let limit = Prober.Limit(bytes: bytes, time: time)
    let answer = try await prober.get(target, [("Accept", "application/json, */*")], limit: limit)
    time -= ContinuousClock.now - begin
    guard let answer, answer.isSuccess, !answer.isPage, !answer.isCut else { return nil }
    bytes -= answer.body.count
    return answer.document ?? value(of: answer.body, at: target)
  }

  private func value(of bytes: [UInt8], at target: ProbeTarget) -> Value? {
    if let value = try? JSONReader.read(bytes) { return value }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "/"),
      let value = try? JSONReader.read(Self.withoutComments(bytes))
    {
      return value
    }
    do throws(Mistakes) { return try DescriptionText.value(of: bytes, file: target.shown, limits: .document) } catch {
      if Self.isLikeOne(bytes) { problem = error.reported.first?.description }
      return nil
    }
  }

  /// Returns JSON without the comments that some generators write into it.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var (kept, place, isText) = ([UInt8](), bytes.startIndex, false)
    kept.reserveCapacity(bytes.count)
    func isNext(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { bytes[place...].starts(with: $0) }
    }
    while place < bytes.count {
      if !isText, isNext("//") {
        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if !isText, isNext("/*") {
        while place < bytes.count, !isNext("*/") { place += 1 }
        place = min(place + 2, bytes.count)
      } else {
        // An escaped character cannot end a text.
        let count = isText && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        if bytes[place] == UInt8(ascii: "\"") { isText.toggle() }
        kept += bytes[place..<min(place + count, bytes.count)]
        place += count
      }
    }
    return kept
  }

  /// Returns whether a text begins as a document does.
  static func isLikeOne(_ bytes: [UInt8]) -> Bool {
    let begin = String(decoding: bytes.prefix(4 << 10), as: UTF8.self)
    return ["openapi", "swagger"].contains { begin.contains(text: $0) }
  }

  /// Returns a document and all that it refers to, by path; each reference then contains the path of its document.
  /// `missing` are those that were not read.
  func referred(
    by root: Value, at place: String
  ) async throws(BackendError) -> (root: Value, others: [String: Value], missing: [String]) {
    // Most documents refer to no other, and a large one need not be copied.
    guard Self.refersToOthers(root) else { return (root, [:], []) }
    let place = Self.plain(place)
    var (others, missing): ([String: Value], [String]) = ([:], [])
    var waiting: [(path: String, level: Int)] = []
    var seen: Set<String> = [place]
    func take(_ value: Value, at here: String, level: Int = 1) -> Value {
      Self.rewritten(value) { reference in
        let mark = reference.firstIndex(of: "#") ?? reference.endIndex
        let path = mark == reference.startIndex ? here : Self.resolved(String(reference[..<mark]), against: here)
        guard let path else { return reference }
        let pointer = mark == reference.endIndex ? "#" : reference[mark...]
        if path == place { return String(pointer) }
        if Self.isDocument(path), seen.insert(path).inserted { waiting.append((path, level)) }
        return path + pointer
      }
    }
    let whole = take(root, at: place)
    prober.beginFiles(limit: Self.mostDocuments)
    // The references of the root come first, so that a long chain does not use up their share.
    var begun = 0
    while begun < waiting.count {
      let (path, level) = waiting[begun]
      begun += 1
      guard begun <= Self.mostDocuments, level <= Self.mostLevels, let value = try await read(ProbeTarget(path)) else {
        missing.append(path)
        continue
      }
      others[path] = take(value, at: path, level: level + 1)
    }
    prober.forget()
    return (whole, others, missing)
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
    return withoutDots(Link.resolved(PercentEncoding.decoded(reference[...]) ?? reference, against: place))
  }

  /// Resolves `.` and `..` in a path.
  static func withoutDots(_ path: String) -> String {
    guard path.hasPrefix(".") || path.contains(text: "/.") else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == "..", parts.last.map({ $0 != ".." }) ?? path.hasPrefix("/") {
        _ = parts.popLast()
      } else if part != "." {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
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
