public import BackendKit

/// A condition of a list, and the side that decides it.
public struct ListCondition: Sendable, Hashable {
  /// The fields that it compares, or the option of a search.
  public var name: String
  /// True if it is a search.
  public var isSearch = false
  /// The service's part in it.
  public var fidelity: Fidelity

  /// The conditions of a query, as its plan divides them.
  public static func all(of query: ListQuery, _ plan: QueryPlan) -> [ListCondition] {
    zip(query.filters, plan.filters).map { filter, fidelity in
      ListCondition(name: filter.paths.unique.map(\.text).joined(separator: ", "), fidelity: fidelity)
    } + (query.search == nil ? [] : [ListCondition(name: "--search", isSearch: true, fidelity: plan.search)])
  }
}
