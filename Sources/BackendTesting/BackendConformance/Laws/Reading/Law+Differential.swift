import BackendClient
import BackendKit

/// Generated queries and writes, held against the reference evaluator and a model.
extension Law {
  static let differential: [Law] =
    [
      generated("generated conditions", "conditions of every form and nesting", [[.filters]]),
      generated("generated orders", "orders by one key and by several", [[.sort], [.sort, .filters]]),
      generated("generated searches", "searches for any part of text", [[.search], [.search, .filters]]),
      generated(
        "generated projections", "projections to any fields", [[.fields], [.fields, .filters], [.fields, .sort]]),
      generated(
        "generated windows", "skips and page sizes, read at once and in pieces,",
        [[.window], [.window, .filters], [.window, .sort], [.window, .search]]),
      generated("generated queries", "queries with all parts combined", [QueryGenerator.Part.allCases]),
      exactMeansExact, supersetLosesNothing, writesLikeAModel,
    ] + conditions

  private static func generated(_ name: String, _ what: String, _ parts: [[QueryGenerator.Part]]) -> Law {
    Law(name, .differential, "\(what) give the same results as the reference evaluator.") {
      context throws(CheckStop) in
      try await QueryTrial(context: context, parts: parts, way: .planned).run()
    }
  }

  private static let exactMeansExact = Law(
    "exact means exact", .differential, "what is planned `exact` gives the same results as the reference evaluator."
  ) { context throws(CheckStop) in
    let parts: [[QueryGenerator.Part]] = [[.filters], [.filters], [.sort], [.search], [.filters, .sort]]
    return try await QueryTrial(context: context, parts: parts, way: .alone(.exact)).run()
  }

  private static let supersetLosesNothing = Law(
    "superset loses nothing", .differential, "a matching record is never missing from the results."
  ) { context throws(CheckStop) in
    let parts: [[QueryGenerator.Part]] = [[.filters], [.filters], [.search]]
    let verdict = try await QueryTrial(context: context, parts: parts, way: .alone(.superset)).run()
    let idle = verdict == .passed ? try await context.idleConditions() : []
    guard !idle.isEmpty else { return verdict }
    let names = idle.joined(separator: ", ")
    return .remarked("the service may ignore these conditions, which left out no record: \(names)")
  }

  private static let writesLikeAModel = Law(
    "writes match a model", .differential,
    "any sequence of creates, updates and deletes leaves the same records as in a model."
  ) { context throws(CheckStop) in
    try context.needs(.get, .create, .update)
    let sequence = WriteSequence(context: context, draft: try await DraftRecords(context))
    for number in 1...(context.subject.isSandbox ? 6 : 1) {
      var random = SeededGenerator(seed: context.subject.seed, case: number)
      var writes = sequence.generate(20, &random)
      guard var wrong = try await sequence.run(writes) else { continue }
      var tries = context.subject.isSandbox ? 60 : 8
      var place = writes.count - 1
      while place >= 0, tries > 0 {
        tries -= 1
        var fewer = writes
        fewer.remove(at: place)
        if let still = try await sequence.run(fewer) {
          writes = fewer
          wrong = still
        }
        place = min(place, writes.count) - 1
      }
      let words = writes.map(\.description).joined(separator: ", ")
      throw .breach(
        "seed \(context.subject.seed), case \(number): \(words)", expected: wrong.expected, found: wrong.found)
    }
    return .passed
  }
}
