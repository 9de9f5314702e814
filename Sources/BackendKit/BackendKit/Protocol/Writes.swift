/// One change of one field.
///
/// - Law unset removes the value: a field that is unset, alone or together with one that is set, has no value
///   afterwards, and no other field changes.
/// - Law null and empty are values: a field set to null is null afterwards, and text set to the empty string is empty,
///   unless a note names the field.
public enum Change: Sendable, Hashable {
  /// Gives the field a value; `.null` is a value.
  case set(String, Value)
  /// Removes or empties the field, as far as the server knows the difference.
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
/// - Law create receipt as stored: the receipt's record is the record as it is stored, including what the server
///   changed or added.
/// - Law update receipt as stored: the receipt has the requested identifier, and its record, if any, is the record as
///   it is stored.
/// - Law changed resources reported: a receipt says that resources changed if, and only if, a live description now has
///   different resources or fields.
/// - Law kept or echoed is true: a receipt that says `kept` names a record that exists, and one that says `echoed`
///   names a record that does not.
/// - Law kept or echoed is known: if a record that was written can be read, the receipt says whether writes are kept,
///   and so does the description from then on.
/// - Law no needless notes: a create or update whose values are stored as sent, and whose receipt shows this, has no
///   note.
public struct WriteReceipt: Sendable, Hashable {
  /// The identifier of the record, or nil where the server did not tell.
  public var id: RecordID?
  /// The record as the server gave it back, or nil where it gave none.
  public var record: Record?
  /// The way the server treats what was written.
  public var writes: Capabilities.Writes
  /// Remarks for the operator: what the server changed on the way, or what could not be confirmed.
  public var notes: [String]
  /// True if there may now be other resources or fields, so that descriptions have to be read again.
  public var changesResources: Bool
  /// The revision that the record has now; nil where the server did not tell. ``Record/revision`` of the receipt's record
  /// counts as well.
  public var revision: String?
  /// The answer to an action if it is not a record, or nil.
  public var answer: Value?
  /// Fields that the response or a read shows with another value than was sent.
  public var altered: [String] = []
  /// Fields that were sent and that neither the response nor a read shows: it is not known whether they were kept.
  public var hidden: [String] = []
  /// The record as the backend read it for the write; nil if it did not.
  public var before: Record?
  /// Those of the altered fields that the write did not change at all: they were so before. Filled in by the client.
  public var unkept: [String] = []
  /// Those of the altered fields of which nobody can tell whether the write changed them: what they were before is not
  /// known. Filled in by the client.
  public var unclear: [String] = []

  /// Marks a creation that may have replaced a record: the server does not tell, and nothing was looked for before.
  public var mayHaveReplaced = false
  /// Marks a creation whose response says that it replaced the record that had the identifier.
  public var hasReplaced = false

  /// The note that names an altered field.
  public static func note(onAltered field: String) -> String { "the server did not store \(field) as sent" }

  /// The note that names fields that no read shows.
  public static func note(onHidden fields: [String]) -> String {
    "the server does not show \(fields.joined(separator: ", ")): \(fields.count == 1 ? "it" : "they") may not have been stored"
  }

  /// True if the server stores what was written, as far as can be seen.
  public var isKept: Bool { writes != .echoed && unkept.isEmpty }

  /// True if no field is known to be left out, and none may be.
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
