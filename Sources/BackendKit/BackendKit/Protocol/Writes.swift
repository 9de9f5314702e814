/// One change of one field.
///
/// - Law cleared field: a field that is unset, alone or beside one that is set, has no value afterwards, and no other
///   changes.
/// - Law null and empty: a field set to null is null afterwards, and text set to the empty one is empty, unless a note
///   names the field.
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

/// What a delete removes.
public enum Deletion: Sendable, Hashable {
  /// One record.
  case one(RecordID)
  /// Every record of the resource.
  case all
}

/// What a server said to a write that it accepted.
///
/// - Law receipts that differ: a write whose answer shows another value than was sent, lacks one, or is another
///   record, is reported by a note or `badResponse`, and never as not made.
/// - Law writes like a model: any sequence of creations, updates and deletions leaves what the same sequence leaves in
///   a model.
/// - Law receipt of create: the receipt's record is the record as it is stored: also what the server changed or added
///   is in it.
/// - Law receipt of update: the receipt tells the identifier that was asked for, and its record, if any, is the one
///   that is stored.
/// - Law changed resources: a receipt says that resources changed where, and only where, a live description has others,
///   or other fields.
/// - Law honest receipt: a receipt that says `kept` names a record that is there, and one that says `echoed` none.
/// - Law settled writes: where the record that a write was made of can be read, the receipt says whether writes are kept, and
///   so does the description from then on.
/// - Law plain receipt: a create or update of values that are stored as they were sent, and shown so by the receipt, has no
///   note.
public struct WriteReceipt: Sendable, Hashable {
  /// The identifier of the record, or nil where the server did not tell.
  public var id: RecordID?
  /// The record as the server gave it back, or nil where it gave none.
  public var record: Record?
  /// Whether the server keeps what was written.
  public var writes: Capabilities.Writes
  /// Remarks for the operator: what the server changed on the way, or what could not be confirmed.
  public var notes: [String]
  /// Whether other resources, or other fields, may be there now, so that descriptions have to be read anew.
  public var changesResources: Bool
  /// The revision that the record has now; nil where the server did not tell. ``Record/revision`` of the receipt's record
  /// counts as well.
  public var revision: String?
  /// What an action answered with that is no record, or nil.
  public var answer: Value?
  /// Fields that the response or a read shows with another value than was sent.
  public var altered: [String] = []
  /// Fields that were sent and that neither the response nor a read shows: it is not known whether they were kept.
  public var hidden: [String] = []
  /// The record as the backend read it for the write; nil if it did not.
  public var before: Record?
  /// Those of the altered fields that the write did not change at all. Filled in by the client.
  public var unkept: [String] = []

  /// Marks a creation that may have replaced a record: the server does not tell, and nothing was looked for before.
  public var mayHaveReplaced = false

  /// The note that names an altered field.
  public static func note(onAltered field: String) -> String { "the server did not store \(field) as sent" }

  /// The note that names fields that no read shows.
  public static func note(onHidden fields: [String]) -> String {
    "the server does not show \(fields.joined(separator: ", ")): \(fields.count == 1 ? "it" : "they") may not have been stored"
  }

  /// Whether the server stores what was written, as far as it shows.
  public var isKept: Bool { writes != .echoed && unkept.isEmpty }

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
