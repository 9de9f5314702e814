import BackendKit

extension LawContext {
  /// The fields that queries are made of: those described, or those of the suite's own records.
  func queryFields() -> [FieldDescription] {
    let described = resource.fields.filter { $0.kind != .object && $0.kind != .list }
    return described.isEmpty ? [FieldDescription("title", .text), FieldDescription("id", .any)] : described
  }

  /// Queries of every kind over the first fields: for each part of a query alone some, and some with all parts.
  func sampleQueries() -> [ListQuery] {
    var queries: [ListQuery] = [query(), query(pageSize: 1), query(pageSize: 7)]
    for filter in sampleFilters() { queries.append(ListQuery(path, filters: [filter])) }
    let paths = queryFields().prefix(3).map { FieldPath($0.name) }
    for path in paths {
      queries.append(ListQuery(self.path, sort: [SortKey(path)]))
      queries.append(ListQuery(self.path, sort: [SortKey(path, isDescending: true)]))
      queries.append(ListQuery(self.path, fields: [path]))
    }
    queries.append(ListQuery(path, sort: paths.map { SortKey($0) }))
    queries.append(ListQuery(path, search: "conformance"))
    queries.append(ListQuery(path, sort: paths.map { SortKey($0) }, pageSize: 1, skip: 2))
    for filter in sampleFilters().prefix(1) { queries.append(ListQuery(path, filters: [filter], pageSize: 1, skip: 2)) }
    for skip in [1, 4, 7] { queries.append(ListQuery(path, pageSize: 4, skip: skip)) }
    queries.append(
      ListQuery(
        path, filters: Array(sampleFilters().prefix(2)), sort: paths.map { SortKey($0) }, search: "conformance",
        fields: paths, pageSize: 3, skip: 3))
    return queries
  }

  /// Conditions of every form, over the first fields.
  func sampleFilters() -> [Filter] {
    var filters: [Filter] = []
    for field in queryFields().prefix(4) {
      let path = FieldPath(field.name)
      let operand = LawContext.operand(for: field)
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
