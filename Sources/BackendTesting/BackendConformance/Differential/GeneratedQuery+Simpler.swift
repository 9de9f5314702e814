import BackendKit

extension GeneratedQuery {
  /// Queries with a part less, the shortest first.
  var simpler: [GeneratedQuery] {
    let parts: [(inout GeneratedQuery) -> Void] =
      [
        { $0.query.sort = [] }, { $0.query.search = nil }, { $0.query.fields = nil }, { $0.query.skip = 0 },
        { $0.piece = nil }, { $0.query.pageSize = nil }, { $0.query.ignoreCase = false },
      ]
      + query.filters.indices.map { place in { $0.query.filters.remove(at: place) } }
      + query.sort.indices.map { place in { $0.query.sort.remove(at: place) } }
    return parts.compactMap { change in
      var other = self
      change(&other)
      return other == self ? nil : other
    }
  }
}
