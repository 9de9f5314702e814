/// A service that holds records: what an adapter makes of it.
///
/// Ten operations; only the last three may be left out. Values go in, values come out, errors are ``BackendError``: nothing here depends on
/// shared memory, so that the same type can serve a console in its own process or through a pipe. Commands never call
/// these functions; the client does, which validates, plans, pages, re-checks, filters, sorts and projects once for all
/// adapters. An adapter therefore does only what its server does.
///
/// The lines that begin with "Law" are promises. Each is a test that every adapter has to pass.
///
/// - Law undeclared is refused: an operation, an action, the clearing of a field or a revision that is not declared
///   throws `unsupported` before any request is made.
/// - Law unknown resource: a resource that cannot exist throws `notFound` or `unsupported`, never an empty list.
/// - Law nothing below: a resource below a record of one that does not name it as a child throws `notFound` or
///   `unsupported` before any request is made.
/// - Law marked writes: a request that may change something is marked as writing, and that of a create as not to be
///   repeated.
/// - Law after a cancellation: calls after a cancelled one work as if it had not been made.
/// - Law cancelled beforehand: a write of a task that was cancelled before is never reported as made.
/// - Law lost update: updates of different fields of one record at the same time are all there, or refused with
///   `conflict`, unless updates are declared to replace records without revisions, or to lose one another.
public protocol Backend: Sendable {
  /// Describes the backend, its resources and what can be done with them.
  ///
  /// - Law quiet description: with `.known` no request is made.
  /// - Law stable description: two calls without a change on the server give equal answers.
  /// - Law live description: what the server tells adds to what is known: no resource goes, and none gets another rule
  ///   of identifiers.
  /// - Law consistent description: a description agrees with itself: names are unique and each child is described;
  ///   the cap and the default page size are at least 1 and in order; what a list leaves out `get` can read; a
  ///   field that holds an identifier that cannot be chosen is read-only; what can be created or updated has a
  ///   field that may be written.
  /// - Law fields as described: a live description describes the fields of a resource that has records, all of its
  ///   sample where it has one; where records may have no other fields than those described, none has another.
  /// - Law nothing learned from nonsense: a live description that asks the server fails where each answer is a page
  ///   of HTML, or JSON that says nothing of the service, and takes nothing from an answer with the status of an
  ///   error.
  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription

  /// Says who does what of a query.
  ///
  /// - Law quiet plan: no request is made.
  /// - Law sound plan: there is one fidelity for each filter, and `sort` and `skip` are never `superset`; a skip is
  ///   planned `exact` only where what comes before it is; what is not asked for is `exact`; equal queries get
  ///   equal plans; the page size is possible; the first request is named on one line.
  /// - Law exact means exact: what is planned `exact` is answered as the reference evaluator answers it.
  /// - Law superset loses nothing: a record that matches is never missing from the answer.
  /// - Law generated lists: conditions, orders, searches, projections, windows, and all of them at once are answered
  ///   as the reference evaluator answers them.
  /// - Law either case: conditions that ignore case are answered as the reference evaluator answers them, also for
  ///   letters whose other case is none, two, or of another alphabet.
  /// - Law two conditions: of several conditions on one field each counts, as the reference evaluator answers them.
  /// - Law separators in values: a comma, a semicolon or a bar in a value separates nothing: the condition is answered as
  ///   the reference evaluator answers it.
  /// - Law spelled numbers: numbers are compared as numbers and texts as texts, whatever a condition spells: as the
  ///   reference evaluator answers it.
  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan

  /// Sends one page of records to the sink, in the list's order, and tells where the next begins.
  ///
  /// `query` holds only what the plan said the server can do (`exact` or `superset`); the rest was taken out of it by
  /// the client. `cursor` is nil for the first page (after `query.skip` records).
  ///
  /// - Law end mark: the list is over when, and only when, `next` is nil.
  /// - Law page size: no page has more records than the effective page size.
  /// - Law stable order: while nothing is written, walking the pages gives each record once, in the same order each
  ///   time.
  /// - Law cut short: an answer that ends in the middle throws `badResponse`; what was sent to the sink before is not a
  ///   complete page.
  /// - Law wrong address: where the server does not know the address, a list is an error that hints at where to look,
  ///   never an empty list; an adapter that can tell says so of a record, too.
  /// - Law absent owner: a list below a record that is not there throws `notFound`; it is not an empty list.
  /// - Law foreign list: a list below a record has no record that belongs to another, whatever condition asks for one; the
  ///   lists below two records have none in common.
  /// - Law impossible window: a skip of fewer than no records throws `invalid` or `unsupported` before any request is
  ///   made; a page of none does too, or is planned as another.
  /// - Law enough: when the sink answers `enough`, no further record is sent to it.
  /// - Law given up: the cursor of a list that was given up in the middle is taken, and leads to no record that was sent.
  /// - Law unplanned parts: a query with a condition, an order, a search or a skip that its plan leaves to the client
  ///   throws `unsupported` before any request is made.
  /// - Law listed as got: a listed record has the fields that `get` gives, with the same values, but for those it names
  ///   as not loaded.
  /// - Law projection: where it is planned `exact`, a projection gives these fields, as `get` gives them, and no
  ///   others.
  /// - Law sink error: an error of the sink ends the list, and is the list's error.
  /// - Law reads only read: describing, listing and reading make only requests that are marked as reading.
  /// - Law wrong type: an answer announced as something else throws `badResponse` or is read all the same.
  /// - Law overfull page: where a server sends more records than a page was to have, they are refused with
  ///   `badResponse`, or the page's end tells how many it has and none is lost.
  /// - Law lean answers: a list whose answers lack a value or a header that each of them had is refused with
  ///   `badResponse`, or is the same list, with its total or none.
  /// - Law lean records: a list whose records lack a member that each of them had is refused with `badResponse`, or has
  ///   as many records; what names a record still stands in its identifier and in the field that holds it, or in
  ///   neither.
  /// - Law dripping answer: records that arrive byte by byte are those that arrive at once.
  /// - Law cancelled calls: a cancelled call ends at once with `cancelled`, also in the middle of the answer; a
  ///   write's effect is then unknown where its request was sent.
  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd

  /// Reads one record whole.
  ///
  /// - Law whole record: the record has no unloaded fields.
  /// - Law missing record: an identifier that names no record throws `notFound`.
  /// - Law got as asked for: the record has the identifier that was asked for, also in the field that holds it.
  /// - Law foreign record: below a record, one that belongs to another record throws `notFound`: it is neither read, changed
  ///   nor deleted.
  /// - Law got twice: while nothing is written, reading a record twice gives equal records.
  /// - Law unreadable answers: what is not the answer asked for throws `badResponse` and is neither an empty list nor
  ///   an empty record: a cut one, a page of HTML, other JSON, nothing, one nested without measure, one without
  ///   end, and one that redirects.
  /// - Law another record: an answer with another record than the one asked for throws `badResponse`.
  /// - Law deleted while read: a record that is deleted while it is read is there whole or not found.
  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record

  /// Reads one record of which only these fields are wanted, or all where they are nil, with what the service embeds by these names.
  /// It may be left to the backend to read it whole; names that it cannot ask for throw `unsupported`.
  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record

  /// Makes a record.
  ///
  /// - Law created: where writes are kept, `get` of the receipt's identifier gives a record with the fields sent, as
  ///   far as the receipt's notes say nothing else.
  /// - Law created once: `create` sends its request once, whatever comes back.
  /// - Law odd receipt: JSON instead of a record makes no receipt with an identifier, and is never reported as not made.
  /// - Law unread receipt: a create that is accepted, but whose answer holds no record that can be read, throws
  ///   `badResponse` with the effect `applied`; where an empty answer is declared, it is a receipt without an identifier and
  ///   with a note that says so.
  /// - Law calls at once: creations, updates, readings and lists at the same time each have their own records.
  /// - Law identifier at once: the receipt tells the identifier wherever its record shows it, and `get` takes it at once.
  /// - Law created is listed: a new record is in the list, once, with the fields that `get` gives.
  /// - Law one record: a create makes one record and no more.
  /// - Law belongs: a record made in a resource below a record belongs to that record as those beside it do, and to no
  ///   other, also where it does not say so.
  /// - Law foreign owner: a record made in a resource below a record is refused where it says that it belongs to another, or
  ///   belongs to that record all the same.
  /// - Law created apart: two creates give two records with two identifiers, and the first stays as it was.
  /// - Law undescribed field: a field that nobody described is kept, refused, or named in a note; never lost.
  /// - Law left out: a field that was not sent has no value in a new record, or the one that the receipt's record or a
  ///   note tells.
  /// - Law refused create: a create whose error says that nothing was changed creates no record.
  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt

  /// Changes fields of a record and leaves the others as they are, also those that the adapter does not know.
  ///
  /// `revision` is the revision the record must still have; nil where the backend has none.
  ///
  /// - Law untouched fields: fields that no change names keep their values, numbers to the last digit.
  /// - Law update missing: an identifier that names no record throws `notFound`, and nothing was changed, also where the
  ///   server seems to accept it.
  /// - Law changed: `get` after an update gives the values set, as far as the receipt's notes say nothing else.
  /// - Law unknown fields survive: fields of a record that the adapter does not know survive an update of others.
  /// - Law several fields: an update of several fields changes them all at once.
  /// - Law taken alike: a value that a new record takes in a field, an update takes too, but for null where no field can
  ///   be cleared.
  /// - Law last change: of two changes of one field the last counts.
  /// - Law no change: an update without a change, or to the values that are there, succeeds or is refused, and changes
  ///   nothing.
  /// - Law neighbors of update: an update of one record leaves the other records as they are.
  /// - Law update never creates: an update of a record that is not there makes none, whatever it answers.
  /// - Law identifier stays: an update cannot change the identifier: it is refused, or the record keeps it; clearing it is
  ///   refused.
  /// - Law refused update: an update whose error says that nothing was changed changes nothing.
  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt

  /// Deletes one record, or all.
  ///
  /// - Law deleted and unlisted: a deleted record can neither be read nor is it in the list, and what was not deleted is.
  /// - Law delete missing: an identifier that names no record throws `notFound`, unless the server cannot tell.
  /// - Law never more: a deletion of one record sends no request that could delete another.
  /// - Law deletions at once: of deletions of one record at the same time one succeeds, and the others do too or throw
  ///   `notFound`.
  /// - Law deleted twice: a second delete throws `notFound`; where the server cannot tell, a note says so.
  /// - Law neighbors of delete: a delete of one record leaves the other records as they are.
  /// - Law deleted all: a delete of all empties the resource; where it is not declared, it is refused before any
  ///   request.
  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt

  /// Deletes one record that must still have a revision; nil asks for none. A deletion of all has none.
  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt

  /// Begins to read the content of a field that is described as a file.
  func download(
    _ field: String, of id: RecordID, from resource: ResourcePath
  ) async throws(BackendError) -> FileDownload

  /// Waits for what the service does later, by the address at which it tells how far it is; returns the record that is there then, if it
  /// is shown. Without a `patience` it is waited as long as the service's description says.
  func follow(
    _ address: String, in resource: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record?

  /// Does something with a record, or with the collection where `id` is nil, that is described as an action.
  ///
  /// - Law named action: an action that whoever judges names is done with a record, and its receipt shows that record as
  ///   it is stored.
  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt
}

/// How far a description goes.
public enum DescriptionDepth: String, Sendable, Hashable, CaseIterable {
  /// What the adapter and its configuration know; no request is made.
  case known
  /// What the server tells too.
  case live
}
