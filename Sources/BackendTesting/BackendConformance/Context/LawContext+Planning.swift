import BackendKit

extension LawContext {
  /// The plan of a query, which has to be made.
  func plan(_ query: ListQuery, of backend: (any Backend)? = nil) async throws(CheckStop) -> QueryPlan {
    let backend = backend ?? self.backend
    return try await attempt("\(words(query)) was planned") { () throws(BackendError) in
      try await backend.plan(query)
    }
  }
}
