import BackendClient
import BackendKit

extension Law {
  static let differential: [Law] = [exactMeansExact, supersetLosesNothing]

  private static let exactMeansExact = Law(
    "exact means exact", .differential, "what is planned `exact` is answered as the reference evaluator answers it."
  ) { bench throws(Halt) in
    var judged = 0
    let records = try await bench.list(atLeast: 3)
    for query in try await bench.planned({ $0.isExact && $0.fields == .exact }) {
      judged += 1
      let wanted = ReferenceEvaluator.evaluate(query, over: records)
      let found = try await bench.walk(query, upTo: 10)
      try bench.require(
        found.ids == wanted.prefix(found.isWhole ? .max : found.records.count).map(\.id),
        "\(bench.words(query)) was asked for, which is planned exact", expected: bench.words(wanted.map(\.id)),
        found: bench.words(found.ids))
    }
    return judged > 0 ? .run : .notApplicable("nothing but the list itself is planned exact")
  }

  private static let supersetLosesNothing = Law(
    "superset loses nothing", .differential, "a record that matches is never missing from the answer."
  ) { bench throws(Halt) in
    var judged = 0
    let records = try await bench.list(atLeast: 3)
    for query in try await bench.planned({
      let parts = $0.filters + [$0.search]
      return parts.contains(.superset) && !(parts + [$0.sort, $0.skip, $0.fields]).contains(.not)
    }) {
      judged += 1
      let wanted = ReferenceEvaluator.evaluate(query, over: records).compactMap(\.id)
      let found = Set(try await bench.walk(query).records.compactMap(\.id))
      let missing = wanted.filter { !found.contains($0) }
      try bench.require(
        missing.isEmpty, "\(bench.words(query)) was asked for, which is planned as a superset",
        expected: "every record that matches", found: "no \(bench.words(missing))")
    }
    return judged > 0 ? .run : .notApplicable("nothing is planned as a superset")
  }
}

extension Bench {
  /// The sample queries that have a condition, an order, a search or a skip, look only at listed fields, and have such a
  /// plan.
  func planned(_ suits: (ListPlan) -> Bool) async throws(Halt) -> [ListQuery] {
    let unlisted = Set(capabilities.unlistedFields)
    var queries: [ListQuery] = []
    for query in sampleQueries() {
      let paths = query.filters.flatMap(\.paths) + query.sort.map(\.path)
      guard query.fields == nil, !paths.contains(where: { unlisted.contains($0.field) }) else { continue }
      // A search looks at all fields, also at those that a list does not show.
      guard query.search == nil || unlisted.isEmpty else { continue }
      guard !paths.isEmpty || query.search != nil || query.skip > 0 else { continue }
      if suits(try await plan(query)) { queries.append(query) }
    }
    return queries
  }
}
