import BackendConformance
import BackendKit

/// The adapter of records that belong to a record, and that a server at the top level keeps.
struct OwnedBackend: ForwardingBackend {
  let inner: any Backend
  /// True to accept and return records of other owners.
  var takesOthers = false
  /// True to include records of other owners in a list with a condition.
  var showsOthers = false
  /// True to include the records of all owners in every list.
  var ignoresOwner = false
  /// True to include the records that the suite created, whoever owns them, in every list.
  var sharesNew = false
  /// True if records show their owner.
  var showsOwner = true

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    var description = try await inner.describe(depth)
    var people = ResourceDescription(
      name: "people", identifier: IdentifierRule(form: .integer), capabilities: Capabilities(operations: [.list, .get]))
    people.children = ["notes"]
    description.resources.append(people)
    return description
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan { try await inner.plan(query.atTop) }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    if query.resource.name == "people" {
      _ = try await sink.send(["7", "8"].map { Record(id: $0, fields: Object()) })
      return PageEnd()
    }
    guard let owner = query.resource.parent?.id else { return try await inner.list(query, at: cursor, to: sink) }
    guard ["7", "8"].contains(owner) else {
      throw BackendError(.notFound, "there are no such people", effect: .notSent)
    }
    let isShown = ignoresOwner || showsOthers && !query.filters.isEmpty
    // A record that somebody else owns is not in the list.
    let owned = RecordSink { records throws(BackendError) in
      let own = records.filter { record in
        isShown || RecordID(record.fields["owner"]) == owner
          || sharesNew && record.fields["title"]?.text?.hasPrefix("switchboard") == true
      }
      return try await sink.send(own.map(shown))
    }
    return try await inner.list(query.atTop, at: cursor, to: owned)
  }

  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    let record = try await inner.get(id, from: resource.atTop, fields: fields, embedding: names)
    guard resource.parent == nil || takesOthers || RecordID(record.fields["owner"]) == resource.parent?.id else {
      throw BackendError(.notFound, "there is no \(resource)/\(id)", effect: .rejected)
    }
    return shown(record)
  }

  private func shown(_ record: Record) -> Record {
    guard !showsOwner else { return record }
    var record = record
    record.fields["owner"] = nil
    return record
  }

  private func shown(_ receipt: WriteReceipt) -> WriteReceipt {
    var receipt = receipt
    receipt.record = receipt.record.map(shown)
    return receipt
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    var fields = fields
    let owner = resource.parent.flatMap { Int($0.id.text) } ?? 7
    if fields["owner"] == nil { fields["owner"] = .int(owner) }
    guard takesOthers || fields["owner"] == .int(owner) else { throw .invalid("the owner is \(owner)") }
    return shown(try await inner.create(fields, in: resource.atTop))
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    if !takesOthers { _ = try await get(id, from: resource) }
    return shown(try await inner.update(id, in: resource.atTop, changes: changes, revision: revision))
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    if case .one(let id) = deletion, !takesOthers { _ = try await get(id, from: resource) }
    return try await inner.delete(deletion, from: resource.atTop, revision: revision)
  }
}

extension ResourcePath {
  fileprivate var atTop: ResourcePath { ResourcePath(name: name) }
}

extension ListQuery {
  fileprivate var atTop: ListQuery {
    var query = self
    query.resource = resource.atTop
    return query
  }
}
