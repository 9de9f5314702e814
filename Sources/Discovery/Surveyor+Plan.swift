import BackendClient
import BackendKit

extension Candidates {
  /// The planned requests and the links not followed; `sent` were sent so far, and at most `left` may follow.
  func plan(_ order: SurveyOrder, sent: Int, left: Int) -> SurveyPlan {
    let below = nested.map { nested in
      PlannedRequests(
        shape: "GET \(nested.shape)",
        count: max(order.requestsPerResource - 3, 1) + PairProbe.requests + ExactnessProbe.requests)
    }
    let madeBelow = nested.filter { $0.same != nil && order.triesWrites }.map { nested in
      PlannedRequests(shape: "POST \(nested.shape)", count: Self.creations, isWrite: true)
    }
    let links = held.map { candidate, reason in
      PlannedRequests(link: SurveyText.cut(candidate.collection), notRead: reason.text)
    }
    // It may show which records a deletion takes along.
    let database = order.triesWrites && !list.isEmpty ? [PlannedRequests(shape: "GET \(base)/db", count: 1)] : []
    return SurveyPlan(
      requests: list.flatMap { plan($0, order) } + below + madeBelow + database + links, sent: sent, left: left)
  }

  private static let creations =
    3 * FirstCreation.attempts + FirstCreation.mostTold + FullCreation.attempts + RequiredFields.most + 5

  private func plan(_ candidate: Candidate, _ order: SurveyOrder) -> [PlannedRequests] {
    let plain = Candidates.plain(candidate.collection)
    let trial = order.triesWrites ? WriteTrial.reads + TrialWatch.readsPerResource : 0
    let others = list.count + nested.count > 1 ? References.mostReads : 0
    let hasFile = plain.hasSuffix(".json")
    let folder = hasFile ? String(plain.dropLast(5)) : plain
    let ends = hasFile ? [".json"] : hasPages && candidate.documented == nil ? ["", ".json"] : [""]
    func either(_ path: String) -> String { ends.map { path + $0 }.joined(separator: " or ") }
    let list = ends.count == 1 ? candidate.collection : either(folder)
    let item = either(folder + "/{id}")
    return [
      PlannedRequests(
        shape: "GET \(list)",
        count: max(order.requestsPerResource - 7, 1) + PairProbe.requests + ExactnessProbe.requests
          + ProposalRun.requests - 1),
      PlannedRequests(
        shape: "GET \(item)", count: 4 + RecordProbe.requests + AbsenceProbe.requests + trial + others),
      PlannedRequests(shape: "OPTIONS and HEAD", count: 3),
    ]
      + (order.triesWrites
        ? [
          PlannedRequests(
            shape: "POST \(either(folder)), or POST or PUT \(item)",
            count: Self.creations, isWrite: true),
          PlannedRequests(shape: "PATCH, PUT or POST \(item)", count: TrialUpdates.most, isWrite: true),
          PlannedRequests(shape: "DELETE \(item)", count: 6 + RequiredFields.mostSpare, isWrite: true),
        ] : [])
  }

  /// The error if no resource is found.
  var nothingFound: BackendError {
    let hint = "try the address of a list, or name the resources: add ADDRESS --only NAME"
    let links = held.prefix(5).map { candidate, reason in "\(SurveyText.cut(candidate.collection)) (\(reason.text))" }
    let more = held.count > 5 ? " and \(held.count - 5) more" : ""
    if let page {
      let title = page.title.isEmpty ? "" : " (\(page.title))"
      return BackendError(
        .badResponse, "\(page.address) responded with a web page\(title), not with data", effect: .rejected,
        hint:
          "if it is a login, --bearer-env, --basic-env or --header-env names the environment variable with the credentials; else give the address of the API"
      )
    }
    return BackendError(
      .notFound, "no resource was found, neither in a document of the service nor in links of its root",
      effect: .rejected,
      hint: links.isEmpty ? hint : "\(hint); not read: \(links.joined(separator: ", "))\(more)")
  }
}

extension ServiceSurvey {
  /// Shortens texts of the service, which may have any length, for display.
  mutating func bound() {
    for place in claims.indices {
      claims[place].evidence = SurveyText.cut(claims[place].evidence, to: SurveyText.sentence)
    }
    func cut(_ texts: [String]) -> [String] { texts.map { SurveyText.cut($0, to: SurveyText.sentence) } }
    (notes, differences) = (cut(notes), cut(differences))
    for place in changes.indices {
      changes[place].evidence = SurveyText.cut(changes[place].evidence, to: SurveyText.sentence)
    }
    for place in trial.indices { trial[place].outcome = SurveyText.cut(trial[place].outcome, to: SurveyText.sentence) }
  }
}
