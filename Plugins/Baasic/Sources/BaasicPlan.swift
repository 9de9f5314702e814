import BackendKit

/// Who does what of a query, and the clauses that ask the server for its part.
///
/// Nothing is planned exact: how the server orders texts, and what it makes of a value of an unexpected kind, is not
/// documented. A phrase search leaves out properties that are not searchable, so searching is the console's work.
struct BaasicPlan {
  /// One for each filter.
  private(set) var filters: [Fidelity] = []
  /// For the sort keys.
  private(set) var sort = Fidelity.exact
  /// For the search text.
  private(set) var search = Fidelity.exact
  /// For the projection.
  private(set) var fields = Fidelity.exact
  /// The `searchQuery` to send, or nil.
  private(set) var searchQuery: String?
  /// The `sort` to send, or nil.
  private(set) var order: String?
  /// The names for `fields`, or nil.
  private(set) var projection: [String]?
  /// Why something is left to the console.
  private(set) var notes: [String] = []

  init(_ query: ListQuery, at place: Place, schema: BaasicSchema?) {
    planFilters(query, BaasicQuery(schema: place == .schemas ? nil : schema, ignoresCase: query.ignoreCase))
    planSort(query)
    if query.search != nil {
      search = .not
      notes.append("searched here: Baasic's phrase search leaves out some properties")
    }
    planFields(query, schema)
  }

  /// Whether skipping can be left to the server: only where the server's list is the answer's.
  func skip(of query: ListQuery) -> Fidelity {
    query.skip == 0 || (sort == .exact && search == .exact && filters.isEmpty) ? .exact : .not
  }

  private mutating func planFilters(_ query: ListQuery, _ language: BaasicQuery) {
    if let native = query.native {
      // There is one searchQuery, and it is taken.
      searchQuery = native
      filters = query.filters.map { _ in .not }
      return
    }
    var clauses: [String] = []
    for filter in query.filters {
      guard let clause = language.clause(filter) else {
        filters.append(.not)
        notes.append("\(filter) is checked here: Baasic might leave out records that meet it")
        continue
      }
      filters.append(.superset)
      clauses.append(clause)
    }
    if !clauses.isEmpty { searchQuery = "WHERE " + clauses.joined(separator: " AND ") }
  }

  private mutating func planSort(_ query: ListQuery) {
    guard let key = query.sort.first else { return }
    // What the server makes of several keys is not documented.
    guard query.serverOrder, query.sort.count == 1, BaasicQuery.isName(key.path.text) else {
      sort = .not
      notes.append("sorted here: how Baasic orders records is not documented")
      return
    }
    order = key.path.text + (key.isDescending ? "|desc" : "|asc")
  }

  private mutating func planFields(_ query: ListQuery, _ schema: BaasicSchema?) {
    guard let paths = query.fields else { return }
    let names = paths.map(\.text)
    guard let schema, names.allSatisfy({ name in schema.fields.contains { $0.name == name } }) else {
      fields = .not
      notes.append("fields are chosen here: which ones Baasic has is not known")
      return
    }
    // Without its identifier a record could not be told from another.
    projection = ["id"] + names.filter { $0 != "id" }
  }
}
