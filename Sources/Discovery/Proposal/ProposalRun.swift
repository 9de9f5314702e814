import BackendClient
import BackendKit
import ServiceDescription

/// Runs a proposed description once with the client and engine of the commands: the first two pages, one record and the
/// count of each resource. A fact that does not hold is contradicted, even if a probe has proved it.
struct ProposalRun {
  static let requests = 6

  private let surveys: [ResourceSurvey]
  private let base: String
  private let prober: Prober

  init(_ surveys: [ResourceSurvey], base: String, prober: Prober) {
    // A list below records has no path of its own.
    self.surveys = surveys.filter { $0.shape != nil && $0.nested == nil }
    self.base = base
    self.prober = prober
  }

  /// Runs all resources. Throws only if cancelled.
  func run() async throws(BackendError) {
    let description = Proposal(surveys, base: base).description()
    let service: Service
    do throws(Mistakes) {
      service = try Description(reading: Array(Proposal.file(of: description).utf8), file: "").service()
    } catch {
      surveys.first?.notes.append("the description was not tried: \(error.description)")
      return
    }
    for survey in surveys {
      guard prober.remaining >= Self.requests else {
        let reason = prober.remaining > 0 ? "too few requests are left (--max-requests)" : prober.spentReason
        survey.note("the description was not tried: \(reason)")
        continue
      }
      prober.begin(limit: Self.requests)
      let exchange = SurveyExchange(survey, survey.claims)
      let client = Client(name: survey.name, exchange: exchange, prepared: PreparedBackend(service))
      try await run(survey, client)
    }
  }

  private func run(_ survey: ResourceSurvey, _ client: Client) async throws(BackendError) {
    guard let path = ResourcePath(parts: [survey.name]) else { return }
    let known = survey.whole?.count ?? survey.total
    // A small page size ensures a second page.
    let size = survey.size == nil ? nil : known.map { min(max($0 / 2, 1), 5) } ?? 2
    var query = ListQuery(path)
    query.pageSize = size
    var request = ListRequest(query, limit: size)
    request.isPage = true
    guard let first = try await page(request, survey, client, "the first page") else { return }
    if let next = first.summary.next {
      request.start = next
      guard let second = try await page(request, survey, client, "the second page") else { return }
      let repeated = second.identifiers.filter(first.identifiers.contains)
      if !repeated.isEmpty {
        return refute(
          Key.pageStyle, "the second page, read as described, repeats \(counted(repeated.count, "record"))",
          survey)
      }
      if let known, known > first.count, second.count == 0 {
        return refute(Key.pageStyle, "the second page, read as described, is empty", survey)
      }
    } else if let known, known > first.count, survey.claims[.pageStyle] != nil {
      return refute(
        Key.pageStyle, "read as described, the list ends after \(first.count) of \(known) records", survey)
    }
    try await get(first.identifiers.first, from: path, survey, client)
    try await count(path, survey, client)
  }

  private struct Page {
    let summary: ListSummary
    let identifiers: [RecordID]
    let count: Int
  }

  private func page(
    _ request: ListRequest, _ survey: ResourceSurvey, _ client: Client, _ name: String
  ) async throws(BackendError) -> Page? {
    let held = BufferedPage()
    do throws(BackendError) {
      let summary = try await client.list(request, to: held.sink)
      let records = await held.records
      return Page(summary: summary, identifiers: records.compactMap(\.id), count: records.count)
    } catch {
      let fact = survey.claims[.pageStyle] == nil ? Key.sizeParameter : .pageStyle
      try note(error, fact, name, survey)
      return nil
    }
  }

  private func get(
    _ id: RecordID?, from path: ResourcePath, _ survey: ResourceSurvey, _ client: Client
  ) async throws(BackendError) {
    guard let id, survey.claims[.pathsItem] != nil, survey.claims[.pathsReadable] != false else { return }
    do throws(BackendError) { _ = try await client.get(id, from: path) } catch {
      try note(error, Key.pathsItem, "a single record", survey)
    }
  }

  private func count(
    _ path: ResourcePath, _ survey: ResourceSurvey, _ client: Client
  ) async throws(BackendError) {
    guard survey.claims[.total] != nil, let known = survey.whole?.count else { return }
    do throws(BackendError) {
      let total = try await client.count(ListQuery(path), maximumScan: 1).total
      guard let total, total != known else { return }
      refute(
        Key.total, "read as described, the total is \(total); the list has \(counted(known, "record"))", survey)
    } catch { try note(error, Key.total, "the total", survey) }
  }

  /// Interprets a failure: a refusal or unexpected response refutes the fact, a silent service proves nothing.
  private func note(
    _ error: BackendError, _ key: Key<some KeyContent>, _ what: String, _ survey: ResourceSurvey
  ) throws(BackendError) {
    switch error.code {
    case .cancelled: throw error
    case .notFound, .invalid, .badResponse, .unsupported, .misconfigured:
      guard error.httpStatus.map({ $0 < 500 }) ?? true else { fallthrough }
      refute(key, "\(what), read as described: \(error.message)", survey)
    default: survey.note("\(what) could not be read as described: \(error.message)")
    }
  }

  private func refute(_ key: Key<some KeyContent>, _ evidence: String, _ survey: ResourceSurvey) {
    guard survey.claims.taken(key) != nil else { return survey.note("\(evidence)") }
    if key.path == Key.pathsItem.path {
      // The absence of a path has to be stated, or the default would apply.
      survey.claims.replace(key, nil, .likely, evidence)
    } else {
      survey.claims.contradict(key, nil, evidence)
    }
    survey.note("\(key.path) is left out: \(evidence)")
  }
}
