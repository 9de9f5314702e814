import BackendClient
import BackendKit
import ServiceDescription

/// A backend made of known and proposed facts. The commands' own engine reads its pages, so that what a probe proves is
/// what will be used.
struct ProposedBackend {
  struct Page {
    let answer: ProbeResponse
    /// Its records; nil if the engine did not pass on all of them.
    let rows: [Object]?
    let end: PageEnd?
  }

  private let survey: ResourceSurvey
  private let claims: Claims
  /// Nil if the proposal is not a valid description.
  private let service: Service?

  /// The sections that reads depend on. The types of fields are not known yet.
  private static let sections: Set<String> = [
    "base", "paths", "listRequest", "records", "values", "identifier", "notFound", "page", "size", "end", "total",
    "filter", "sort",
    "projection", "search", "fields", "additionalFields",
  ]

  init(_ survey: ResourceSurvey, _ proposed: [Fact]) {
    self.survey = survey
    claims = survey.claims.proposing(proposed)
    let facts = ResourceFacts(survey, base: survey.base, claims)
    var sections = Object(facts.sections.members.filter { Self.sections.contains($0.0) })
    if survey.nested != nil { sections["paths"] = .object(facts.paths(below: nil)) }
    let resources = Object([(survey.name, .object(sections))])
    let description = Object([("switchboard", 1), ("resources", .object(resources))])
    var service = try? Description(Node(.object(description), at: Place(file: ""))).service()
    // The probes look past the last page themselves.
    for place in service?.resources.indices ?? 0..<0 { service?.resources[place].paging.counting.isExact = true }
    self.service = service
  }

  /// Returns a page of a query, the first without a cursor; nil without a request or a response.
  func page(_ query: ListQuery, at cursor: Cursor? = nil) async throws(BackendError) -> Page? {
    let exchange = SurveyExchange(survey, claims)
    let (end, records) = try await list(query, at: cursor, over: exchange)
    guard let answer = exchange.first else { return nil }
    let rows = survey.rows(of: answer)
    let isWhole = end != nil && records.count == rows?.count && records.allSatisfy { $0.defect == nil }
    return Page(answer: answer, rows: isWhole ? rows : nil, end: end)
  }

  /// Returns the page after this number of records: directly if its place can be computed, otherwise page by page.
  func page(behind count: Int, size: Int) async throws(BackendError) -> Page? {
    var query = ListQuery(survey.path, pageSize: size, skip: count)
    if try await target(query) != nil { return try await page(query) }
    query.skip = 0
    var (page, passed) = (try await page(query), 0)
    while passed < count {
      guard let rows = page?.rows, !rows.isEmpty, let next = page?.end?.next else { return nil }
      passed += rows.count
      page = try await self.page(query, at: next)
    }
    return page
  }

  /// Returns the target that the engine would request; nil if none.
  func target(_ query: ListQuery) async throws(BackendError) -> ProbeTarget? {
    let exchange = SurveyExchange(survey, claims, sends: false)
    _ = try await list(query, over: exchange)
    return exchange.asked
  }

  /// Has the engine read a page; `end` is nil if it failed. Throws only if cancelled.
  private func list(
    _ query: ListQuery, at cursor: Cursor? = nil, over exchange: SurveyExchange
  ) async throws(BackendError) -> (end: PageEnd?, records: [Record]) {
    guard let service else { return (nil, []) }
    let held = BufferedPage()
    do throws(BackendError) {
      let end = try await RESTBackend(service, over: exchange).list(query, at: cursor, to: held.sink)
      return (end, await held.records)
    } catch {
      guard error.code != .cancelled else { throw error }
      return (nil, [])
    }
  }
}

extension ResourceSurvey {
  /// A backend of the known facts and these.
  func proposing(_ facts: [Fact]) -> ProposedBackend { ProposedBackend(self, facts) }

  /// Requests a list in all of these ways at once. A single way is requested by the engine, which uses only one.
  func read(
    _ ways: [[Fact]], _ query: ListQuery
  ) async throws(BackendError) -> (answer: ProbeResponse, rows: [Object]?)? {
    if let way = ways.first, ways.count == 1 {
      return try await proposing(way).page(query).map { ($0.answer, $0.rows) }
    }
    var targets: [ProbeTarget] = []
    for way in ways { if let target = try await proposing(way).target(query) { targets.append(target) } }
    guard !targets.isEmpty, let answer = try await prober.get(target.with(targets)) else { return nil }
    return (answer, rows(of: answer))
  }

  var path: ResourcePath { ResourcePath(name: name) }

  func prove(_ facts: [Fact], _ evidence: String) { for fact in facts { claims.add(fact, .proved, evidence) } }
}

extension Claims {
  /// Returns the claims without fields, and with these facts instead of the known ones; null removes a fact.
  fileprivate func proposing(_ facts: [Fact]) -> Claims {
    var claims = self
    for (name, _) in fields { claims.withdraw(.field(name)) }
    // A total from a HEAD request costs an extra request for each page, and says nothing about it.
    if self[.total]?["head"] == true { claims.withdraw(.total) }
    for fact in facts {
      if fact.value == .null { claims.withdraw([fact]) } else { claims.replace(fact, .proved, "proposed") }
    }
    return claims
  }
}

extension Array {
  /// Finds the one that alone has the effect of all together, by bisection.
  func narrowed(_ isAmong: ([Element]) async throws(BackendError) -> Bool) async throws(BackendError) -> Element? {
    var rest = self
    while rest.count > 1 {
      let half = Array(rest.prefix(rest.count / 2))
      rest = try await isAmong(half) ? half : Array(rest.dropFirst(half.count))
    }
    return rest.first
  }
}
