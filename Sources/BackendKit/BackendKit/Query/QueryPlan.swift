/// The accuracy with which a server can do one part of a query.
public enum Fidelity: String, Sendable, Hashable, CaseIterable {
  /// The server answers just that, by the rules of `docs/guide/query.md`.
  case exact
  /// The server leaves out only records that do not match; what it answers is checked again here.
  case superset
  /// The server is not asked; all of it is done here.
  case not
}

/// The division of a query's work between server and console, decided by the adapter before anything is sent.
///
/// - Law first request as planned: the first request of a list is the one that its plan names.
/// - Law native query: a query in the server's own language is part of the request that the plan names, or throws
///   `unsupported` or `invalid` before any request is made.
/// - Law paging in native query: a query in the server's own language that contains a paging parameter is refused, or
///   loses no record.
/// - Law server sort order: where sorting by the server's own rules is planned `exact`, the descending list has the
///   values of the ascending one in reverse.
/// - Law sort changes the request: where an order is planned `exact`, changing a direction or adding a key changes the
///   request.
/// - Law local work is explained: a note gives a reason for everything that a plan leaves to the console.
public struct QueryPlan: Sendable, Hashable {
  /// One for each of the query's filters, in their order.
  public var filters: [Fidelity]
  /// For the sort keys as a whole: `.exact` or `.not`. A query without keys is `.exact`.
  public var sort: Fidelity
  /// For the search text. A query without one is `.exact`.
  public var search: Fidelity
  /// For the projection: `.exact` leaves out the other fields on the server. A query without one is `.exact`.
  public var fields: Fidelity
  /// For the records to skip: `.exact` or `.not`. Nothing to skip is `.exact`.
  public var skip: Fidelity
  /// The largest number of records in a page; nil if the server decides or sends everything.
  public var pageSize: Int?
  /// True if the pages will report the total number of records.
  public var countsRecords: Bool
  /// True if the total may be that of the whole list, as nobody has seen that it counts only what meets the conditions.
  public var mayCountAll = false
  /// True if the service may leave out records that meet the conditions it checks, as nobody has seen it check them.
  public var mayOmit = false
  /// The request of the first page as people read it, for example `GET announcements?max=10&offset=0`.
  public var request: String
  /// Remarks for `explain`: why something is left to the console.
  public var notes: [String]

  /// A plan.
  public init(
    filters: [Fidelity] = [], sort: Fidelity = .exact, search: Fidelity = .exact, fields: Fidelity = .exact,
    skip: Fidelity = .exact, pageSize: Int? = nil, countsRecords: Bool = false, request: String, notes: [String] = []
  ) {
    self.filters = filters
    self.sort = sort
    self.search = search
    self.fields = fields
    self.skip = skip
    self.pageSize = pageSize
    self.countsRecords = countsRecords
    self.request = request
    self.notes = notes
  }

  /// True if the server answers filters, search, sort and skip exactly, so that its pages and totals are the query's.
  public var isExact: Bool {
    filters.allSatisfy { $0 == .exact } && search == .exact && sort == .exact && skip == .exact
  }

  /// Throws `unsupported` if a condition, the order, the search or the skip is left to the client: an adapter that is
  /// asked for it anyway must not respond as if it had not been.
  public func checkNothingIsLeft() throws(BackendError) {
    guard !(filters + [sort, search, skip]).contains(.not) else {
      throw .unsupported("the server cannot do everything for this list; part of the plan is left to the console")
    }
  }
}
