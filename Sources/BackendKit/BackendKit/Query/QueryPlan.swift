/// The accuracy with which a server can perform one part of a query.
public enum Fidelity: String, Sendable, Hashable, CaseIterable {
  /// The server does exactly this, by the rules of `docs/guide/query.md`.
  case exact
  /// The server omits only records that do not match; the console checks the others again.
  case superset
  /// The server is not asked; the console does it.
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
  /// True if the total may be that of the whole list, since it was not seen to respect conditions.
  public var mayCountAll = false
  /// True if the service may omit matching records, since it was not seen to check the conditions.
  public var mayOmit = false
  /// The first request for people, for example `GET announcements?max=10&offset=0`.
  public var request: String
  /// Remarks for `explain`: the reasons why something is left to the console.
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

  /// True if the server performs filters, search, sort and skip exactly, so that its pages and totals are the query's.
  public var isExact: Bool {
    filters.allSatisfy { $0 == .exact } && search == .exact && sort == .exact && skip == .exact
  }

  /// Throws `unsupported` if a condition, the order, the search or the skip is left to the client: an adapter that gets
  /// it anyway must not ignore it.
  public func checkNothingIsLeft() throws(BackendError) {
    guard !(filters + [sort, search, skip]).contains(.not) else {
      throw .unsupported("the server cannot do everything for this list; part of the plan is left to the console")
    }
  }
}
