import BackendClient
import BackendKit

struct Disagreement: Sendable {
  var expected: String
  var found: String
  /// Records in which the answers differ.
  var witnesses: [Record]
}

struct QueryJudge: Sendable {
  enum Way: Sendable {
    /// By the uniform client, which plans, re-checks, sorts and cuts.
    case planned
    /// By the adapter alone, with only the parts of at least this fidelity.
    case alone(Fidelity)

    var isPlanned: Bool { if case .planned = self { true } else { false } }
  }

  let context: LawContext
  let way: Way

  /// Returns the error in an answer, if any; `wasAsked` is false if there was nothing to request.
  func judge(
    _ generated: GeneratedQuery, _ population: SampleRecords
  ) async throws(CheckStop) -> (wrong: Disagreement?, wasAsked: Bool) {
    do throws(BackendError) {
      switch way {
      case .planned: return (try await planned(generated, population), true)
      case .alone(let fidelity):
        // As the console asks: moments are compared as moments.
        let query = generated.query.widened(for: context.resource)
        guard let query = try await reduced(query, to: fidelity) else { return (nil, false) }
        return (try await alone(query, fidelity, population), true)
      }
    } catch {
      if context.meter.isSpent { throw .notApplicable("the request budget is used up") }
      if error.code == .cancelled { throw .notApplicable("the run was cancelled") }
      return (Disagreement(expected: "success", found: "the error \(error)", witnesses: []), true)
    }
  }

  // MARK: Client

  private func planned(
    _ generated: GeneratedQuery, _ population: SampleRecords
  ) async throws(BackendError) -> Disagreement? {
    let meant = generated.query.widened(for: context.resource)
    let expected = ReferenceEvaluator.evaluate(meant, over: population.records)
    var query = meant
    query.skip = 0
    let all = ReferenceEvaluator.evaluate(query, over: population.records)
    var request = ListRequest(generated.query, limit: generated.piece)
    var (answer, totals): ([Record], [Int]) = ([], [])
    repeat {
      let (records, summary) = try await context.client.records(request)
      answer += records
      if let total = summary.total { totals.append(total) }
      request.start = summary.next
    } while request.start != nil && answer.count <= expected.count
    if let wrong = difference(answer, expected, population, isProjected: generated.query.fields != nil) { return wrong }
    guard let total = totals.first(where: { $0 != all.count }) else { return nil }
    return Disagreement(expected: "a total of \(all.count)", found: "a total of \(total)", witnesses: [])
  }

  private func difference(
    _ answer: [Record], _ expected: [Record], _ population: SampleRecords, isProjected: Bool
  ) -> Disagreement? {
    if let wrong = misplaced(answer.map(\.id), expected.map(\.id), population) { return wrong }
    for (found, wanted) in zip(answer, expected) {
      let asListed = wanted.id.flatMap { population.listed($0) }
      let isSame =
        isProjected
        ? found.fields == wanted.fields
        : [wanted, asListed ?? wanted].contains { $0.fields.sorted == found.fields.sorted }
      if !isSame {
        return Disagreement(
          expected: JSONWriter.compact(.object(wanted.fields)), found: JSONWriter.compact(.object(found.fields)),
          witnesses: population.records.filter { $0.id == wanted.id })
      }
    }
    return nil
  }

  // MARK: Adapter

  /// The query with only the parts planned with at least this fidelity; nil if none is left.
  private func reduced(_ query: ListQuery, to fidelity: Fidelity) async throws(BackendError) -> ListQuery? {
    func isKept(_ planned: Fidelity) -> Bool { planned == .exact || (planned == .superset && fidelity == .superset) }
    let plan = try await context.backend.plan(query)
    guard plan.filters.count == query.filters.count else { return nil }
    var reduced = ListQuery(query.resource)
    reduced.ignoreCase = query.ignoreCase
    reduced.filters = zip(query.filters, plan.filters).filter { isKept($0.1) }.map(\.0)
    if isKept(plan.search) { reduced.search = query.search }
    if fidelity == .exact, plan.sort == .exact { reduced.sort = query.sort }
    let isSomething = !reduced.filters.isEmpty || reduced.search != nil || !reduced.sort.isEmpty
    let again = try await context.backend.plan(reduced)
    let isStill =
      again.filters.allSatisfy(isKept) && isKept(again.search) && again.sort == .exact
      && (fidelity == .exact || again.filters.contains(.superset) || again.search == .superset)
    return isSomething && isStill ? reduced : nil
  }

  private func alone(
    _ query: ListQuery, _ fidelity: Fidelity, _ population: SampleRecords
  ) async throws(BackendError) -> Disagreement? {
    let judged = Set(population.records.filter(\.isWhole).compactMap(\.id))
    let expected = ReferenceEvaluator.evaluate(query, over: population.records.filter(\.isWhole)).map(\.id)
    let found = try await walked(query, atMost: population.records.count).filter { $0.map(judged.contains) ?? true }
    guard fidelity == .exact else {
      let missing = expected.filter { !found.contains($0) }
      guard !missing.isEmpty else { return nil }
      return misplaced(found.filter(expected.contains), expected, population)
    }
    return misplaced(found, expected, population)
  }

  private func walked(_ query: ListQuery, atMost count: Int) async throws(BackendError) -> [RecordID?] {
    var found: [RecordID?] = []
    try await context.backend.eachPage(of: query) { page in
      found += page.records.map(\.id)
      return found.count > count
    }
    return found
  }

  // MARK: Words

  private func misplaced(_ found: [RecordID?], _ expected: [RecordID?], _ population: SampleRecords) -> Disagreement? {
    guard found != expected else { return nil }
    let first = zip(found, expected).first { $0 != $1 }
    var witnesses = Set(expected).symmetricDifference(found)
    if witnesses.isEmpty, let first { witnesses = [first.0, first.1] }
    return Disagreement(
      expected: context.words(expected, unlike: found), found: context.words(found, unlike: expected),
      witnesses: Array(population.records.filter { witnesses.contains($0.id) }.prefix(3)))
  }
}

extension Object {
  /// The members by name, since their order does not matter.
  fileprivate var sorted: Object { Object(members.sorted { $0.0 < $1.0 }) }
}
