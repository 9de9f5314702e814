import BackendKit

extension ProbeResponse {
  /// The outcome of a write. A service that fails has not refused it.
  var outcome: String { isSuccess ? "accepted" : hasFailed ? "failed" : "refused" }
  /// True if the service has failed, and nothing shows whether it has carried out a write.
  var hasFailed: Bool { status >= 400 && BackendError.Effect(ofWriteAnswered: status) == .unknown }
  /// True if the path does not take the method.
  var lacksMethod: Bool { [404, 405, 501].contains(status) }
  /// True if a write was refused for its values. Failures, rate limits and missing permissions say nothing about
  /// values, and a conflict may be with another record.
  var judgesValues: Bool { [400, 422].contains(status) }
  var mayJudgeValues: Bool { judgesValues || status == 409 }
}

/// The fields named in the refusal of a write: those that its document has messages for, or else words in sentences.
struct Refusal {
  private(set) var names: [String] = []
  /// The messages of the service on single fields.
  private(set) var messages: [FieldMessage] = []
  /// The place of the messages for fields, as in a description; empty if not found.
  private(set) var place = Object()
  /// True if the names are only words in a sentence, which may mention fields for any reason.
  private(set) var isProse = false

  private let known: Set<String>

  /// Reads a refusal. `known` are the fields that the resource is known to have.
  init(_ document: Value?, known: Set<String>) {
    self.known = known
    guard let document else { return }
    read(RefusalDocument(document, known: known))
    guard names.isEmpty else { return }
    texts(in: document) { refusal, text in
      for name in Self.missing(in: text, known) { refusal.add(name) }
    }
    if names.isEmpty {
      texts(in: document) { $0.addWords(of: $1) }
      isProse = !names.isEmpty
    }
    // A sentence that names a single field is about its value.
    if names.count == 1 { texts(in: document) { $0.messages.append(FieldMessage($0.names[0], $1)) } }
  }

  /// Returns whether it names a field outside of a sentence.
  func accuses(_ name: String) -> Bool { !isProse && names.contains(name) }

  private mutating func add(_ name: String) { if !names.contains(name) { names.append(name) } }

  private mutating func read(_ document: RefusalDocument) {
    let isOuter = document.place?.place.isEmpty == true && document.place?.shape == .object
    for message in document.fields {
      let name = field(message.field)
      // Beside the error itself an unknown member need not be a field, unless it is missing.
      guard known.contains(name) || !isOuter || Self.tellsLack(message.message) else { continue }
      add(name)
      messages.append(FieldMessage(name, message.message))
    }
    guard !names.isEmpty, let found = document.place else { return }
    let path = found.place.isEmpty ? "$" : found.place.joined(separator: ".")
    place = Object([("errorsPath", .string(path))])
    if found.shape == .list {
      place["field"] = .string(found.field.joined(separator: "."))
      place["message"] = .string(found.message.joined(separator: "."))
    } else {
      place["layout"] = "object"
      if found.message != ["message"] { place["message"] = .string(found.message.joined(separator: ".")) }
    }
  }

  private static func tellsLack(_ text: String) -> Bool {
    ["required", "missing", "blank", "empty", "null"].contains { text.lowercased().contains(text: $0) }
  }

  /// The known field at a path, regardless of case, or else the outermost one.
  private func field(_ path: String) -> String {
    if known.contains(path) { return path }
    let parts = path.split(separator: ".").map(String.init)
    if let name = parts.first(where: known.contains) { return name }
    let plain = DocumentedResource.plain(parts.first ?? path)
    return known.sorted().first { DocumentedResource.plain($0) == plain } ?? parts.first ?? path
  }

  private mutating func texts(in value: Value, _ depth: Int = 0, _ take: (inout Refusal, String) -> Void) {
    guard depth < 6 else { return }
    switch value {
    case .string(let text): take(&self, text)
    case .object(let object): for (_, member) in object.members { texts(in: member, depth + 1, take) }
    case .array(let elements): for element in elements.prefix(50) { texts(in: element, depth + 1, take) }
    default: break
    }
  }

  /// Adds known names among the words of a text, and names that it reports as missing.
  private mutating func addWords(of text: String) {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.map(String.init)
    for word in words where known.contains(word) && word.utf8.count > 2 { add(word) }
    let missing = Self.missing(words)
    // In `Key 'name' not present` the first word is not the label of a field.
    let isKind = !missing.isEmpty && words.first.map { Self.kinds.contains($0.lowercased()) } == true
    if !isKind, let name = Self.field(before: words, known) { add(name) }
    for word in words where !known.contains(word) {
      // A reason in one word: `tags_not_present`.
      if let name = known.first(where: { $0.utf8.count > 2 && word.hasPrefix($0 + "_not_") }) { add(name) }
    }
    for name in missing { add(name) }
  }

  /// The names that a sentence reports as missing: `Missing Parameter: email`, `Key 'name' not present`,
  /// `email in body is required`.
  private static func missing(_ words: [String]) -> [String] {
    let lower = words.map { $0.lowercased() }
    var names: [String] = []
    for (place, word) in lower.enumerated() {
      let rest = Array(lower[(place + 1)...])
      if word == "missing", let kind = rest.first(where: { $0 != "required" }), kinds.contains(kind),
        let at = rest.firstIndex(of: kind), at + 1 < rest.count
      {
        names.append(words[place + 2 + at])
      } else if kinds.contains(word), rest.count > 2, rest[1] == "not", rest[2] == "present" {
        names.append(words[place + 1])
      } else if ["is", "in"].contains(word), place > 0 {
        let end = word == "in" ? rest.dropFirst(rest.first == "body" || rest.first == "query" ? 1 : 0) : lower[place...]
        if end.starts(with: ["is", "required"]) || end.starts(with: ["is", "a", "required"]) {
          names.append(words[place - 1])
        }
      }
    }
    return names.filter { name in
      name.utf8.count > 1 && name.utf8.count <= 40 && !kinds.contains(name.lowercased()) && name.first?.isLetter == true
    }
  }

  private static let kinds: Set<String> = [
    "parameter", "parameters", "field", "fields", "property", "properties", "key", "keys", "argument", "arguments",
    "member", "attribute", "value", "this", "body", "it",
  ]
}
