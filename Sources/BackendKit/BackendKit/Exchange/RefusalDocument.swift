/// Reads a failure document of undescribed form, in the forms of common frameworks.
struct RefusalDocument {
  /// The overall message; nil if there is none.
  let words: String?
  let fields: [FieldMessage]

  private static let mostMessages = 50
  private static let deepest = 4
  private static let messages = [
    "message", "error_description", "detail", "description", "reason", "msg", "error", "title", "code",
  ]
  private static let namers = [
    "field", "loc", "name", "property", "propertyPath", "path", "param", "pointer", "source",
  ]
  private static let containers = [
    "errors", "error", "details", "detail", "_issues", "fields", "field_errors", "fieldErrors", "violations", "issues",
    "invalid-params", "invalidParams",
  ]
  /// Names for messages on the whole record, as in Django and Rails.
  static let whole: Set<String> = ["non_field_errors", "base", "__all__"]

  init(_ document: Value) {
    var found: [FieldMessage] = []
    let object = document.object
    for container in Self.containers {
      guard let member = object?[container] else { continue }
      if let inner = member.object, container.hasPrefix("error") || container.hasPrefix("detail"),
        inner.members.contains(where: { Self.containers.contains($0.0) || $0.0 == "message" })
          || Self.message(of: inner) != nil && (inner["status"] ?? inner["code"])?.integer != nil
      {
        // An object that describes the failure itself.
        for name in Self.containers { if let list = inner[name] { Self.read(list, [], &found) } }
      } else {
        Self.read(member, [], &found)
      }
      if !found.isEmpty { break }
    }
    var words = Self.words(of: document)
    if found.isEmpty, words == nil { Self.read(document, [], &found, takesTexts: false) }
    words = words ?? Self.joined(found.filter { Self.whole.contains($0.field) || $0.field.isEmpty })
    self.words = words
    fields = found.filter { !Self.whole.contains($0.field) && !$0.field.isEmpty }
  }

  /// Returns whether an object reports a failure by members that services rarely use otherwise: a non-empty error, or a
  /// false success. Members for which `isField` holds belong to a record.
  static func tellsFailure(_ object: Object, isField: (String) -> Bool) -> Bool {
    let told = (Self.failures + Self.successes).filter { object.has($0) && !isField($0) }
    return told.contains { name in
      switch object[name] {
      case .bool(let isTrue)?: isTrue == failures.contains(name)
      case .string(let text)?: failures.contains(name) && !text.isEmpty
      case .array(let elements)?: failures.contains(name) && !elements.isEmpty
      case .object(let members)?: failures.contains(name) && !members.isEmpty
      case .number, .null, nil: false
      }
    }
  }

  private static let failures = ["error", "errors"]
  private static let successes = ["success", "ok"]

  /// Returns whether a document of these bytes may satisfy ``tellsFailure(_:isField:)``.
  static func mayTellFailure(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return (failures + successes).contains { text.contains(text: "\"\($0)\"") }
  }

  private static func joined(_ messages: [FieldMessage]) -> String? {
    messages.isEmpty ? nil : messages.map(\.message).joined(separator: "; ")
  }

  private static func words(of document: Value) -> String? {
    if let texts = document.array?.compactMap(\.text), !texts.isEmpty { return texts.joined(separator: "; ") }
    guard let object = document.object else { return nil }
    let texts = messages.compactMap { name in object[name]?.text.flatMap { $0.isEmpty ? nil : (name, $0) } }
    // A title and a code name the kind of a failure: a description says more.
    guard let (name, text) = texts.first else {
      let lists = ["errors", "messages"].compactMap { object[$0]?.array?.compactMap { words(ofElement: $0) } }
      if let list = lists.first(where: { !$0.isEmpty }) { return list.joined(separator: "; ") }
      return object["error"].flatMap { $0.object == nil ? nil : words(of: $0) }
    }
    guard name == "reason", let error = object["error"]?.text, !error.isEmpty else { return text }
    return "\(error): \(text)"
  }

  /// The message of an element of a list: a text, or an object that names no field.
  private static func words(ofElement element: Value) -> String? {
    element.text ?? element.object.flatMap { name(in: $0) == nil ? message(of: $0) : nil }
  }

  /// Adds the messages of a container: an object with a member for each field, or a list of objects that name one.
  /// Without `takesTexts` only lists of texts are messages on a field, not plain texts.
  private static func read(
    _ container: Value, _ path: [String], _ found: inout [FieldMessage], takesTexts: Bool = true
  ) {
    guard path.count < deepest, found.count < mostMessages else { return }
    if let object = container.object {
      for (name, member) in object.members where found.count < mostMessages {
        let path = path + [name]
        let texts = member.text.map { takesTexts ? [$0] : [] } ?? member.array?.compactMap(\.text) ?? []
        for text in texts where !text.isEmpty { found.append(FieldMessage(path.joined(separator: "."), text)) }
        guard texts.isEmpty else { continue }
        if let text = member.object.flatMap({ message(of: $0) }) {
          found.append(FieldMessage(path.joined(separator: "."), text))
        } else {
          read(member, path, &found, takesTexts: takesTexts)
        }
      }
      return
    }
    for (place, element) in (container.array ?? []).enumerated() where found.count < mostMessages {
      guard let object = element.object, !object.isEmpty else { continue }
      if let text = message(of: object), let name = name(in: object) {
        found.append(FieldMessage((path + [name]).joined(separator: "."), text))
      } else if !path.isEmpty {
        read(element, path + ["\(place)"], &found, takesTexts: takesTexts)
      }
    }
  }

  private static func message(of object: Object) -> String? {
    ["message", "msg", "detail", "description", "reason", "title"].lazy.compactMap { object[$0]?.text }.first
  }

  /// The field that an object names: by a name, a JSON pointer or the segments of a path.
  private static func name(in object: Object) -> String? {
    for key in namers {
      let named = object[key]
      let value = named?.object.flatMap { $0["pointer"] ?? $0["parameter"] } ?? named
      let parts = value?.array?.compactMap(\.plain) ?? value?.text?.split(separator: "/").map(String.init) ?? []
      let names = parts.drop { ["data", "attributes", "relationships", "body"].contains($0) }
      if !names.isEmpty { return names.joined(separator: ".") }
    }
    return nil
  }
}
