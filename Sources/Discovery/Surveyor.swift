import BackendClient
import BackendKit

/// Looks at services.
struct Surveyor: ServiceSurveyor {
  func survey(
    _ order: SurveyOrder, agree: ([PlannedRequests]) async throws -> Bool
  ) async throws -> ServiceSurvey? {
    let prober = Prober(order)
    prober.begin(limit: 20)
    guard var root = try await prober.getInAnyType(Target(order.target)) else {
      throw BackendError(.badResponse, "the address does not answer in time, or not by HTTP", effect: .rejected)
    }
    if root.status == 401 || root.status == 403 {
      throw BackendError(
        root.status == 401 ? .unauthorized : .forbidden,
        root.status == 401 ? "authentication required (401)" : "permission denied by the server", effect: .rejected,
        hint: "--bearer-env, --basic-env or --header-env names the variable with what the service asks for")
    }
    if let reason = prober.stopped {
      throw BackendError(.rateLimited, reason, effect: .rejected, hint: "try again later")
    }
    var target = order.target
    if root.isPage, let list = try await prober.getList(of: target) { (target, root) = (list.path, list.answer) }
    let path = Candidates.plain(target)
    let isList = root.isSuccess && ListShape(root.document, resource: "").map { !$0.rows.isEmpty } == true
    var named = Candidates()
    named.add(root: root, base: path, isList: isList)
    let isCollection = isList && order.only.isEmpty && named.list.isEmpty
    let base = isCollection ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : path
    let found = try await DocumentSearch.document(prober, base: base, first: root, named: order.document)
    var candidates = Candidates()
    if isCollection { candidates.add(itself: target) }
    if let found, !isCollection { candidates.add(found.document, below: base) }
    if !isCollection {
      candidates.add(root: root, base: base, isList: isList)
      if candidates.list.isEmpty, order.only.isEmpty {
        let types = try await prober.get(Target(base + "/ResourceTypes"))
        if types?.isSuccess == true { candidates.add(root: types, base: base) }
      }
    }
    let endsInSlash = candidates.list.allSatisfy { $0.collection.hasSuffix("/") } && !candidates.list.isEmpty
    candidates.keep(only: order.only, base: base, endsInSlash: endsInSlash)
    if isCollection, let found {
      candidates = Candidates(
        candidates.list.map { candidate in
          var candidate = candidate
          candidate.documented = DocumentedResource.all(in: found.document).first { $0.matches(path) }
          return candidate
        })
    }
    guard !candidates.list.isEmpty else {
      throw BackendError(
        .notFound, "no resource was found: neither a document of the service nor its root names one", effect: .rejected,
        hint: "give the address of a list, or name resources with --only")
    }
    let below = candidates.nested.map { nested in
      PlannedRequests(shape: "GET \(nested.shape)", count: max(order.requestsPerResource - 3, 1))
    }
    let limit = order.requestsPerResource + RecordProbe.requests
    guard try await agree(Self.plan(candidates.list, order) + below) else { return nil }
    prober.keepsWhatIsFound = true
    var surveys: [ResourceSurvey] = []
    var notes: [String] = []
    for candidate in candidates.list {
      prober.begin(limit: limit)
      guard !prober.isSpent else {
        notes.append(
          "\(candidate.name): not looked at; "
            + (prober.stopped == nil ? "--max-requests permits more requests" : "the service had stopped answering"))
        continue
      }
      let survey = ResourceSurvey(
        candidate.name, at: candidate.collection, prober, dialect: .plain, documented: candidate.documented,
        schemas: found?.document.schemas)
      try await survey.run()
      surveys.append(survey)
    }
    for nested in candidates.nested {
      guard let owner = surveys.first(where: { $0.name == nested.owner }), owner.identifier != nil else { continue }
      prober.begin(limit: limit)
      let probe = NestedProbe(nested: nested, owner: owner, prober: prober)
      if let known = surveys.first(where: { $0.name == nested.name }) {
        if known.shape != nil { try await probe.relate(known) }
      } else if let survey = try await probe.survey(found?.document.schemas) {
        surveys.append(survey)
      }
    }
    // The marked records are the last that is done: what was read before holds no trace of them.
    let watch = TrialWatch(surveys.filter { $0.shape != nil }, prober)
    let trials = try await order.triesWrites ? watch.trials() : []
    Relationships.claim(surveys)
    if let reason = prober.stopped {
      notes.append(
        "the service stopped answering: \(reason); what it had shown until then is kept, the rest is untested")
    }
    let proposal = Proposal(surveys, base: base)
    var survey = try proposal.survey(
      notes: surveys.flatMap(\.notes) + notes, differences: surveys.flatMap(\.differences), requests: prober.sent,
      document: found?.place)
    survey.trial = trials.flatMap(\.steps)
    survey.leftovers = trials.compactMap(\.leftover)
    survey.losses = watch.losses
    if let known = order.known {
      let changes = try Changes(
        of: known.bytes, file: known.file, with: surveys.filter { $0.shape != nil }, base: base)
      survey.changes = changes.list
      survey.notes += changes.doubts
    }
    return survey
  }

  private static func plan(_ candidates: [Candidate], _ order: SurveyOrder) -> [PlannedRequests] {
    candidates.flatMap { candidate -> [PlannedRequests] in
      let plain = Candidates.plain(candidate.collection)
      let trial = order.triesWrites ? WriteTrial.reads + TrialWatch.readsPerResource : 0
      let item = plain.hasSuffix(".json") ? plain.dropLast(5) + "/{id}.json" : plain + "/{id}"
      return [
        PlannedRequests(shape: "GET \(candidate.collection)", count: max(order.requestsPerResource - 7, 1)),
        PlannedRequests(
          shape: "GET \(item)", count: 4 + RecordProbe.requests + trial),
        PlannedRequests(shape: "OPTIONS and HEAD", count: 3),
      ]
        + (order.triesWrites
          ? [
            PlannedRequests(
              shape: "POST \(plain)", count: WriteTrial.attempts + 3 + WriteTrial.fullAttempts, isWrite: true),
            PlannedRequests(shape: "PATCH, PUT or POST \(item)", count: WriteTrial.changes, isWrite: true),
            PlannedRequests(shape: "DELETE \(item)", count: 5, isWrite: true),
          ] : [])
    }
  }
}
