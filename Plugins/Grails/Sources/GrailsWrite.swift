import BackendKit

/// The fields of a create or an update: checked, as they are sent, and held against what the server gave back.
struct GrailsWrite: Sendable {
  private static let readOnly = ["id", "version"]
  private static let texts = ["title", "body"]

  /// The object that is sent.
  private(set) var fields = Object()
  /// What the server will change on the way.
  private(set) var notes: [String] = []

  /// The body of a create; throws `invalid` where the server would refuse it.
  init(creating fields: Object) throws(BackendError) {
    for (name, value) in fields.members { try set(name, value) }
    if self.fields["title"] == nil { throw .invalid("a title is needed", hint: "add title=…") }
  }

  /// The body of an update; throws `invalid` where the server would refuse it.
  init(changing changes: [Change]) throws(BackendError) {
    guard !changes.isEmpty else { throw .invalid("no change was given") }
    for change in changes {
      switch change {
      case .set(let name, let value): try set(name, value)
      // The server forgets a field only where a null is written: one that is left out stays.
      case .unset(let name): try set(name, .null)
      }
    }
  }

  /// The object as JSON, nulls written out.
  var bytes: [UInt8] { Array(JSONWriter.compact(.object(fields)).utf8) }

  /// The names of the fields that a record does not hold as they were meant.
  func unconfirmed(by record: Record) -> [String] {
    fields.members.filter { name, value in
      !Self.stored(value).isSame(as: Self.stored(record.fields[name] ?? .null))
    }.map(\.0)
  }

  private mutating func set(_ name: String, _ value: Value) throws(BackendError) {
    guard !Self.readOnly.contains(name) else { throw .invalid("\(name) is set by the server only") }
    let value = Self.texts.contains(name) ? try text(name, value) : value
    if name == "title" { try Self.checkTitle(value) }
    if case .string(let text) = value {
      switch Self.stored(value) {
      case .null: notes.append("\(name) is blank, which the server stores as null")
      case .string(let kept) where kept.utf8.count != text.utf8.count:
        notes.append("\(name) is stored without the white space around it")
      default: break
      }
    }
    fields[name] = value
  }

  private mutating func text(_ name: String, _ value: Value) throws(BackendError) -> Value {
    switch value {
    case .null, .string: return value
    case .number(let number):
      notes.append("\(name) is stored as text")
      return .string(number.text)
    case .bool(let flag):
      notes.append("\(name) is stored as text")
      return .string(flag ? "true" : "false")
    case .array, .object: throw .invalid("\(name) is a text and cannot hold a \(value.kind)")
    }
  }

  private static func checkTitle(_ value: Value) throws(BackendError) {
    guard case .string(let title) = stored(value) else {
      throw .invalid("the title is required and cannot be empty", hint: "give it a text")
    }
    let length = title.utf16.count
    guard length <= GrailsResources.titleLimit else {
      throw .invalid(
        "the title is \(length) UTF-16 units long and may have \(GrailsResources.titleLimit)", hint: "shorten it")
    }
  }

  /// What the server makes of a value: texts lose the characters up to U+0020 at both ends, empty ones become null.
  private static func stored(_ value: Value) -> Value {
    guard case .string(let text) = value else { return value }
    var kept = text.unicodeScalars[...]
    while let last = kept.last, last.value <= 0x20 { kept.removeLast() }
    while let first = kept.first, first.value <= 0x20 { kept.removeFirst() }
    return kept.isEmpty ? .null : .string(String(kept))
  }
}
