/// Finds the messages on single fields in a failure document: a member for each field, a list of objects that name one,
/// or a list of names.
struct RefusalFields {
  private(set) var messages: [FieldMessage] = []
  /// The place of the first one; nil if no path leads there.
  private(set) var place: FieldMessages?
  let known: Set<String>
  private let own: String?
  private let document: Value

  private static let mostMessages = 50
  private static let deepest = 5
  private static let containers = [
    "errors", "error", "params", "parameters", "details", "detail", "_issues", "fields", "field_errors", "fieldErrors",
    "violations",
    "fieldViolations", "issues", "invalid-params", "invalidParams", "invalid_params", "validation", "validationErrors",
    "validation_errors", "message", "messages", "data", "body", "_embedded",
  ]
  /// Containers in which a text may tell something else than what is wrong with a field.
  private static let loose: Set<String> = ["error", "detail", "message", "data", "body", "_embedded"]
  /// Names of lists of fields, in addition to those that begin with `missing`, `required`, `invalid` or `unknown`.
  private static let lists: Set<String> = [
    "fields", "params", "parameters", "properties", "attributes", "keys", "arguments",
  ]

  /// Reads a document with this overall message.
  init(_ document: Value, says own: String?, known: Set<String>) {
    (self.document, self.own, self.known) = (document, own, known)
    look(document, at: [], in: nil)
  }

  // MARK: Places

  /// Looks for messages in an object or a list, and stops at the first place that has some. `path` is nil below a list.
  private mutating func look(
    _ value: Value, at path: [String]?, in container: String?, depth: Int = 0, isElement: Bool = false
  ) {
    guard depth < Self.deepest, messages.isEmpty else { return }
    guard let object = value.object else {
      let elements = value.array ?? []
      read(elements, at: path, in: container)
      guard messages.allSatisfy(\.field.isEmpty) else { return }
      let unnamed = messages
      messages = []
      for element in elements.prefix(Self.mostMessages) where element.object != nil {
        look(element, at: nil, in: container, depth: depth + 1, isElement: true)
      }
      messages += unnamed
      return
    }
    for name in Self.containers + object.names.filter({ Self.listsFields($0) && !Self.containers.contains($0) })
    where messages.isEmpty {
      guard let member = object[name] else { continue }
      if let names = Self.names(in: member, of: name, known) {
        let said = Self.lack(of: name, object, document)
        take(names.map { FieldMessage($0, said) }, path.map { FieldMessages($0 + [name]) })
      } else if !known.contains(name) || name == "errors" || container == nil && own != nil {
        look(member, at: path.map { $0 + [name] }, in: name, depth: depth + 1)
      }
    }
    guard messages.isEmpty else { return }
    if let text = Self.message(of: object)?.text {
      if let name = name(in: object)?.name, isKnown(name) { return take([FieldMessage(name, text)], nil) }
      if isElement { return }
    }
    guard container == nil ? own == nil : !describesItself(object, in: container) else { return }
    var found: [FieldMessage] = []
    read(object, [], in: container, &found)
    let member = object.members.lazy.compactMap { $0.1.object.flatMap { Self.message(of: $0)?.member } }.first
    take(found, path.map { FieldMessages($0, message: [member ?? "message"]) })
  }

  private mutating func take(_ found: [FieldMessage], _ place: FieldMessages?) {
    guard !found.isEmpty else { return }
    messages = Array(found.prefix(Self.mostMessages))
    self.place = place
  }

  /// Returns whether an object in a container is about the failure as a whole.
  private func describesItself(_ object: Object, in container: String?) -> Bool {
    guard let message = Self.message(of: object) else { return false }
    if (object["status"] ?? object["code"])?.integer != nil { return true }
    return message.member == "message" && ["error", "detail"].contains { container?.hasPrefix($0) == true }
  }

  func isKnown(_ name: String) -> Bool {
    known.contains(name) || known.contains(String(name.prefix { $0 != "." }))
  }

  // MARK: Lists

  /// Reads a list of objects that name a field each. Messages without a field are about the whole record.
  private mutating func read(_ elements: [Value], at path: [String]?, in container: String?) {
    for element in elements.prefix(Self.mostMessages) {
      guard let object = element.object else { continue }
      let message = Self.message(of: object)
      if let (name, namer) = name(in: object) {
        messages.append(FieldMessage(name, message?.text ?? Self.lack(of: container ?? "", object, document)))
        if place == nil, let path, let message {
          place = FieldMessages(path, field: namer, message: [message.member])
        }
      } else if let message {
        messages.append(FieldMessage("", message.text))
      }
    }
  }

  /// The names of fields in a list of names; nil if it is none.
  static func names(in list: Value, of member: String, _ known: Set<String>) -> [String]? {
    guard let elements = list.array, !elements.isEmpty else { return nil }
    let names = elements.compactMap(\.text).filter { isName($0) && !reasons.contains($0.lowercased()) }
    guard names.count == elements.count else { return nil }
    return names.allSatisfy(known.contains) || listsFields(member) && !known.contains(member) ? names : nil
  }

  /// Messages of one word, which are no names.
  private static let reasons: Set<String> = [
    "blank", "duplicate", "empty", "invalid", "missing", "null", "required", "taken", "unknown",
  ]

  private static func listsFields(_ name: String) -> Bool {
    let name = name.lowercased()
    return lists.contains(name) || ["missing", "required", "invalid", "unknown"].contains { name.hasPrefix($0) }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text.utf8.count <= 64 else { return false }
    return (first.properties.isAlphabetic || first == "_")
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_-.[]".unicodeScalars.contains($0)
      }
  }

  /// The message on a field if the service only names it.
  static func lack(of list: String, _ holder: Object?, _ document: Value) -> String {
    let texts = ["message", "error", "code", "title", "detail"].flatMap { name in
      [holder, document.object].compactMap { $0?[name]?.text }
    }
    let said = ([list] + texts).joined(separator: " ").lowercased()
    if ["missing", "required", "blank", "empty"].contains(where: { said.contains(text: $0) }) { return "is missing" }
    let isUnknown = ["unknown", "unexpected", "unrecognized"].contains { said.contains(text: $0) }
    return isUnknown ? "is unknown" : "is not accepted"
  }

  // MARK: Members

  /// Reads an object with a member for each field: a text, a list of texts, or an object with a message or with fields
  /// of its own.
  private func read(_ object: Object, _ outer: [String], in container: String?, _ found: inout [FieldMessage]) {
    guard outer.count < Self.deepest else { return }
    for (name, value) in object.members where found.count < Self.mostMessages {
      // A reason under its own name, as in CakePHP.
      let isReason = name.hasPrefix("_") && !outer.isEmpty && !known.contains(name)
      let path = isReason ? outer : outer + [name]
      let field = path.joined(separator: ".")
      if let text = value.text {
        if takes(name, in: container), !text.isEmpty { found.append(FieldMessage(field, text)) }
      } else if let texts = value.array?.compactMap(\.text), !texts.isEmpty {
        guard !mayBeRecord(container) || texts.allSatisfy({ $0.contains(" ") }) else { continue }
        found += texts.filter { !$0.isEmpty }.map { FieldMessage(field, $0) }
      } else if let inner = value.object {
        if let (text, member) = Self.message(of: inner), container != nil || known.contains(name),
          !mayBeRecord(container) || member == "message"
        {
          found.append(FieldMessage(field, text))
        } else {
          read(inner, path, in: container, &found)
        }
      } else {
        for (place, element) in (value.array ?? []).enumerated().prefix(Self.mostMessages) {
          guard let inner = element.object else { continue }
          if let text = inner["message"]?.text {
            found.append(FieldMessage(field, text))
          } else {
            read(inner, path + ["\(place)"], in: container, &found)
          }
        }
      }
    }
  }

  /// Returns whether a container may hold the record itself, unless the failure is that of JSend.
  private func mayBeRecord(_ container: String?) -> Bool { container == "data" && document.object?["status"] != "fail" }

  /// Returns whether a plain text under a name is a message on a field.
  private func takes(_ name: String, in container: String?) -> Bool {
    guard let container else {
      let isTold = document.object?.members.contains { Self.tellsItself($0.0, $0.1) && !known.contains($0.0) }
      return known.contains(name) && isTold == false
    }
    return !mayBeRecord(container)
      && (!Self.loose.contains(container) || known.contains(name) || !Self.selves.contains(name))
  }
}
