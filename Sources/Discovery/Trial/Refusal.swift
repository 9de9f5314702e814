import BackendKit

extension ProbeResponse {
  /// The outcome of a write. A service that fails has not refused it.
  var outcome: String { isSuccess ? "accepted" : status >= 500 ? "failed" : "refused" }
  /// True if a write was refused for its values. Failures, rate limits and missing permissions say nothing about
  /// values, and a conflict may be with another record.
  var judgesValues: Bool { [400, 422].contains(status) }
  var mayJudgeValues: Bool { judgesValues || status == 409 }
}

/// The fields named in the refusal of a write, in any format.
struct Refusal {
  private(set) var names: [String] = []
  /// The place of the messages for fields, as in a description; empty if not found.
  private(set) var place = Object()
  /// True if the names are only words in a sentence, which may mention fields for any reason.
  private(set) var isProse = false

  private static let containers: Set<String> = [
    "errors", "error", "_issues", "_error", "details", "detail", "fields", "violations", "invalid-params",
    "invalidparams", "field_errors", "fielderrors", "issues", "data", "validation", "messages",
  ]
  private static let namers = [
    "field", "param", "parameter", "name", "property", "attribute", "path", "pointer", "loc", "key", "source",
  ]
  private let known: Set<String>

  /// Reads a refusal. `known` are the fields that the resource is known to have.
  init(_ document: Value?, known: Set<String>) {
    self.known = known
    guard let document else { return }
    look(document, [], isInside: false)
    guard names.isEmpty else { return }
    texts(in: document) { refusal, text in
      for name in Self.missing(in: text, known) { refusal.add(name) }
    }
    guard names.isEmpty else { return }
    texts(in: document) { $0.addWords(of: $1) }
    isProse = !names.isEmpty
  }

  /// Returns whether it names a field outside of a sentence.
  func accuses(_ name: String) -> Bool { !isProse && names.contains(name) }

  private mutating func add(_ name: String) { if !names.contains(name) { names.append(name) } }

  /// Looks for objects with a member for each field, and for lists of objects that name one.
  private mutating func look(_ value: Value, _ path: [String], isInside: Bool) {
    guard path.count < 5 else { return }
    if let elements = value.array {
      for element in elements.prefix(50) {
        guard let object = element.object else { continue }
        if let (name, member) = named(object) ?? namedWithin(object), known.contains(name) || isInside {
          add(name)
          if place.isEmpty {
            place = Object([
              ("errorsPath", .string(path.isEmpty ? "$" : path.joined(separator: "."))), ("field", .string(member)),
            ])
            if let message = ["message", "msg", "description", "detail", "title"].first(where: {
              object[$0]?.text != nil
            }) {
              place["message"] = .string(message)
            }
          }
        } else {
          look(element, path, isInside: isInside)
        }
      }
      return
    }
    guard let object = value.object else { return }
    if path.isEmpty || isInside, let (name, _) = named(object), known.contains(name) { return add(name) }
    // An object about the error itself may have members with the names of fields.
    let tellsItself =
      path.isEmpty
      ? object.members.contains { Self.isWord($0.0) && $0.1.array == nil && $0.1.object == nil }
      : (object["message"] ?? object["msg"] ?? object["detail"] ?? object["reason"])?.text != nil
        && (object["status"] ?? object["code"])?.integer != nil
    for (name, member) in object.members {
      let isMessage = member.text != nil || member.array?.contains { $0.text != nil } == true
      let isContainer = Self.containers.contains(name.lowercased())
      if !isContainer, !tellsItself, isMessage || member.object != nil,
        known.contains(name) || isInside && isMessage && !Self.isWord(name)
      {
        add(name)
        if place.isEmpty {
          place = Object([
            ("errorsPath", .string(path.isEmpty ? "$" : path.joined(separator: "."))), ("layout", "object"),
          ])
        }
      } else if member.object != nil || member.array != nil {
        look(member, path + [name], isInside: isInside || isContainer)
      }
    }
  }

  /// Returns whether a member belongs to the error itself.
  private static func isWord(_ name: String) -> Bool {
    name.hasPrefix("@")
      || ["message", "type", "code", "title", "detail", "status", "description", "id", "non_field_errors", "instance"]
        .contains(name.lowercased())
  }

  /// The field that an object names by a name, a JSON pointer or a path, and the member with it.
  private func named(_ object: Object) -> (name: String, member: String)? {
    // An error may have a name, too: known fields take precedence.
    let all = Self.namers.compactMap { key in Self.named(object, by: key) }
    if let found = all.first(where: { known.contains($0.name) }) { return found }
    // The name of a field, in a member of any name.
    let other = object.members.first { name, value in value.text.map(known.contains) == true && !Self.isWord(name) }
    return other.map { (String($0.1.text ?? ""), $0.0) } ?? all.first
  }

  private func namedWithin(_ object: Object) -> (name: String, member: String)? {
    for (outer, inner) in object.members {
      guard let inner = inner.object, let (name, member) = named(inner), known.contains(name) else { continue }
      return (name, "\(outer).\(member)")
    }
    return nil
  }

  private static func named(_ object: Object, by key: String) -> (name: String, member: String)? {
    if let value = object[key] {
      if let parts = value.array, let last = parts.last?.text { return (last, key) }
      if let text = value.text, let last = text.split(separator: "/").last?.split(separator: ".").last,
        !text.contains(" ")
      {
        return (String(last), key)
      }
      if let inner = value.object, let pointer = (inner["pointer"] ?? inner["parameter"])?.text,
        let last = pointer.split(separator: "/").last
      {
        return (String(last), key + "." + (inner["pointer"] != nil ? "pointer" : "parameter"))
      }
    }
    return nil
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
