public import BackendKit
import Synchronization

/// The writes that a preview has planned for one backend: reads see them, and nothing of them is sent.
///
/// Whatever only the service can know stays unknown: fields that it sets are not loaded, and a question whose answer would
/// depend on them ends the preview.
public final class PlannedRecords: Sendable {
  /// The planned writes of one resource.
  struct Resource: Sendable {
    /// New records, oldest first.
    var created: [Record] = []
    var changed: [RecordID: PlannedChange] = [:]
    var deleted: Set<RecordID> = []

    var isTouched: Bool { !(created.isEmpty && changed.isEmpty && deleted.isEmpty) }
  }

  private struct State {
    var resources: [ResourcePath: Resource] = [:]
    /// The reasons why the records of a resource are no longer known, by its name.
    var doubts: [String: String] = [:]
    var revisions = 0
    var describe: Describing?
    var dependents: DependentSearching?
  }

  /// Describes the resource at a path.
  public typealias Describing = @Sendable (ResourcePath) async throws(BackendError) -> ResourceDescription
  /// The resources whose records the service also deletes with a record; an empty name stands for unknown ones.
  public typealias DependentSearching = @Sendable (RecordID, ResourceDescription) async throws(BackendError) -> [String]

  private let state = Mutex(State())
  /// Names the identifier of a new record.
  private let name: @Sendable () -> String
  private let preview: any Previewing

  /// No planned writes yet.
  public init(of preview: any Previewing, naming name: @escaping @Sendable () -> String) {
    self.preview = preview
    self.name = name
  }

  /// Sets how to find out what planned writes depend on.
  public func ask(describe: @escaping Describing, dependents: @escaping DependentSearching) {
    state.withLock { ($0.describe, $0.dependents) = (describe, dependents) }
  }

  func stop(_ reason: String) -> BackendError { preview.stop(reason) }

  func makeName() -> String { name() }

  func makeRevision() -> String {
    state.withLock { state in
      state.revisions += 1
      return Self.revision + String(state.revisions)
    }
  }

  private static let revision = "planned:"

  /// The record without the revision that only stands for one, if a write of it is planned.
  public static func withoutPlannedRevision(_ record: Record) -> Record {
    guard record.revision?.hasPrefix(revision) == true else { return record }
    var record = record
    record.revision = nil
    return record
  }

  func resource(_ path: ResourcePath) async throws(BackendError) -> ResourceDescription {
    guard let describe = state.withLock(\.describe) else { throw .unsupported("the backend is not described") }
    return try await describe(path)
  }

  subscript(path: ResourcePath) -> Resource {
    get { state.withLock { $0.resources[path] ?? Resource() } }
    set { state.withLock { $0.resources[path] = newValue } }
  }

  /// Returns whether planned writes concern the records at a path. Throws if the records at the path are unknown.
  func concern(_ path: ResourcePath) throws(BackendError) -> Bool {
    let (resources, doubt) = state.withLock { ($0.resources.filter { $1.isTouched }, $0.doubts[path.name]) }
    guard !resources.isEmpty || doubt != nil else { return false }
    if let doubt { throw stop(doubt) }
    if resources.keys.contains(where: { $0.name == path.name && $0 != path }) {
      throw stop("writes of \(path.name) are planned under another path, and records of \(path) may be among them")
    }
    var owner = path.owner
    while let (above, id) = owner {
      if resources[above]?.deleted.contains(id) == true { throw Self.missing(id, above) }
      owner = above.owner
    }
    return resources[path] != nil || isBelowNew(path)
  }

  /// Returns whether a path leads through a new record, which the service does not have yet.
  func isBelowNew(_ path: ResourcePath) -> Bool {
    path.parts.indices.contains { $0 % 2 == 1 && Preview.isPlanned(path.parts[$0]) }
  }

  /// Notes why the records of a resource are no longer known.
  func doubt(_ name: String, _ reason: String) { state.withLock { $0.doubts[name] = $0.doubts[name] ?? reason } }

  /// Notes what the deletion of a record takes along.
  func noteDependents(of id: RecordID, _ resource: ResourceDescription) async throws(BackendError) {
    guard !resource.dependents.isEmpty, let search = state.withLock(\.dependents) else { return }
    for name in try await search(id, resource) {
      let reason =
        "deleting \(resource.name)/\(id) also deletes \(name.isEmpty ? "other records" : "records of \(name)")"
      guard !name.isEmpty else { throw stop(reason) }
      doubt(name, reason)
    }
  }

  static func missing(_ id: RecordID, _ path: ResourcePath) -> BackendError {
    BackendError(.notFound, "\(path)/\(id) does not exist: its deletion is planned", effect: .rejected)
  }
}

/// The planned changes of an existing record.
struct PlannedChange: Sendable {
  var set = Object()
  /// The fields whose values are not known until the change is made.
  var unknown: Set<String> = []
  var revision = ""

  mutating func add(_ changes: [Change], to resource: ResourceDescription, revision: String) {
    self.revision = revision
    for field in resource.fields where field.isReadOnly && !resource.identifier.isHeld(by: field.name) {
      unknown.insert(field.name)
    }
    for change in changes {
      unknown.remove(change.field)
      set[change.field] = nil
      if case .set(let name, let value) = change, resource.keeps(value, in: name) {
        set[name] = value
      } else {
        unknown.insert(change.field)
      }
    }
  }

  /// The record with the changes.
  func applied(to record: Record, of resource: ResourceDescription, isListed: Bool) -> Record {
    var record = record
    let hidden = isListed ? Set(resource.capabilities.unlistedFields) : []
    for (name, value) in set.members where record.fields[name] != nil || !hidden.contains(name) {
      record.fields[name] = value
      record.unloaded.removeAll { $0 == name }
    }
    for name in unknown.sorted() where record.fields[name] != nil || set[name] == nil {
      record.fields[name] = nil
      if !record.unloaded.contains(name) { record.unloaded.append(name) }
    }
    record.revision = resource.capabilities.hasRevisions ? revision : nil
    return record
  }
}

extension ResourceDescription {
  /// Returns whether a field will surely show a value as it is sent.
  fileprivate func keeps(_ value: Value, in name: String) -> Bool {
    let can = capabilities
    switch value {
    case .null: return !can.clearsByNull && can.keepsNull && can.createsNull
    case .object: return !can.mergesObjects
    case .string(let text):
      if text.isEmpty, can.clearsByEmptyText { return false }
      if let field = field(named: name), field.kind == .html || field.isSecret || field.file != nil { return false }
      let isTrimmed = text.unicodeScalars.first.map { $0.value > 0x20 } ?? true
      return isTrimmed && text.unicodeScalars.last.map { $0.value > 0x20 } ?? true
    default: return true
    }
  }

  /// A new record with the sent fields, as far as it is known before the service has created it.
  func planned(_ sent: Object, id: RecordID, revision: String) -> Record {
    var (fields, unknown) = (Object(), [String]())
    if let name = identifier.field, sent[name] == nil { fields[name] = .string(id.text) }
    for (name, value) in sent.members {
      if keeps(value, in: name) { fields[name] = value } else { unknown.append(name) }
    }
    for field in self.fields where fields[field.name] == nil && !unknown.contains(field.name) {
      if let value = field.serverDefault { fields[field.name] = value } else { unknown.append(field.name) }
    }
    return Record(
      id: id, fields: fields, unloaded: unknown, revision: capabilities.hasRevisions ? revision : nil)
  }
}
