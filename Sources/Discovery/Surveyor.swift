import BackendClient
import BackendKit
import ServiceDescription

struct Surveyor: ServiceSurveyor {
  func survey(
    _ order: SurveyOrder, agree: (SurveyPlan) async throws -> Bool
  ) async throws -> ServiceSurvey? {
    let prober = Prober(order)
    if let product = try await ProductSearch(order, prober).product() {
      return try await ProductSurvey(product, order, prober).run(agree: agree)
    }
    let (candidates, found, problem) = try await self.candidates(order, prober)
    guard !candidates.list.isEmpty || found?.document.hasPaths(below: candidates.base) == true else {
      throw candidates.nothingFound
    }
    var notes = (found?.remarks ?? []) + [problem.map { "a document cannot be read: \($0)" }].compactMap(\.self)
    var surveys: [ResourceSurvey] = []
    var level = Level(candidates: candidates, place: 0)
    repeat {
      let plan = level.candidates.plan(order, sent: prober.sent, left: prober.remaining)
      let isAgreed = plan.requests.allSatisfy { $0.notRead != nil } ? true : try await agree(plan)
      guard isAgreed else {
        // Resources found before the question are kept.
        if level.place == 0 { return nil }
        break
      }
      // The operator has agreed to these paths, whatever their names.
      for candidate in level.candidates.list { prober.give(candidate.collection) }
      let found = try await self.surveys(level.candidates, beside: surveys, order, prober, found?.document.schemas)
      surveys += found.surveys
      notes += found.notes
    } while order.list == nil && level.goOn(with: surveys)
    try noteAccess(&notes, surveys, order, found?.document)
    try await ProposalRun(surveys, base: candidates.base, prober: prober).run()
    Relationships.claim(surveys)
    // Trials come last, so that nothing read earlier shows their records.
    let listed = surveys.filter { $0.shape != nil }
    let orphans = try await Orphans(listed, prober, triesWrites: order.triesWrites)
    let watch = TrialWatch(listed, prober, orphans)
    let trials = try await order.triesWrites ? watch.trials() : []
    SiblingWrites.claim(trials)
    var references = References(surveys, prober)
    if order.known == nil { try await references.claim() }
    orphans.claim(surveys)
    let shown = ShownErrors(surveys)
    surveys.forEach { $0.takeErrors(shown) }
    let stop = prober.stopped.map {
      "the service stopped responding: \($0); facts found before that are kept, the rest is untested"
    }
    if let list = order.list { surveys.forEach { $0.show(list.shape, for: list.path) } }
    let proved = try order.list.flatMap { list throws(BackendError) in
      try ProvedOutline(of: list.name, in: order.known, surveys, below: candidates.base)
    }
    let outline =
      order.known == nil
      ? found.map { DocumentOutline($0.document, below: candidates.base, read: surveys, named: order.only) } : nil
    let proposal = Proposal(surveys, base: candidates.base, document: found, outline: outline)
    var survey = try proposal.survey(
      notes: [outline?.summary].compactMap(\.self) + notes + surveys.flatMap(\.notes) + (outline?.details ?? [])
        + [stop].compactMap(\.self), differences: surveys.flatMap(\.differences), requests: prober.sent)
    if let proved { survey.description = proved.description }
    survey.trial = trials.flatMap(\.record.steps)
    survey.leftovers = trials.compactMap(\.record.leftover)
    survey.losses = watch.losses
    if let known = order.known {
      let changes = try Changes(of: known, with: surveys.filter { $0.shape != nil }, base: candidates.base)
      survey.changes = changes.list
      survey.notes += changes.doubts
      if let note = try await KnownVersion(of: known, base: candidates.base).note(found?.document.version, prober) {
        survey.notes.append(note)
      }
    }
    survey.bound()
    return survey
  }

  /// Reads the address and the service's document, and collects the resources named by these and by the operator.
  private func candidates(
    _ order: SurveyOrder, _ prober: Prober
  ) async throws -> (Candidates, found: FoundDocument?, problem: String?) {
    prober.begin(limit: DocumentSearch.mostRequests)
    var (target, root) = try await self.root(order, prober)
    // The address responds: later failures only omit something.
    prober.keepWhatIsFound()
    if root.isPage, let list = try await prober.getList(of: target) { (target, root) = (list.path, list.answer) }
    let path = Candidates.plain(target)
    let isList =
      root.isSuccess && IndexShape(root.document) == nil
      && ListShape(root.document, resource: "").map { !$0.rows.isEmpty } == true
    var named = Candidates(prober.gate, base: path)
    named.add(root: root, isList: isList)
    var isCollection = isList && order.only.isEmpty && named.list.isEmpty
    var base = isCollection ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : path
    let (found, problem) = try await DocumentSearch.document(prober, order, base: base, first: root, isList: isList)
    if let fields = found?.document.schemas.passwords, !fields.isEmpty { order.onSecretFields(fields.sorted()) }
    if let found { order.onLogins(found.document.logins) }
    let takesAll = !order.only.isEmpty || order.known != nil
    let isDocument = found.map { !$0.isFile && $0.place == order.target } ?? false
    if isCollection, let found, found.document.describes(othersThan: path) { (isCollection, base) = (false, path) }
    if let found, isDocument || root.isPage { (isCollection, base) = (false, found.document.base) }
    var candidates = Candidates(prober.gate, base: base)
    if isCollection {
      candidates.add(itself: target, in: found?.document)
      candidates.hold(named)
    } else {
      if let found { candidates.add(found.document, takesAll: takesAll, takesParts: takesAll || order.triesWrites) }
      if !isDocument { candidates.add(root: root, isList: isList, hasDocument: !candidates.list.isEmpty) }
      if candidates.list.isEmpty, order.only.isEmpty, !isDocument {
        let types = try await prober.get(ProbeTarget(base + "/ResourceTypes"))
        if types?.isSuccess == true { candidates.add(root: types) }
        if candidates.list.isEmpty { candidates.add(database: try await prober.get(ProbeTarget(base + "/db"))) }
        if candidates.list.isEmpty, let options = try await prober.get(ProbeTarget(target), method: "OPTIONS"),
          options.isSuccess, IndexShape(options.document) != nil
        {
          candidates.add(root: options)
        }
        // A response that names no lists may itself be a map of records.
        if candidates.list.isEmpty, root.isSuccess, IndexShape(root.document) == nil,
          ListShape(mapIn: root.document, resource: "") != nil
        {
          candidates = Candidates(prober.gate, base: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
          candidates.add(itself: target, in: found?.document)
          candidates.hold(named)
        }
      }
    }
    candidates.hasPages = root.isPage
    if root.isPage, root.isSuccess { candidates.page = ((order.origin?.address ?? "") + order.target, root.title) }
    candidates.nameApart()
    if let list = order.list, let description = try order.known.map(Changes.description) {
      let sections = try description.documented(list.name) ?? description.resource(list.name)?.value.object
      candidates.take(only: list, sections, in: found?.document)
      return (candidates, found, problem)
    }
    if let known = order.known {
      candidates.take(try Changes.resources(of: known).filter { order.only.contains($0.name) })
    }
    let known = candidates.knownNames
    candidates.keep(only: known.isEmpty ? order.only : known)
    return (candidates, found, problem)
  }

  /// Reads the address of the survey. Throws if there is nothing to start from.
  private func root(_ order: SurveyOrder, _ prober: Prober) async throws -> (target: String, ProbeResponse) {
    let answer = try await prober.getInAnyType(ProbeTarget(order.target))
    if let reason = prober.stopped {
      throw BackendError(.rateLimited, reason, effect: .rejected, hint: "try again later")
    }
    guard let root = answer else {
      throw BackendError(
        .badResponse,
        prober.problem.map { "\(order.target) was not read: \($0)" }
          ?? "the address does not respond in time, or does not speak HTTP", effect: .rejected)
    }
    if AccessRefusal.isShown(by: root) { throw try await AccessRefusal.find(root, order).error }
    return (order.target, root)
  }

  /// Says what the document wants of requests where lists were refused, and where none was, but changes may be. Throws if
  /// all that was read is refused lists.
  private func noteAccess(
    _ notes: inout [String], _ surveys: [ResourceSurvey], _ order: SurveyOrder, _ document: ServiceDocument?
  ) throws(BackendError) {
    guard order.known == nil else { return }
    if let answer = surveys.lazy.compactMap(\.refused).first {
      let refusal = AccessRefusal(answer: answer, document: document)
      guard surveys.contains(where: { $0.shape != nil }) else { throw refusal.error }
      notes.append("\(answer.evidence()): \(refusal.hint)")
    } else if order.bareExchange == nil,
      let hint = document.flatMap({ AccessRefusal.hint($0.wanted(at: order.target)) })
    {
      notes.append("no read needed a login; \(hint)")
    }
  }

  /// Looks at each resource, and then at the lists below their records.
  private func surveys(
    _ candidates: Candidates, beside known: [ResourceSurvey], _ order: SurveyOrder, _ prober: Prober,
    _ schemas: SchemaReader?
  ) async throws -> (surveys: [ResourceSurvey], notes: [String]) {
    let limit =
      order.requestsPerResource + RecordProbe.requests + PairProbe.requests + AbsenceProbe.requests
    var surveys: [ResourceSurvey] = []
    var notes = candidates.unread.map { "\($0): only described, as its list is below records or needs a parameter" }
    var unread = 0
    for candidate in candidates.list {
      // The document describes a list better than a truncated read.
      if candidate.documented != nil, order.only.isEmpty, !surveys.isEmpty, prober.remaining < limit {
        unread += 1
        continue
      }
      prober.begin(limit: limit)
      guard !prober.isSpent else {
        notes.append("\(candidate.name): not looked at: \(prober.spentReason)")
        continue
      }
      let survey = ResourceSurvey(
        candidate.name, at: candidate.collection, below: candidates.base, prober, dialect: .plain,
        documented: candidate.documented, schemas: schemas)
      survey.parameters = candidate.parameters
      survey.siblings = Set(candidates.list.map { $0.name.lowercased() })
      try await keeping(&notes, candidate.name) { () async throws(BackendError) in try await survey.run() }
      surveys.append(survey)
    }
    if unread > 0 {
      notes.append("\(counted(unread, "list")) not read, as too few requests are left for them (--max-requests)")
    }
    for nested in candidates.nested where !order.only.isEmpty || prober.remaining >= limit {
      prober.begin(limit: limit)
      try await keeping(&notes, nested.name) { () async throws(BackendError) in
        if let survey = try await self.survey(nested, beside: known + surveys, prober, schemas) {
          surveys.append(survey)
        }
      }
    }
    return (surveys, notes)
  }

  /// Notes an error instead of ending the whole survey.
  private func keeping(
    _ notes: inout [String], _ name: String, _ look: () async throws(BackendError) -> Void
  ) async throws(BackendError) {
    do throws(BackendError) { try await look() } catch {
      guard error.code != .cancelled else { throw error }
      notes.append("\(name): \(error.message)")
    }
  }
}
