/// A JSON value that keeps what Foundation's reader loses: the order of keys and the text of numbers.
indirect enum DemoJSON: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number as it was written, such as `1.10` or `9007199254740993`.
  case number(String)
  case string(String)
  case array([DemoJSON])
  case object([Member])

  struct Member: Sendable, Equatable {
    var key: String
    var value: DemoJSON
  }
}

extension DemoJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(String(value)) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(nilLiteral: ()) { self = .null }
  init(arrayLiteral elements: DemoJSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, DemoJSON)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
}

extension DemoJSON {
  /// The value of a key; nil if there is no such key or this is not an object. Setting keeps the key's place, appends a
  /// new key, and removes it with nil; it has no effect on other types.
  subscript(key: String) -> DemoJSON? {
    get { members?.last { $0.key == key }?.value }
    set {
      guard case .object(var members) = self else { return }
      if let newValue {
        if let index = members.firstIndex(where: { $0.key == key }) {
          members[index].value = newValue
        } else {
          members.append(Member(key: key, value: newValue))
        }
      } else {
        members.removeAll { $0.key == key }
      }
      self = .object(members)
    }
  }

  var members: [Member]? { if case .object(let members) = self { members } else { nil } }

  var elements: [DemoJSON]? { if case .array(let elements) = self { elements } else { nil } }

  /// The text of a string, else nil.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The text of a number as written, else nil.
  var numberText: String? { if case .number(let text) = self { text } else { nil } }
}
