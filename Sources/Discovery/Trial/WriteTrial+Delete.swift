import BackendClient
import BackendKit

extension WriteTrial {
  /// Deletes the record, with a revision that is out of date first where those count, and reads it again. `isThere` is
  /// false if only the list shows it; `besides` is how many other records of the trial are there.
  func delete(isThere: Bool = true, besides: Int = 0) async throws(BackendError) {
    guard let made else { return }
    // A revision made from the content comes back with it.
    if let staleRevision, isThere, staleRevision != made.revision,
      case .answered(let answer) = try await delete(at: staleRevision, besides: besides)
    {
      step("delete, stale revision", answer.evidence(answer.outcome))
      let evidence = answer.evidence("for a revision that is out of date")
      if [412, 428].contains(answer.status) { claim("revision.onDelete", true, evidence) }
      if answer.status == 409 { survey.claims.add("revision.onDelete", true, .likely, evidence) }
      if answer.isSuccess {
        claim("revision.onDelete", false, evidence)
        return try await confirm(made, answer)
      }
      _ = try await look()
    }
    let outcome = try await delete(at: needsRevision ? self.made?.revision : nil, besides: besides)
    switch outcome {
    case .answered(let answer) where answer.isSuccess: try await confirm(made, answer, isThere: isThere)
    case .answered(let answer)
    where [412, 428].contains(answer.status) && !needsRevision && self.made?.revision != nil:
      step("delete", answer.evidence("refused without the revision"))
      needsRevision = true
      claim("revision.onDelete", true, answer.evidence("refused without If-Match"))
      try await delete(isThere: isThere, besides: besides)
    case .answered(let answer):
      step("delete", answer.evidence(answer.outcome))
      if answer.status == 405, survey.claims["delete.method"] != nil {
        survey.claims.contradict("delete.method", "DELETE", answer.evidence())
      }
      try await stays(made)
    case .lost(let reason):
      step("delete", "no response (\(reason)); not sent again")
      try await stays(made)
    case .unsent(let reason):
      step("delete", "nothing was sent: \(reason)")
      leftover = Self.sentence(made, survey)
    }
  }

  /// Sends the deletion, and counts what it took along. After one that did, none is sent.
  func delete(at revision: String?, besides: Int = 0) async throws(BackendError) -> Prober.Outcome {
    guard let made else { return .unsent("there is no record") }
    guard watch.losses.isEmpty else { return .unsent("other records disappeared with a deletion") }
    let outcome = try await write("DELETE", to: made, nil, revision.map { [("If-Match", $0)] } ?? [])
    switch outcome {
    case .unsent: break
    case .lost: try await watch.compare(survey, besides: besides, isAccepted: false)
    case .answered(let answer): try await watch.compare(survey, besides: besides, isAccepted: answer.isSuccess)
    }
    return outcome
  }

  /// After a deletion that was accepted: the record may not be found any more.
  private func confirm(_ made: TrialRecord, _ answer: ProbeResponse, isThere: Bool = true) async throws(BackendError) {
    isGone = true
    guard isThere else {
      step("delete", answer.evidence("accepted"))
      let isListed = try await search() != nil
      let isReadable = survey.rows(of: try await prober.get(survey.target)) != nil
      (isGone, leftover) = (!isListed, isListed || !isReadable ? Self.sentence(made, survey) : nil)
      return
    }
    switch try await look() {
    case .gone(let read):
      let evidence = "\(answer.evidence()); \(read.evidence("not found"))"
      step("delete", evidence)
      claim("delete.method", "DELETE", evidence)
      if !read.isSuccess {
        claim("notFound", .string(String(read.status)), read.evidence("of a record that was deleted"))
      }
      // The record is known to be gone: this shows how the service tells of that.
      if !needsRevision, watch.losses.isEmpty, case .answered(let again) = try await write("DELETE", to: made) {
        step("delete again", again.evidence(again.outcome))
        if again.isSuccess || [404, 410].contains(again.status) {
          claim("delete.readsFirst", .bool(again.isSuccess), again.evidence("of a record that does not exist"))
        }
      }
    case .record(let fields, let read):
      let marks = ["deleted", "is_deleted", "isDeleted", "archived", "trashed", "deleted_at", "deletedAt"]
      func hasMark(_ mark: String, _ fields: Object) -> Bool {
        fields[mark]?.truth == true || fields[mark]?.text?.isEmpty == false
      }
      let isMarked = marks.contains { hasMark($0, fields) && !hasMark($0, made.fields) }
      guard isMarked || Self.isEnded(.object(fields), before: .object(made.fields)) else {
        step("delete", "\(answer.evidence("accepted")); \(read.evidence("the record still exists"))")
        return leftover = Self.sentence(made, survey)
      }
      let evidence = "\(answer.evidence()); \(read.evidence("the record, marked as deleted"))"
      step("delete", evidence)
      claim("delete.method", "DELETE", evidence)
      claim("delete.soft", true, evidence)
    case .unclear(let reason):
      step("delete", "\(answer.evidence("accepted")); \(reason)")
      survey.claims.add("delete.method", "DELETE", .likely, answer.evidence("accepted"))
      leftover = "possibly \(Self.sentence(made, survey))"
    }
  }

  /// Returns whether a word in a record marks it as ended and was not there before.
  private static func isEnded(_ now: Value, before: Value?, _ depth: Int = 3) -> Bool {
    if let word = now.text { return before?.text != word && ends.contains(word.lowercased()) }
    guard depth > 0, let object = now.object else { return false }
    return object.members.contains { name, member in isEnded(member, before: before?.object?[name], depth - 1) }
  }

  private static let ends: Set<String> = [
    "deleted", "expired", "archived", "removed", "trashed", "terminated", "deactivated",
  ]

  /// Finds out whether the record is still there after a deletion whose outcome is unknown.
  private func stays(_ made: TrialRecord) async throws(BackendError) {
    if case .gone(let read) = try await look() {
      step("read", read.evidence("not found"))
      if survey.claims["delete.method"] != nil { claim("delete.method", "DELETE", read.evidence("gone")) }
    } else {
      leftover = Self.sentence(made, survey)
    }
  }

  static func sentence(_ made: TrialRecord, _ survey: ResourceSurvey) -> String { "\(survey.name)/\(made.id)" }

  /// Deletes the record after the run was cancelled or failed, apart from the task that was cancelled, if a read has
  /// shown that it is the trial's; the error's hint says what became of it.
  func cleaned(after error: BackendError) async -> BackendError {
    var error = error
    if isMaking, let marked = sought {
      // Only further requests, for which the caller no longer waits, could find out whether the record was created.
      error.effect = .unknown
      error.hint = "a record of \(survey.name) with \(marked.name)=\(marked.text) may have been created"
      return error
    }
    guard let made, !isGone else { return error }
    guard let target = made.target else {
      error.effect = .unknown
      error.hint = Self.doubtful(survey, marked, made)
      return error
    }
    let prober = prober
    let request = prober.request(
      "DELETE", target, needsRevision ? made.revision.map { [("If-Match", $0)] } ?? [] : [])
    let exchange = prober.exchange
    let isDone = await Task { (try? await exchange.send(request))?.isSuccess == true }.value
    error.effect = isDone ? .rejected : .applied
    error.hint = "the test record \(Self.sentence(made, survey)) was \(isDone ? "" : "not ")deleted"
    return error
  }
}
