import BackendKit
import Synchronization

/// A backend with a fault in it: passes every call on and changes what goes in or comes out.
///
/// Each change does nothing until a ``Fault`` puts another in its place.
struct BrokenBackend: Backend {
  /// A page that can be changed.
  struct Page: Sendable {
    var records: [Record]
    var end: PageEnd
  }

  var inner: any Backend
  /// The way to the server, for faults that send what they should not.
  var exchange: any HTTPExchange

  /// Done before a call; the text is the operation's name.
  var before: @Sendable (String) async throws(BackendError) -> Void = { _ in }
  /// Done after the records of a list were handed on; the text is the operation's name.
  var after: @Sendable (String) async throws(BackendError) -> Void = { _ in }
  /// Changes a description.
  var description: @Sendable (inout BackendDescription, DescriptionDepth) -> Void = { _, _ in }
  /// Changes a plan.
  var plan: @Sendable (inout QueryPlan, ListQuery) -> Void = { _, _ in }
  /// Changes what a list is asked for.
  var query: @Sendable (inout ListQuery, inout Cursor?) -> Void = { _, _ in }
  /// Changes a page before any of it is handed on.
  var page: @Sendable (inout Page, ListQuery, Cursor?) -> Void = { _, _, _ in }
  /// Changes the records as they come, in place of ``page``; the flag says whether the sink had enough.
  var hasEnough: @Sendable (RecordSink.Answer) -> RecordSink.Answer = { $0 }
  /// Changes a record that was read.
  var got: @Sendable (inout Record, RecordID) -> Void = { _, _ in }
  /// Changes the fields of a new record.
  var creating: @Sendable (inout Object) -> Void = { _ in }
  /// Changes what an update does.
  var updating: @Sendable (inout RecordID, inout [Change], inout String?) -> Void = { _, _, _ in }
  /// Changes what a deletion does.
  var deleting: @Sendable (inout Deletion) -> Void = { _ in }
  /// Changes the revision that a deletion insists on.
  var insisting: @Sendable (inout String?) -> Void = { _ in }
  /// Changes a receipt.
  var receipt: @Sendable (inout WriteReceipt, String) -> Void = { _, _ in }
  /// Changes an error; returns whether it is thrown. A write whose error is not thrown succeeds.
  var failing: @Sendable (inout BackendError, String) -> Bool = { _, _ in true }

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    do throws(BackendError) {
      try await before("describe")
      var described = try await inner.describe(depth)
      description(&described, depth)
      return described
    } catch {
      var error = error
      guard failing(&error, "describe") else { return try await inner.describe(.known) }
      throw error
    }
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try await before("plan")
    var planned = try await inner.plan(query)
    plan(&planned, query)
    return planned
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    do throws(BackendError) {
      try await before("list")
      var query = query
      var cursor = cursor
      self.query(&query, &cursor)
      let taken = Mutex<[Record]>([])
      let end = try await inner.list(
        query, at: cursor,
        to: RecordSink { records in
          taken.withLock { $0 += records }
          return .more
        })
      var page = Page(records: taken.withLock { $0 }, end: end)
      self.page(&page, query, cursor)
      for record in page.records where hasEnough(try await sink.send([record])) == .enough { break }
      try await after("list")
      return page.end
    } catch {
      var error = error
      guard failing(&error, "list") else { return PageEnd() }
      throw error
    }
  }

  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    do throws(BackendError) {
      try await before("get")
      var record = try await inner.get(id, from: resource, fields: fields, embedding: names)
      got(&record, id)
      return record
    } catch {
      var error = error
      guard failing(&error, "get") else { return Record(id: id, fields: Object()) }
      throw error
    }
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    var fields = fields
    creating(&fields)
    return try await write("create") { () throws(BackendError) in try await inner.create(fields, in: resource) }
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    var (id, changes, revision) = (id, changes, revision)
    updating(&id, &changes, &revision)
    return try await write("update") { () throws(BackendError) in
      try await inner.update(id, in: resource, changes: changes, revision: revision)
    }
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    var (deletion, revision) = (deletion, revision)
    deleting(&deletion)
    insisting(&revision)
    return try await write("delete") { () throws(BackendError) in
      try await inner.delete(deletion, from: resource, revision: revision)
    }
  }

  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await write("act") { () throws(BackendError) in
      try await inner.act(action, on: id, in: resource, with: fields)
    }
  }

  private func write(
    _ operation: String, _ call: () async throws(BackendError) -> WriteReceipt
  ) async throws(BackendError) -> WriteReceipt {
    do throws(BackendError) {
      try await before(operation)
      var receipt = try await call()
      self.receipt(&receipt, operation)
      return receipt
    } catch {
      var error = error
      guard failing(&error, operation) else { return WriteReceipt(id: "1") }
      throw error
    }
  }
}
