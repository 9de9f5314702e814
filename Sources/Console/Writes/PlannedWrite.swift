import BackendClient
import BackendKit

/// A planned write: the request, the known state of its record, and its origin.
struct PlannedWrite: BulkItem, Sendable {
  /// Its progress in an earlier run of the same command.
  enum Past: Sendable {
    case nothing
    /// It was about to be sent; the outcome is unknown.
    case begun
    case done
  }

  var write: Write
  /// The record as read for the command; nil if it was not read, or does not exist yet.
  var record: Record?
  /// The previous fields as far as known.
  var before: KnownFields?
  var origin: WriteOrigin
  /// The condition checked just before it is sent.
  var condition = Precondition.none
  var undoes: Int64?
  /// The name of its mark; nil if the command cannot be resumed.
  var mark: String?
  /// The key by which the service recognizes a repeated creation.
  var creationKey: String?
  var past = Past.nothing
  /// The name of a new record whose identifier it still needs.
  var awaited: String?
  /// Its turn among the writes of one record.
  var turn: WriteTurn?
  /// True if the record got its identifier by a write of the same run.
  private(set) var isRenamed = false
  /// Lines for the plan below the write.
  var remarks: [String] = []
  /// The row of a transfer that it is based on.
  var row: Int64?
  /// The index of its place in the run.
  var at = 0

  init(_ write: Write, from origin: WriteOrigin, record: Record? = nil, before: KnownFields? = nil) {
    self.write = write
    self.origin = origin
    self.record = record
    self.before = before ?? record.map { KnownFields($0) }
  }

  init(_ write: Write) {
    if case .create(_, let fields) = write {
      self.init(write, from: WriteOrigin("a record", place: nil, rejected: .object(fields)))
    } else {
      self.init(write, from: WriteOrigin(write.id ?? RecordID("")))
    }
  }

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

struct WriteOrigin: Sendable {
  /// The name in messages: an identifier, or a line of a file.
  let description: String
  /// The place in a file or on standard input; nil for words of the command.
  let place: String?
  /// The input for a later run.
  var rejected: RejectedRow

  init(_ description: String, place: String?, rejected: RejectedRow) {
    self.description = description
    self.place = place
    self.rejected = rejected
  }

  init(_ id: RecordID, place: String? = nil) { self.init(id.text, place: place, rejected: .id(id)) }
}

extension Write {
  func renamed(_ id: RecordID) -> Write {
    switch self {
    case .update(let path, _, let changes, let parts, let use): .update(path, id, changes, parts: parts, revision: use)
    case .delete(let path, .one, let use): .delete(path, .one(id), revision: use)
    case .create, .delete, .act: self
    }
  }

  /// The write with its nulls as the service keeps them, and with the defaults of a new record.
  func asKept(by resource: ResourceDescription) -> Write {
    switch self {
    case .create(let path, let fields): .create(path, resource.asKept(new: fields))
    case .update(let path, let id, let changes, let parts, let use):
      .update(path, id, changes.map(resource.asKept), parts: parts, revision: use)
    case .delete, .act: self
    }
  }

  var isDeletion: Bool { if case .delete = self { true } else { false } }
  var isCreation: Bool { if case .create = self { true } else { false } }
}

/// The resource of writes, with everything looked up once per command. Shared by its writes, since it is large to copy.
final class WritePlace: Sendable {
  let target: Target
  let resource: ResourceDescription
  let images: JournalImages
  let ledger: Ledger
  /// Waits for a busy service; nil for a single write, whose failure is reported immediately.
  let patience: RowRetryPolicy?

  var client: Client { target.client }

  init(
    _ target: Target, _ resource: ResourceDescription, _ images: JournalImages, _ ledger: Ledger,
    _ patience: RowRetryPolicy?
  ) {
    self.target = target
    self.resource = resource
    self.images = images
    self.ledger = ledger
    self.patience = patience
  }

  /// The place for a path that had names for identifiers.
  func at(_ path: ResourcePath) -> WritePlace {
    guard path != target.path else { return self }
    return WritePlace(Target(backend: target.backend, path: path), resource, images, ledger, patience)
  }
}
