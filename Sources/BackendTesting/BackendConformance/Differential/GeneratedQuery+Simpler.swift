import BackendKit

extension GeneratedQuery {
  /// Queries with a part less, or a simpler one, the simplest first.
  var simpler: [GeneratedQuery] {
    var simpler: [GeneratedQuery] = []
    func with(_ change: (inout GeneratedQuery) -> Void) {
      var other = self
      change(&other)
      if other != self { simpler.append(other) }
    }
    with { $0.query.sort = [] }
    with { $0.query.search = nil }
    with { $0.query.fields = nil }
    with { $0.query.skip = 0 }
    with { $0.piece = nil }
    with { $0.query.pageSize = nil }
    with { $0.query.ignoreCase = false }
    for place in query.filters.indices { with { $0.query.filters.remove(at: place) } }
    for place in query.filters.indices {
      for filter in query.filters[place].simpler { with { $0.query.filters[place] = filter } }
    }
    for place in query.sort.indices where query.sort.count > 1 { with { $0.query.sort.remove(at: place) } }
    for place in (query.fields ?? []).indices where (query.fields?.count ?? 0) > 1 {
      with { $0.query.fields?.remove(at: place) }
    }
    if query.skip > 1 { with { $0.query.skip /= 2 } }
    return simpler
  }
}

extension Filter {
  fileprivate var simpler: [Filter] {
    switch self {
    case .and(let filters), .or(let filters): return filters + reduced(filters)
    case .not(let filter): return [filter] + filter.simpler.map { .not($0) }
    case .among(let path, let operands) where operands.count > 1:
      return operands.map { .compare(path, .equal, $0) }
    default: return []
    }
  }

  private func reduced(_ filters: [Filter]) -> [Filter] {
    filters.indices.flatMap { place in
      filters[place].simpler.map { simpler in
        var changed = filters
        changed[place] = simpler
        if case .and = self { return Filter.and(changed) }
        return Filter.or(changed)
      }
    }
  }
}
