/// What identifies a record within its resource: an opaque text, compared code point by code point.
///
/// Servers use numbers, base-62 texts or the last part of an address; how one looks is said by ``IdentifierRule``.
public struct RecordID: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The identifier as the server writes it.
  public let text: String

  /// What stands for the identifier of the one record of a resource that has none.
  public static let sole = RecordID("")

  /// Whether it stands for the one record of a resource that has no identifiers.
  public var isSole: Bool { text.isEmpty }

  /// The identifier with this text.
  public init(_ text: String) { self.text = text }

  /// The identifier with this text.
  public init(stringLiteral value: String) { text = value }

  /// The identifier in a JSON value (a text, or a number as written), or nil where there is none or it is empty.
  public init?(_ value: Value?) {
    switch value {
    case .string(let text)? where !text.isEmpty: self.text = text
    case .number(let number)?: text = number.text
    default: return nil
    }
  }

  /// The text.
  public var description: String { text }

  /// Whether both are the same sequence of code points.
  public static func == (left: RecordID, right: RecordID) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Feeds the code points to the hasher.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

/// One record of a resource: its fields in the server's order, and which fields were not loaded.
public struct Record: Sendable, Hashable {
  /// What identifies it, or nil where the server's answer did not tell.
  public var id: RecordID?
  /// The fields as they came. An absent field has no member; a null is `.null`.
  public var fields: Object
  // What most records of a list do not have: while one is handed on it is copied many times, and so is each of its parts.
  private var beside: Beside?

  /// Names of fields that exist on the server but were left out of this answer: a list that leaves a body out, or a
  /// projection. They are neither absent nor null, and such a record is never sent as a replacement.
  public var unloaded: [String] {
    get { beside?.values.unloaded ?? [] }
    set { change { $0.unloaded = newValue } }
  }
  /// What a later write can insist on that nobody changed the record meanwhile, as the adapter takes it back; nil where the
  /// service tells none. It is of the record as a whole: never what a service tells of a list.
  public var revision: String? {
    get { beside?.values.revision }
    set { change { $0.revision = newValue } }
  }
  /// Why what stands at this place of a list cannot be read as a record, as a clause; nil for a record. The client keeps
  /// such places from commands and tells of them.
  public var defect: String? {
    get { beside?.values.defect }
    set { change { $0.defect = newValue } }
  }

  /// The place of a list at which no record can be read.
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

  /// Whether every field was loaded.
  public var isWhole: Bool { unloaded.isEmpty }

  /// The field at a path: a value, null, absent or not loaded.
  public func state(of path: FieldPath) -> FieldState {
    if let value = path.value(in: fields) { return .value(value) }
    return unloaded.contains(path.text) || unloaded.contains(path.field) ? .unloaded : .absent
  }
}

/// What stands beside the fields of a record.
private final class Beside: Sendable, Hashable {
  struct Values: Sendable, Hashable {
    var unloaded: [String] = []
    var revision: String?
    var defect: String?
  }

  let values: Values

  init(_ values: Values) { self.values = values }

  static func == (left: Beside, right: Beside) -> Bool { left.values == right.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// What a record says about one of its fields.
public enum FieldState: Sendable, Hashable {
  /// The field is there, perhaps as `.null`.
  case value(Value)
  /// The record has no such field.
  case absent
  /// The field was left out of the answer; its value is unknown.
  case unloaded
}
