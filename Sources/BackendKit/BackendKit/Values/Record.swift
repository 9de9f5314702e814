/// The identifier of a record within its resource: an opaque text, compared code point by code point.
///
/// Servers use numbers, base-62 texts or the last segment of an address; ``IdentifierRule`` describes the form.
public struct RecordID: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The identifier as the server writes it.
  public let text: String

  /// The identifier of the only record of a resource without identifiers.
  public static let sole = RecordID("")

  /// True if it is that of the only record of a resource without identifiers.
  public var isSole: Bool { text.isEmpty }

  /// The identifier with this text.
  public init(_ text: String) { self.text = text }

  /// The identifier with this text.
  public init(stringLiteral value: String) { text = value }

  /// The identifier in a JSON value (a text, or a number as written), or nil if there is none or it is empty.
  public init?(_ value: Value?) {
    switch value {
    case .string(let text)? where !text.isEmpty: self.text = text
    case .number(let number)?: text = number.text
    default: return nil
    }
  }

  /// The text.
  public var description: String { text }

  /// Returns whether both identifiers are the same sequence of code points.
  public static func == (left: RecordID, right: RecordID) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Hashes the code points.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

/// One record of a resource: its fields in the server's order, and which fields were not loaded.
public struct Record: Sendable, Hashable {
  /// The identifier; nil if the server's response did not include one.
  public var id: RecordID?
  /// The fields as received. An absent field has no member; a null is `.null`.
  public var fields: Object
  // The properties that most records of a list lack, in one reference, which is cheaper to copy.
  private var beside: Beside?

  /// Names of fields that exist on the server but were omitted from this response, by a list or a projection. They are
  /// neither absent nor null, and such a record is never sent as a replacement.
  public var unloaded: [String] {
    get { beside?.values.unloaded ?? [] }
    set { change { $0.unloaded = newValue } }
  }
  /// Names of fields that only lists show, so that their absence from a single record means nothing.
  public var listed: [String] {
    get { beside?.values.listed ?? [] }
    set { change { $0.listed = newValue } }
  }
  /// The revision that a later write can require, to be sure that the record has not changed meanwhile, in the form
  /// that the adapter accepts; nil if the service reports none. It is the revision of the whole record: one that the
  /// service reports for a list is never used.
  public var revision: String? {
    get { beside?.values.revision }
    set { change { $0.revision = newValue } }
  }
  /// The reason, as a clause, why the list element at this position cannot be read as a record, or, if there are fields,
  /// why a text of them has U+FFFD in place of other characters; nil for a sound record. The client hides elements without
  /// fields from commands, and reports both.
  public var defect: String? {
    get { beside?.values.defect }
    set { change { $0.defect = newValue } }
  }

  /// Returns a list element that cannot be read as a record.
  public static func unreadable(_ reason: String) -> Record {
    var record = Record(id: nil, fields: Object())
    record.defect = reason
    return record
  }

  /// A record.
  public init(id: RecordID?, fields: Object, unloaded: [String] = [], revision: String? = nil) {
    self.id = id
    self.fields = fields
    if !unloaded.isEmpty || revision != nil { beside = Beside(Beside.Values(unloaded: unloaded, revision: revision)) }
  }

  private mutating func change(_ change: (inout Beside.Values) -> Void) {
    var values = beside?.values ?? Beside.Values()
    change(&values)
    beside = values == Beside.Values() ? nil : Beside(values)
  }

  /// Returns whether both are equal in any order of the fields: some services vary the order.
  public static func == (left: Record, right: Record) -> Bool {
    left.id == right.id && left.beside == right.beside && left.fields.hasSameMembers(as: right.fields)
  }

  /// Hashes what does not depend on the order of the fields.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(fields.count)
    hasher.combine(beside)
  }

  /// True if every field was loaded.
  public var isWhole: Bool { unloaded.isEmpty }

  /// The field at a path: a value, null, absent or not loaded.
  public func state(of path: FieldPath) -> FieldState {
    if let value = path.value(in: fields) { return .value(value) }
    return path.holders.contains(where: unloaded.contains) ? .unloaded : .absent
  }
}

/// The properties of a record other than its identifier and its fields.
private final class Beside: Sendable, Hashable {
  struct Values: Sendable, Hashable {
    var unloaded: [String] = []
    var listed: [String] = []
    var revision: String?
    var defect: String?
  }

  let values: Values

  init(_ values: Values) { self.values = values }

  static func == (left: Beside, right: Beside) -> Bool { left.values == right.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// The state of one field of a record.
public enum FieldState: Sendable, Hashable {
  /// The field is present, possibly as `.null`.
  case value(Value)
  /// The record has no such field.
  case absent
  /// The field was left out of the answer; its value is unknown.
  case unloaded
}
