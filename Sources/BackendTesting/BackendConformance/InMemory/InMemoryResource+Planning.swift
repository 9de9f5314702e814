import BackendClient
import BackendKit

extension InMemoryResource {
  /// Divides a query between backend and client. Throws `unsupported` for a native query and for parameters.
  func plan(_ query: ListQuery) throws(BackendError) -> QueryPlan {
    guard query.native == nil else {
      throw .unsupported("records in memory have no query language of their own", hint: "use --where")
    }
    guard query.parameters.isEmpty else { throw .unsupported("records in memory take no parameters") }
    guard query.skip >= 0 else { throw .invalid("a negative number of records cannot be skipped") }
    let capabilities = description.capabilities
    var plan = QueryPlan(
      filters: query.filters.map(fidelity), sort: query.sort.isEmpty ? .exact : .not,
      search: query.search == nil || capabilities.hasSearch ? .exact : .not,
      fields: query.fields == nil ? .exact : .not, pageSize: InMemoryPage.size(query, capabilities),
      countsRecords: capabilities.hasTotal, request: "")
    // Skipping records of a list that is not final would skip the wrong ones.
    if query.skip > 0, !plan.isExact || !canSkip(query) { plan.skip = .not }
    if !plan.isExact || plan.fields == .not {
      plan.notes.append("records in memory are only paged by the backend; the rest is done locally")
    }
    return plan
  }

  /// Throws `unsupported` if a query contains what its plan leaves to the client.
  func checkPlanned(_ query: ListQuery) throws(BackendError) {
    let plan = try plan(query)
    let left = plan.filters + [plan.sort, plan.search, plan.fields, plan.skip]
    guard !left.contains(.not) else {
      throw .unsupported("\(description.name) was requested with parts that its plan leaves to the console")
    }
  }

  /// Returns whether the backend's own conditions accept a record.
  func admits(_ record: Object, _ query: ListQuery) -> Bool {
    if let search = query.search, !QueryRules.contains(search, record) { return false }
    return query.filters.allSatisfy { filter in
      QueryRules.matches(filter, record, ignoringCase: query.ignoreCase)
        || (filtering == .loose && looselyMatches(filter, record))
    }
  }

  private func looselyMatches(_ filter: Filter, _ record: Object) -> Bool {
    guard case .compare(let path, .equal, let operand) = filter else { return true }
    return switch path.value(in: record) {
    case .string(let text)?: text == operand.number?.text
    case .number(let number)?: number.text == operand.text
    case nil: true
    default: false
    }
  }

  private func fidelity(_ filter: Filter) -> Fidelity {
    guard case .compare(_, .equal, _) = filter else { return .not }
    return switch filtering {
    case .none: .not
    case .exact: .exact
    case .loose: .superset
    }
  }

  private func canSkip(_ query: ListQuery) -> Bool {
    guard description.capabilities.paging == .pageNumber else { return true }
    return InMemoryPage.size(query, description.capabilities).map { query.skip % $0 == 0 } ?? true
  }
}
