/// A service with records, as an adapter presents it.
///
/// Ten operations; the last three may be left out. Values go in, values come out, errors are ``BackendError``:
/// nothing here depends on shared memory, so that the same type can serve a console in its own process or through a
/// pipe. Commands never call these functions; the client does, which validates, plans, pages, re-checks, filters, sorts
/// and projects once for all adapters. An adapter therefore does only what its server does.
///
/// The lines that begin with "Law" are promises. Each is a test that every adapter has to pass.
///
/// - Law undeclared features refused: an operation, an action, the clearing of a field or a revision that is not
///   declared throws `unsupported` before any request is made.
/// - Law unknown resource: a resource that cannot exist throws `notFound` or `unsupported`, never an empty list.
/// - Law undeclared child resource: a resource below a record throws `notFound` or `unsupported` before any request is
///   made, if the record's resource does not declare it as a child.
/// - Law writes are marked: a request that may change something is marked as a write, and the request of a create as
///   one that must not be repeated.
/// - Law calls after a cancellation: calls after a cancelled one work as if it had not been made.
/// - Law cancelled before the call: a write by a task that was already cancelled is never reported as applied.
/// - Law no lost updates: concurrent updates of different fields of one record are all kept, or refused with
///   `conflict`, unless updates are declared to replace records without revisions, or to overwrite one another.
public protocol Backend: Sendable {
  /// The backend for calls with these options; itself if it supports none.
  func with(_ options: CallOptions) -> Self

  /// Describes the backend, its resources and what can be done with them.
  ///
  /// - Law known description sends nothing: with `.known`, no request is made.
  /// - Law stable description: two calls without a change on the server return equal descriptions.
  /// - Law live description only adds: what the server reports only adds to what is known: no resource disappears, and
  ///   no identifier rule changes.
  /// - Law consistent description: a description is consistent: names are unique and each child is described; the cap
  ///   and the default page size are at least 1, and the default does not exceed the cap; `get` can read what lists
  ///   omit; a field that holds an identifier that cannot be chosen is read-only; what can be created or updated has a
  ///   writable field.
  /// - Law fields as described: a live description describes the fields of a resource that has records, and all fields
  ///   of its sample if it has one; where records may have only described fields, no record has any other.
  /// - Law description checks responses: a live description that sends requests fails if every response is an HTML
  ///   page, or JSON that says nothing about the service; it ignores the content of a response with an error status.
  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription

  /// Divides a query between the server and the client.
  ///
  /// - Law plan sends no request: a plan makes no request.
  /// - Law valid plan: each filter has one fidelity, and `sort` and `skip` are never `superset`; a skip is planned
  ///   `exact` only if everything before it is; parts that the query does not have are `exact`; equal queries get equal
  ///   plans; the page size is valid; the first request is named on one line.
  /// - Law exact means exact: what is planned `exact` gives the same results as the reference evaluator.
  /// - Law superset loses nothing: a matching record is never missing from the results.
  /// - Law generated lists: conditions, orders, searches, projections, windows, and all of them combined give the same
  ///   results as the reference evaluator.
  /// - Law case-insensitive conditions: conditions that ignore case give the same results as the reference evaluator,
  ///   even for letters that have no other case, more than one other case, or one in a different alphabet.
  /// - Law conditions on one field: if one field has several conditions, each of them applies, as in the reference
  ///   evaluator.
  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan

  /// Sends one page of records to the sink, in the list's order, and returns where the next begins.
  ///
  /// `query` holds only what the plan said the server can do (`exact` or `superset`); the rest was taken out of it by
  /// the client. `cursor` is nil for the first page (after `query.skip` records).
  ///
  /// - Law end of list: a list has ended if, and only if, `next` is nil.
  /// - Law stable order: while nothing is written, walking the pages returns each record once, in the same order each
  ///   time.
  /// - Law truncated list: a truncated response throws `badResponse`; what was sent to the sink before is not a
  ///   complete page.
  /// - Law wrong address: if the server does not know the address, a list is an error with a hint about where to look,
  ///   never an empty list; an adapter that can recognize this reports it for a single record, too.
  /// - Law missing owner: a list below a record that does not exist throws `notFound`; it is not an empty list.
  /// - Law list limited to owner: a list below a record contains no record that belongs to another, whatever the
  ///   condition; the lists below two records have no record in common.
  /// - Law invalid skip or page size: a negative skip throws `invalid` or `unsupported` before any request is made; a
  ///   page size below 1 does too, or is planned as another size.
  /// - Law enough ends the list: when the sink returns `enough`, no further record is sent to it.
  /// - Law cursor of a stopped list: the cursor of a list that was stopped partway is accepted, and leads to none of
  ///   the records already sent.
  /// - Law unplanned parts refused: a query with a condition, an order, a search or a skip that its plan leaves to the
  ///   client throws `unsupported` before any request is made.
  /// - Law list matches get: a listed record has the fields that `get` returns, with the same values, except those that
  ///   it names as not loaded.
  /// - Law projection: where a projection is planned `exact`, it returns the requested fields, as `get` returns them,
  ///   and no others.
  /// - Law sink error: an error thrown by the sink ends the list and is reported as the list's error.
  /// - Law reads send read requests: describing, listing and reading send only requests that are marked as reads.
  /// - Law wrong content type: a response with the wrong content type throws `badResponse` or is read anyway.
  /// - Law oversized page: if a server sends more records than requested for a page, they are refused with
  ///   `badResponse`, or the end of the page reports the larger size and no record is lost.
  /// - Law missing values in lists: if a value or a header that every response had is removed, the list is refused with
  ///   `badResponse`, or is still the same list, with its total or without one.
  /// - Law missing members in records: if a member that every record had is removed, the list is refused with
  ///   `badResponse`, or has as many records as before; each record's identifier then still equals the field that holds
  ///   it, or both are missing.
  /// - Law byte-by-byte response: records that arrive byte by byte are the same as records that arrive all at once.
  /// - Law cancelled calls: a cancelled call ends immediately with `cancelled`, even in the middle of the response; the
  ///   effect of a write is then unknown if its request was sent.
  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd

  /// Reads one record: whole, or at least these of its fields, with what the service embeds by these names.
  ///
  /// Embedded names that the backend cannot ask for throw `unsupported`. A backend may read the record whole whatever fields
  /// are wanted.
  ///
  /// - Law get missing record: a `get` of a record that does not exist throws `notFound`.
  /// - Law get returns requested record: the record is loaded with all its fields, and has the requested identifier,
  ///   including in the field that holds it.
  /// - Law record of another owner: a record addressed below a record that it does not belong to throws `notFound`: it
  ///   is neither read, changed nor deleted.
  /// - Law get is repeatable: while nothing is written, reading a record twice returns equal records.
  /// - Law invalid responses: a response other than the one expected throws `badResponse` and is neither an empty list
  ///   nor an empty record: truncated, an HTML page, other JSON, empty, excessively nested, endless, or a redirect.
  /// - Law wrong record returned: a response with a record other than the requested one throws `badResponse`.
  /// - Law delete during read: a record that is deleted while it is being read is returned whole or not found.
  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record

  /// Creates a record.
  ///
  /// - Law create stores the fields: where writes are kept, `get` of the receipt's identifier returns a record with the
  ///   fields sent, unless the receipt's notes say otherwise; the receipt's record is that record, including what the
  ///   server changed or added.
  /// - Law create is sent once: `create` sends its request once, whatever the response.
  /// - Law unreadable create response: a create that is accepted, but whose response has no readable record, throws
  ///   `badResponse` with the effect `applied`; where responses are declared to have none, it yields a receipt with a
  ///   note that says so, but never with an identifier that was not chosen.
  /// - Law concurrent calls: concurrent creates, updates, reads and lists each affect or return only their own records.
  /// - Law create returns the identifier: the receipt has the identifier whenever its record shows it, and `get`
  ///   accepts it immediately.
  /// - Law created record is listed: a create creates exactly one record, which is in the list with the fields that
  ///   `get` returns.
  /// - Law create sets the owner: a record created in a resource below a record belongs to that record, like the others
  ///   there, and to no other, even if it does not name its owner.
  /// - Law conflicting owner in create: a record created in a resource below a record with fields that name another
  ///   owner is refused, or belongs to the record it was created below.
  /// - Law creates are independent: two creates create two records with different identifiers, and the first stays as
  ///   it was.
  /// - Law undescribed field: an undescribed field is kept, refused, or named in a note; never lost.
  /// - Law omitted fields: a field that was not sent has no value in a new record, or has the value that the receipt's
  ///   record or a note reports, which is its server default if one is described; dates that the server sets are not
  ///   in 1970.
  /// - Law refused create creates nothing: a create whose error says that nothing was changed creates no record.
  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt

  /// Changes fields of a record and keeps all others, including those unknown to the adapter.
  ///
  /// `revision` is the revision the record must still have; nil where the backend has none.
  ///
  /// - Law update keeps other fields: fields that an update does not change keep their values, numbers to the last
  ///   digit, and so do fields that the adapter does not know.
  /// - Law update missing record: an update of a record that does not exist throws `notFound`, and nothing was changed
  ///   or created, even where the server seems to accept it.
  /// - Law update sets the values: `get` after an update of one or several fields returns the values set, unless the
  ///   receipt's notes say otherwise.
  /// - Law update accepts created values: an update accepts and stores every value that a new record accepts in a
  ///   field, except null where no field can be cleared; dates keep their milliseconds.
  /// - Law last change wins: if a field is changed twice, the last change wins.
  /// - Law update without change: an update without a change, or to the current values, succeeds or is refused, and
  ///   changes nothing.
  /// - Law update leaves other records unchanged: an update of one record leaves the other records as they are.
  /// - Law identifier cannot change: an update cannot change the identifier: the update is refused, or the record keeps
  ///   its identifier; clearing the identifier is refused.
  /// - Law refused update changes nothing: an update whose error says that nothing was changed changes nothing.
  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt

  /// Deletes one record, or all.
  ///
  /// `revision` is the revision the record must still have; nil asks for none, and a deletion of all has none.
  ///
  /// - Law deleted records are gone: a deleted record can no longer be read, unless deleted records are declared to be
  ///   kept.
  /// - Law delete missing record: a delete of a record that does not exist, or no longer, throws `notFound`; where the
  ///   server cannot tell, a note says so.
  /// - Law delete targets one record: a delete of one record sends no request that could delete another; afterwards the
  ///   list has all other records, and no longer that one unless deleted records are declared to be kept.
  /// - Law concurrent deletes: of several concurrent deletes of one record, at least one succeeds, and the others
  ///   succeed too or throw `notFound`.
  /// - Law delete leaves other records unchanged: a delete of one record leaves the other records as they are.
  /// - Law delete all: a delete of all records empties the resource; where it is not declared, it is refused before any
  ///   request is made.
  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt

  /// Begins to read the content of a file field.
  func download(
    _ field: String, of id: RecordID, from resource: ResourcePath
  ) async throws(BackendError) -> FileDownload

  /// Waits for a job by the address of its state; returns the resulting record, if it is shown. Without `patience` it
  /// waits as long as the service's description says.
  func follow(
    _ address: String, in resource: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record?

  /// Does something with a record, or with the collection where `id` is nil, that is described as an action.
  ///
  /// - Law action on a record: the receipt of an action on a record shows that record as it is stored, if the run permits
  ///   the action.
  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt
}

/// The depth of a description.
public enum DescriptionDepth: String, Sendable, Hashable, CaseIterable {
  /// Only the knowledge of the adapter and its configuration; no request is made.
  case known
  /// Also the knowledge that the server shares.
  case live
}
