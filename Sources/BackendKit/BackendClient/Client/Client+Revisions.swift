public import BackendKit
import Synchronization

/// Revisions: each record is written at the one in which it was seen last, where the service heeds revisions.
extension Client {
  /// Keeps the revision in which a record was seen: a later write of it insists on that. Without one, nothing is known
  /// of the record any more.
  public func see(_ record: Record, in path: ResourcePath) {
    guard let id = record.id else { return }
    versions.withLock { $0[id, path] = record.revision == nil ? nil : record }
  }

  /// Keeps the revisions of records of a list, as far as it tells any.
  func seeListed(_ records: [Record], in path: ResourcePath) {
    guard records.contains(where: { $0.revision != nil }) else { return }
    versions.withLock { versions in
      for record in records where record.revision != nil {
        if let id = record.id { versions[id, path] = record }
      }
    }
  }

  /// The revision that is known of a record; nil where none is.
  public func revision(of id: RecordID, in path: ResourcePath) -> String? {
    versions.withLock { $0[id, path]?.revision }
  }

  /// Returns whether a write insists on a revision that was seen with all fields that the write changes.
  public func hasSeenWhole(_ write: Write, _ resource: ResourceDescription) -> Bool {
    guard let seen = seen(by: write) else { return false }
    switch write {
    case .update(_, _, _, _, .known) where resource.capabilities.hasRevisions:
      return write.fieldNames.allSatisfy { seen.fields[$0] != nil }
    case .delete(_, .one, .known) where resource.capabilities.deletesAtRevision: return seen.isWhole
    case .create, .update, .delete, .act: return false
    }
  }

  func seen(by write: Write) -> Record? { write.id.flatMap { id in versions.withLock { $0[id, write.resource] } } }

  /// A receipt's revision takes the place of the one that is known.
  func keepRevision(of receipt: WriteReceipt, after write: Write) {
    forgetRevisions(after: write)
    guard let id = receipt.id ?? write.id, let revision = receipt.revision ?? receipt.record?.revision else { return }
    var record = receipt.record ?? Record(id: id, fields: Object())
    record.id = id
    record.revision = revision
    see(record, in: write.resource)
  }

  /// Forgets the revision of what a write may have changed.
  func forgetRevisions(after write: Write) {
    versions.withLock { versions in
      switch write {
      case .create: break
      case .update(let path, let id, _, _, _), .delete(let path, .one(let id), _), .act(let path, let id?, _, _):
        versions[id, path] = nil
      case .delete(let path, .all, _), .act(let path, nil, _, _): versions.forgetAll(of: path)
      }
    }
  }

  /// A write as the service can do it.
  struct Prepared {
    /// The write with whole fields in place of their parts.
    var write: Write
    /// The parts that it changes: without those that are members of the record.
    var parts: [PartChange] = []
    /// The revision that it insists on.
    var revision: String?
    /// Remarks on it.
    var notes: [String] = []
    /// The record, where it was read for the write.
    var read: Record?
  }

  /// A write as the service can do it. A path is a member of the record if the record has one of that name.
  func prepared(_ write: Write, _ resource: ResourceDescription) async throws(BackendError) -> Prepared {
    let can = resource.capabilities
    switch write {
    case .create, .act, .delete(_, .all, _): return Prepared(write: write)
    case .delete(let path, .one(let id), let use):
      guard can.deletesAtRevision, use == .known else { return Prepared(write: write) }
      if let known = revision(of: id, in: path) { return Prepared(write: write, revision: known) }
      guard can.needsRevision else { return Prepared(write: write) }
      let record = try await current(id, path)
      return Prepared(write: write, revision: record.revision, notes: [Self.lateRevision], read: record)
    case .update(let path, let id, var changes, let parts, let use):
      var notes: [String] = []
      var revision = can.hasRevisions && use == .known ? self.revision(of: id, in: path) : nil
      let isWanted = can.hasRevisions && use == .known && revision == nil
      let isMerged = can.mergesObjects && parts.allSatisfy(\.canBeMerged)
      let mayBeMember = resource.mayHaveOtherFields && parts.contains { $0.path.count > 1 }
      let isRead = !parts.isEmpty && !isMerged || mayBeMember || isWanted && can.needsRevision
      let record = isRead ? try await current(id, path) : nil
      if isWanted, can.needsRevision {
        revision = record?.revision
        notes.append(Self.lateRevision)
      }
      guard !parts.isEmpty else { return Prepared(write: write, revision: revision, notes: notes, read: record) }
      var (wholes, rest) = (Object(), [PartChange]())
      for part in parts {
        if let record, let change = try part.ofMember(in: record.fields) {
          try checkChange(change, resource)
          changes.append(change)
          continue
        }
        rest.append(part)
        let part = try part.computed(of: record?.fields ?? Object())
        var whole = wholes[part.field] ?? (isMerged ? nil : record?.fields[part.field])
        try part.apply(to: &whole)
        if let whole { wholes[part.field] = whole }
      }
      if !isMerged {
        if can.hasRevisions, use == .known { revision = revision ?? record?.revision }
        if revision == nil, !wholes.isEmpty {
          let names = wholes.names.joined(separator: ", ")
          notes.append("\(names) was read, changed and sent whole: concurrent changes to it are lost")
        }
      }
      let all = changes + wholes.members.map { Change.set($0.0, $0.1) }
      return Prepared(
        write: .update(path, id, all, revision: use), parts: rest, revision: revision, notes: notes, read: record)
    }
  }

  /// A record as it is now. What is known of its revision stays: a later write insists on what somebody has looked at.
  public func current(_ id: RecordID, _ path: ResourcePath) async throws(BackendError) -> Record {
    try await logged { [backend] () throws(BackendError) in try await backend.get(id, from: path) }
  }

  private static let lateRevision =
    "no revision of the record was known, so it was read just before the write: this protects only against later changes"

  /// The error of a conflict with both versions of the record.
  func explained(
    _ error: BackendError, of write: Write, _ seen: Record?, _ resource: ResourceDescription
  ) async -> BackendError {
    var error = error
    error.hint = "read the record and retry; update, edit and delete also take --force"
    guard let id = write.id, resource.capabilities.operations.contains(.get),
      let now = try? await backend.get(id, from: write.resource)
    else { return error }
    var before = seen.map { KnownFields($0) } ?? KnownFields(Object())
    // A list may leave fields out without a word.
    before.isPartial = seen?.isWhole != true
    error.fields += RecordDifference(before, KnownFields(now), under: write, of: resource).messages(isWhole: true)
    return error
  }
}

extension PartChange {
  /// True if the member can be sent on its own to a service that merges objects. A merge cannot remove a member, and a
  /// number in the path may be an index into a list.
  fileprivate var canBeMerged: Bool { value != nil && path.allSatisfy { Int($0) == nil } }
}
