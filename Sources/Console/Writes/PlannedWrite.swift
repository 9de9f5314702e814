import BackendClient
import BackendKit

/// A write that a command plans: what is sent, what is known of its record, and where it comes from.
struct PlannedWrite: BulkItem, Sendable {
  /// Its progress in an earlier run of the same command.
  enum Past: Sendable {
    case nothing
    /// It was about to be sent; more is not known.
    case begun
    case done
  }

  var write: Write
  /// The record as it was read for the command; nil if it was not read, or does not exist yet.
  var record: Record?
  /// The fields of the record as they were before, as far as they are known.
  var before: KnownFields?
  var origin: WriteOrigin
  /// The condition for sending it, checked just before.
  var condition = Precondition.none
  /// The entry of the journal that it takes back.
  var undoes: Int64?
  /// The name of its row among the marks of the run; nil if no later run goes on from it.
  var mark: String?
  /// The key by which the service knows the creation if it is sent again.
  var creationKey: String?
  var past = Past.nothing
  /// Its turn among the writes of one record.
  var turn: WriteTurn?
  /// True if the record got its identifier by a write of the same run.
  private(set) var isRenamed = false
  /// Facts about it that its plan shows below it.
  var remarks: [String] = []
  /// The row of a transfer that it comes from.
  var row: Int64?
  /// The number of its place among those of the run.
  var at = 0

  init(_ write: Write, from origin: WriteOrigin, record: Record? = nil, before: KnownFields? = nil) {
    self.write = write
    self.origin = origin
    self.record = record
    self.before = before ?? record.map { KnownFields($0) }
  }

  /// A write that words of the command name.
  init(_ write: Write) {
    if case .create(_, let fields) = write {
      self.init(write, from: WriteOrigin("a record", place: nil, rejected: .object(fields)))
    } else {
      self.init(write, from: WriteOrigin(write.id ?? RecordID("")))
    }
  }

  /// The same write of the record under another identifier.
  func renamed(_ id: RecordID) -> PlannedWrite {
    var renamed = self
    renamed.write = write.renamed(id)
    renamed.isRenamed = true
    return renamed
  }

  var description: String { origin.description }
  var place: String? { origin.place }
  var rejected: RejectedRow { origin.rejected }
}

/// The place that a planned write comes from.
struct WriteOrigin: Sendable {
  /// Its name in messages: an identifier, or a line of a file.
  let description: String
  /// Its place in a file or on standard input; nil for words of the command.
  let place: String?
  /// The input that makes it in a later run.
  var rejected: RejectedRow

  init(_ description: String, place: String?, rejected: RejectedRow) {
    self.description = description
    self.place = place
    self.rejected = rejected
  }

  /// A record that the command names.
  init(_ id: RecordID, place: String? = nil) { self.init(id.text, place: place, rejected: .id(id)) }
}

extension Write {
  /// The same for another record.
  func renamed(_ id: RecordID) -> Write {
    switch self {
    case .update(let path, _, let changes, let parts, let use): .update(path, id, changes, parts: parts, revision: use)
    case .delete(let path, .one, let use): .delete(path, .one(id), revision: use)
    case .create, .delete, .act: self
    }
  }

  var isDeletion: Bool { if case .delete = self { true } else { false } }
  var isCreation: Bool { if case .create = self { true } else { false } }
}
