import BackendClient
import BackendKit

/// Runs many generated queries, and minimizes the first one with a wrong answer.
struct QueryTrial: Sendable {
  let context: LawContext
  let parts: [[QueryGenerator.Part]]
  let way: QueryJudge.Way

  private struct Failure {
    var query: GeneratedQuery
    var population: SampleRecords
    var wrong: Disagreement
  }

  /// Throws the breach of the first wrong answer, or that the console did all of the work.
  func run() async throws(CheckStop) {
    var random = SeededGenerator(seed: context.subject.seed)
    let population = try await SampleRecords(context, &random)
    let generator = QueryGenerator(context, population)
    let judge = QueryJudge(context: context, way: way)
    let begin = context.traffic.count
    var (asked, served) = (0, 0)
    func isAsked(_ query: GeneratedQuery) async throws(CheckStop) -> Bool {
      let (wrong, wasAsked) = try await judge.judge(query, population)
      if wasAsked, try await isServed(query.query) { served += 1 }
      guard let wrong else { return wasAsked }
      throw breach(try await shrunk(Failure(query: query, population: population, wrong: wrong), judge))
    }
    if !way.isPlanned { for query in generator.sorts { _ = try await isAsked(query) } }
    // Queries over a long list take time.
    let cases = context.subject.isSandbox ? (population.records.count <= 40 ? (way.isPlanned ? 30 : 60) : 10) : 7
    // Parts that are left to the console are only planned, without a request.
    for number in 0..<cases * (way.isPlanned ? 1 : 20) where asked < cases {
      guard context.traffic.count - begin < (context.subject.isSandbox ? 1_500 : 90) else { break }
      var random = SeededGenerator(seed: context.subject.seed, case: number + 1)
      var query = generator.query(parts[number % parts.count], &random)
      mark(&query, population, &random)
      if try await isAsked(query) { asked += 1 }
    }
    if asked + served == 0 { throw .notApplicable("no part of a query is planned this way") }
    if served == 0 { throw .emulated }
  }

  private func isServed(_ query: ListQuery) async throws(CheckStop) -> Bool {
    let plan = try await context.attempt("a query was planned", await context.backend.plan(query))
    return plan.filters.contains { $0 != .not } || (!query.sort.isEmpty && plan.sort == .exact)
      || (query.search != nil && plan.search != .not) || (query.fields != nil && plan.fields != .not)
      || (query.skip > 0 && plan.skip == .exact)
  }

  /// Restricts a query to the suite's own records, unless the whole list may be queried.
  private func mark(_ query: inout GeneratedQuery, _ population: SampleRecords, _ random: inout SeededGenerator) {
    guard let mark = population.mark, way.isPlanned else { return }
    let isFree = context.subject.isSandbox && population.isWhole
    if !isFree || random.happens(in: 50) { query.query.filters.insert(mark, at: 0) }
  }

  // MARK: Minimizing

  private func shrunk(_ failure: Failure, _ judge: QueryJudge) async throws(CheckStop) -> Failure {
    var failure = failure
    var tries = context.subject.isSandbox ? 120 : 16
    var isSmaller = true
    while isSmaller, tries > 0 {
      isSmaller = false
      for simpler in failure.query.simpler where keepsMark(simpler, failure) && tries > 0 {
        tries -= 1
        guard let wrong = try await judge.judge(simpler, failure.population).wrong else { continue }
        failure.query = simpler
        failure.wrong = wrong
        isSmaller = true
        break
      }
    }
    // The last request is then the one that is reported.
    if let wrong = try await judge.judge(failure.query, failure.population).wrong { failure.wrong = wrong }
    return failure
  }

  /// A query that is restricted to the suite's records must stay so.
  private func keepsMark(_ simpler: GeneratedQuery, _ failure: Failure) -> Bool {
    guard let mark = failure.population.mark, failure.query.query.filters.contains(mark) else { return true }
    return failure.population.isWhole || simpler.query.filters.contains(mark)
  }

  private func breach(_ failure: Failure) -> CheckStop {
    var shown = failure.wrong.witnesses
    let own = failure.population.own
    if own.count <= 3 { shown += own.filter { !shown.contains($0) } }
    let records = shown.map { "\($0.id?.text ?? "") \(JSONWriter.compact(.object($0.fields)).prefix(120))" }
    let over = records.isEmpty ? "" : "; records: " + records.joined(separator: "; ")
    return .breach(
      "seed \(context.subject.seed): \(failure.query)\(over)", expected: failure.wrong.expected,
      found: failure.wrong.found)
  }
}
