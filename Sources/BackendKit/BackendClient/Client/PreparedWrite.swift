import BackendKit

/// A write in the form that the service supports.
struct PreparedWrite {
  private(set) var write: Write
  /// The parts that it changes, without those that are members of the record.
  private(set) var parts: [PartChange] = []
  private(set) var revision: String?
  private(set) var notes: [String] = []
  /// The record, if it was read for the write.
  private(set) var read: Record?

  /// Prepares a write. A path that is the name of a member of the record means that member.
  init(_ write: Write, _ resource: ResourceDescription, of client: Client) async throws(BackendError) {
    self.write = write
    let can = resource.capabilities
    switch write {
    case .create, .act, .delete(_, .all, _): break
    case .delete(let path, .one(let id), let use):
      guard can.deletesAtRevision, use == .known else { return }
      revision = client.revision(of: id, in: path)
      if revision == nil, can.needsRevision {
        read = try await client.current(id, path)
        insistOnRead()
      }
    case .update(let path, let id, let changes, let parts, let use):
      let heeds = can.hasRevisions && use == .known
      revision = heeds ? client.revision(of: id, in: path) : nil
      let isLate = heeds && revision == nil && can.needsRevision
      let isMerged = can.mergesObjects && parts.allSatisfy(\.canBeMerged)
      let mayBeMember = resource.mayHaveOtherFields && parts.contains { $0.path.count > 1 }
      if !parts.isEmpty && !isMerged || mayBeMember || isLate { read = try await client.current(id, path) }
      if isLate { insistOnRead() }
      guard !parts.isEmpty else { return }
      let check = WriteCheck(client: client, resource: resource)
      let (members, wholes) = try take(parts, isMerged: isMerged, check)
      if !isMerged {
        if heeds { revision = revision ?? read?.revision }
        if revision == nil, !wholes.isEmpty {
          let names = wholes.names.joined(separator: ", ")
          notes.append("\(names) was read, changed and sent whole: concurrent changes to it are lost")
        }
      }
      let all = changes + members + wholes.members.map { Change.set($0.0, $0.1) }
      self.write = .update(path, id, all, revision: use)
    }
  }

  private mutating func insistOnRead() {
    revision = read?.revision
    notes.append(
      "no revision of the record was known, so it was read just before the write: this protects only against later changes"
    )
  }

  /// Separates parts that are members of the record, and replaces the others by whole fields.
  private mutating func take(
    _ parts: [PartChange], isMerged: Bool, _ check: WriteCheck
  ) throws(BackendError) -> (members: [Change], wholes: Object) {
    var (members, wholes) = ([Change](), Object())
    for part in parts {
      if let read, let change = try part.ofMember(in: read.fields) {
        try check.check(change)
        members.append(change)
        continue
      }
      self.parts.append(part)
      if part.isRelative, let read, let path = read.unloadedPath(of: part.formula?.paths ?? [FieldPath(part.field)]) {
        throw .unknown(path, of: read)
      }
      let part = try part.computed(of: read?.fields ?? Object())
      var whole = wholes[part.field] ?? (isMerged ? nil : read?.fields[part.field])
      try part.apply(to: &whole)
      if let whole { wholes[part.field] = whole }
    }
    return (members, wholes)
  }
}

extension PartChange {
  /// True if the member can be sent on its own to a service that merges objects. A merge cannot remove a member, and a
  /// number in the path may be an index into a list.
  fileprivate var canBeMerged: Bool { value != nil && path.allSatisfy { Int($0) == nil } }
}
