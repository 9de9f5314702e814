/// One change of one field.
///
/// - Law unset removes the value: a field that is unset, alone or together with one that is set, has no value
///   afterwards, and no other field changes.
/// - Law null and empty are values: a field set to null is null afterwards, and text set to the empty string is empty,
///   unless a note names the field.
public enum Change: Sendable, Hashable {
  /// Gives the field a value; `.null` is a value.
  case set(String, Value)
  /// Removes or empties the field, if the server distinguishes the two.
  case unset(String)

  /// The field.
  public var field: String {
    switch self {
    case .set(let field, _), .unset(let field): field
    }
  }
}

/// The records that a delete removes.
public enum Deletion: Sendable, Hashable {
  /// One record.
  case one(RecordID)
  /// Every record of the resource.
  case all
}

/// The outcome of a write that the server accepted.
///
/// - Law mismatched write responses: a write whose response shows a value other than the one sent, lacks one, or is a
///   different record, is reported by a note or `badResponse`, and never as not applied.
/// - Law writes match a model: any sequence of creates, updates and deletes leaves the same records as in a model.
/// - Law update receipt as stored: the receipt has the requested identifier, and its record, if any, is the record as
///   it is stored.
/// - Law changed resources reported: a receipt says that resources changed if, and only if, a live description now has
///   different resources or fields.
/// - Law kept or echoed is true: a receipt that says `kept` names a record that exists, and one that says `echoed`
///   names a record that does not; if a record that was written can be read, receipt and description say which it is.
/// - Law no needless notes: a create or update whose values are stored as sent, and whose receipt shows this, has no
///   note.
public struct WriteReceipt: Sendable, Hashable {
  /// The identifier of the record, if the server reported it.
  public var id: RecordID?
  /// The record as the server returned it, if it did.
  public var record: Record?
  /// The server's treatment of the written values.
  public var writes: Capabilities.Writes
  /// Remarks for the user: changes by the server, or uncertainties.
  public var notes: [String]
  /// True if resources or fields may have changed, so that descriptions have to be read again.
  public var changesResources: Bool
  /// The new revision of the record, if the server reported it. ``Record/revision`` of the receipt's record counts as
  /// well.
  public var revision: String?
  /// The response to an action, if it is not a record.
  public var answer: Value?
  /// Fields that the response or a read shows with another value than was sent.
  public var altered: [String] = []
  /// Fields that were sent but that neither the response nor a read shows, so that it is unknown if they were stored.
  public var hidden: [String] = []
  /// The record as the backend read it for the write, if it did.
  public var before: Record?
  /// The altered fields that the write did not change at all: they had these values before. Filled in by the client.
  public var unkept: [String] = []
  /// The altered fields for which it is unknown if the write changed them, since their previous values are unknown.
  /// Filled in by the client.
  public var unclear: [String] = []

  /// Marks a creation that may have replaced a record: the server does not report it, and nothing was looked up before.
  public var mayHaveReplaced = false
  /// Marks a creation whose response says that it replaced the record with the identifier.
  public var hasReplaced = false

  /// The note for an altered field.
  public static func note(onAltered field: String) -> String { "the server did not store \(field) as sent" }

  /// The note for fields that no read shows.
  public static func note(onHidden fields: [String]) -> String {
    "the server does not show \(fields.joined(separator: ", ")): \(fields.count == 1 ? "it" : "they") may not have been stored"
  }

  /// True if the server seems to store what was written.
  public var isKept: Bool { writes != .echoed && unkept.isEmpty }

  /// True if no field is lost, and none may be.
  public var isAsSent: Bool { isKept && unclear.isEmpty }

  /// A receipt.
  public init(
    id: RecordID?, record: Record? = nil, writes: Capabilities.Writes = .kept, notes: [String] = [],
    changesResources: Bool = false, revision: String? = nil, answer: Value? = nil
  ) {
    self.revision = revision
    self.answer = answer
    self.changesResources = changesResources
    self.id = id
    self.record = record
    self.writes = writes
    self.notes = notes
  }
}
