/// Reads a failure document of undescribed form, in the forms of common frameworks.
public struct RefusalDocument: Sendable {
  /// The overall message; nil if there is none.
  public let words: String?
  /// The messages on single fields. A field that the service only lists has one of the console's words.
  public let fields: [FieldMessage]
  /// The place of these messages, as described for a service; nil if no path leads there.
  public let place: FieldMessages?

  private static let messages = [
    "message", "error_description", "detail", "description", "reason", "msg", "error", "title", "code",
  ]
  /// Names for messages on the whole record, as in Django, Rails and marshmallow.
  static let whole: Set<String> = [
    "non_field_errors", "base", "__all__", "_schema", "full_messages", "formErrors", "nonFieldErrors", "",
  ]

  /// Reads a document. `known` are the names of the fields that a record or the request has.
  public init(_ document: Value, known: Set<String> = []) {
    let own = Self.words(of: document)
    let found = RefusalFields(document, says: own, known: known)
    fields = found.messages.filter { !Self.whole.contains($0.field) }
    place = fields.isEmpty ? nil : found.place
    let others = found.messages.filter { Self.whole.contains($0.field) }.map(\.message)
    let texts = [own].compactMap(\.self) + others.filter { own?.contains(text: $0) != true }
    words = texts.isEmpty ? nil : texts.joined(separator: "; ")
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

  private static func words(of document: Value) -> String? {
    if let texts = document.array?.compactMap(\.text), !texts.isEmpty { return texts.joined(separator: "; ") }
    guard let object = document.object else { return nil }
    // The errors of a field called `message` are a list, too, but the only member.
    let isTold = object.members.contains { RefusalFields.tellsItself($0.0, $0.1) }
    let texts = messages.compactMap { name -> (String, String)? in
      guard let value = object[name] else { return nil }
      let text = value.text ?? (isTold && name == "message" ? RefusalFields.text(value) : nil)
      return text.flatMap { $0.isEmpty ? nil : (name, $0) }
    }
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
    element.text
      ?? element.object.flatMap { RefusalFields.namesField($0) ? nil : RefusalFields.message(of: $0)?.text }
  }
}
