import BackendClient
import BackendKit

/// Generated queries and writes, compared with the reference evaluator and a model.
extension Law {
  static let differential: [Law] =
    [
      Law(
        "generated lists", .differential,
        "conditions, orders, searches, projections, windows, and all of them combined give the same results as the"
          + " reference evaluator.",
        parts: [
          generated("conditions", [[.filters]]),
          generated("orders", [[.sort], [.sort, .filters]]),
          generated("searches", [[.search], [.search, .filters]]),
          generated("projections", [[.fields], [.fields, .filters], [.fields, .sort]]),
          generated("windows", [[.window], [.window, .filters], [.window, .sort], [.window, .search]]),
          generated("queries", [QueryGenerator.Part.allCases]),
        ]),
      exactMeansExact, supersetLosesNothing, writesLikeAModel,
    ] + conditions

  private static func generated(_ what: String, _ parts: [[QueryGenerator.Part]]) -> Part {
    Part("generated \(what)") { context throws(CheckStop) in
      try await QueryTrial(context: context, parts: parts, way: .planned).run()
    }
  }

  private static let exactMeansExact = Law(
    "exact means exact", .differential, "what is planned `exact` gives the same results as the reference evaluator.",
    parts: [
      Part("exact conditions") { context throws(CheckStop) in try await context.requireNoConfusion(.exact) },
      Part("exact queries") { context throws(CheckStop) in
        let parts: [[QueryGenerator.Part]] = [[.filters], [.filters], [.sort], [.search], [.filters, .sort]]
        try await QueryTrial(context: context, parts: parts, way: .alone(.exact)).run()
      },
    ])

  private static let supersetLosesNothing = Law(
    "superset loses nothing", .differential, "a matching record is never missing from the results."
  ) { context throws(CheckStop) in
    _ = try await context.ifApplicable(await context.requireNoConfusion(.superset))
    let parts: [[QueryGenerator.Part]] = [[.filters], [.filters], [.search]]
    try await QueryTrial(context: context, parts: parts, way: .alone(.superset)).run()
    let idle = try await context.idleConditions()
    guard !idle.isEmpty else { return }
    let names = idle.joined(separator: ", ")
    throw .remarked("the service may ignore these conditions, which left out no record: \(names)")
  }

  private static let writesLikeAModel = Law(
    "writes match a model", .differential, needs: [.get, .create, .update],
    "any sequence of creates, updates and deletes leaves the same records as in a model."
  ) { context throws(CheckStop) in
    let sequence = WriteSequence(context: context, draft: try await DraftRecords(context))
    for number in 1...(context.subject.isSandbox ? 6 : 1) {
      var random = SeededGenerator(seed: context.subject.seed, case: number)
      var writes = sequence.generate(20, &random)
      guard var wrong = try await sequence.run(writes) else { continue }
      for place in writes.indices.reversed().prefix(context.subject.isSandbox ? 60 : 8) {
        var fewer = writes
        fewer.remove(at: place)
        if let still = try await sequence.run(fewer) { (writes, wrong) = (fewer, still) }
      }
      let words = writes.map(\.description).joined(separator: ", ")
      throw .breach(
        "seed \(context.subject.seed), case \(number): \(words)", expected: wrong.expected, found: wrong.found)
    }
  }
}

extension LawContext {
  /// Requires that conditions planned with this fidelity do not take a value for one that is like it.
  fileprivate func requireNoConfusion(_ fidelity: Fidelity) async throws(CheckStop) {
    let trial = try await ConditionTrial(self, .alone(fidelity)) { field in
      switch field.kind {
      case .text, .any: ["Ab Cé", "Ab Cé,x"].map { .string(field.fitting($0)) }
      case .number: Number("10.25").map { [.number($0)] } ?? []
      default: []
      }
    }
    do { try await trial.run(\.lookalikes) } catch {
      guard case .kept(.emulated) = error, fidelity == .superset else { throw error }
    }
  }
}
