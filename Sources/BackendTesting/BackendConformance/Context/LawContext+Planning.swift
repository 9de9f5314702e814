import BackendKit

extension LawContext {
  /// The plan of a query, which has to be made.
  func plan(_ query: ListQuery, of backend: (any Backend)? = nil) async throws(CheckStop) -> QueryPlan {
    try await attempt("\(words(query)) was planned", await (backend ?? self.backend).plan(query))
  }
}
