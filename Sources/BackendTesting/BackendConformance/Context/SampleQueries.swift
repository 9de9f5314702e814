import BackendKit

/// Queries and conditions of every form over the first fields of a resource.
struct SampleQueries: Sendable {
  let resource: ResourceDescription
  let path: ResourcePath

  init(_ context: LawContext) {
    resource = context.resource
    path = context.path
  }

  /// The fields used in queries: the described ones, or those of the suite's own records.
  var fields: [FieldDescription] {
    let described = resource.fields.filter { $0.kind != .object && $0.kind != .list }
    return described.isEmpty ? [FieldDescription("title", .text), FieldDescription("id", .any)] : described
  }

  /// Queries with each part alone, and some with all parts.
  var all: [ListQuery] {
    var queries: [ListQuery] = [ListQuery(path), ListQuery(path, pageSize: 1), ListQuery(path, pageSize: 7)]
    for filter in filters { queries.append(ListQuery(path, filters: [filter])) }
    let paths = fields.prefix(3).map { FieldPath($0.name) }
    for path in paths {
      queries.append(ListQuery(self.path, sort: [SortKey(path)]))
      queries.append(ListQuery(self.path, sort: [SortKey(path, isDescending: true)]))
      queries.append(ListQuery(self.path, fields: [path]))
    }
    queries.append(ListQuery(path, sort: paths.map { SortKey($0) }))
    queries.append(ListQuery(path, search: "conformance"))
    queries.append(ListQuery(path, sort: paths.map { SortKey($0) }, pageSize: 1, skip: 2))
    for filter in filters.prefix(1) { queries.append(ListQuery(path, filters: [filter], pageSize: 1, skip: 2)) }
    for skip in [1, 4, 7] { queries.append(ListQuery(path, pageSize: 4, skip: skip)) }
    queries.append(
      ListQuery(
        path, filters: Array(filters.prefix(2)), sort: paths.map { SortKey($0) }, search: "conformance",
        fields: paths, pageSize: 3, skip: 3))
    return queries
  }

  var filters: [Filter] {
    var filters: [Filter] = []
    for field in fields.prefix(4) {
      let path = FieldPath(field.name)
      let operand = Self.operand(for: field)
      filters += Comparison.allCases.map { .compare(path, $0, operand) }
      filters += [.among(path, [operand, .word("2")]), .isNull(path), .isMissing(path)]
      filters.append(.not(.compare(path, .equal, operand)))
      filters.append(.or([.compare(path, .equal, operand), .isNull(path)]))
      filters.append(.and([.compare(path, .notEqual, operand), .not(.isNull(path))]))
    }
    return filters
  }

  private static func operand(for field: FieldDescription) -> Operand {
    switch field.kind {
    case .integer, .number: .word("1")
    case .boolean: .word("true")
    case .date: .word("2026-01-02T03:04:05Z")
    case .day: .word("2026-01-02")
    default: .word("conformance")
    }
  }
}
