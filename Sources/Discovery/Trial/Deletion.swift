import BackendClient
import BackendKit
import ServiceDescription

/// The deletion of the test record, and its side effects.
struct Deletion: TrialPart {
  let record: TrialRecord

  /// Deletes the record, first with a stale revision if revisions matter, and reads it again. `isThere` is false if
  /// only the list shows it; `besides` is the number of other existing records of the trial.
  func run(isThere: Bool = true, besides: Int = 0) async throws(BackendError) {
    guard let made else { return }
    // A revision derived from the content returns with it.
    if let staleRevision = record.staleRevision, isThere, staleRevision != made.revision,
      let answer = try await send(at: staleRevision, besides: besides).answer
    {
      step("delete, stale revision", answer.evidence(answer.outcome))
      let evidence = answer.evidence("for a revision that is out of date")
      if [412, 428].contains(answer.status) { survey.prove(.revisionOnDelete, true, evidence) }
      if answer.status == 409 { survey.suppose(.revisionOnDelete, true, evidence) }
      if answer.isSuccess {
        survey.prove(.revisionOnDelete, false, evidence)
        return try await confirm(made, answer)
      }
      _ = try await look()
    }
    let outcome = try await send(at: record.needsRevision ? record.made?.revision : nil, besides: besides)
    switch outcome {
    case .answered(let answer) where answer.isSuccess: try await confirm(made, answer, isThere: isThere)
    case .answered(let answer)
    where [412, 428].contains(answer.status) && !record.needsRevision && record.made?.revision != nil:
      step("delete", answer.evidence("refused without the revision"))
      record.needsRevision = true
      survey.prove(.revisionOnDelete, true, answer.evidence("refused without If-Match"))
      try await run(isThere: isThere, besides: besides)
    case .answered(let answer):
      step("delete", answer.evidence(answer.outcome))
      if [405, 501].contains(answer.status), survey.claims[.deleteMethod] != nil {
        survey.claims.contradict(.deleteMethod, "DELETE", answer.evidence())
      }
      try await stays(made)
    case .lost(let reason):
      step("delete", "no response (\(reason)); not sent again")
      try await stays(made)
    case .unsent(let reason):
      step("delete", "nothing was sent: \(reason)")
      record.leave(record.sentence(made))
    }
  }

  /// Sends the deletion, and counts the records lost with it. After a loss, no further deletion is sent.
  func send(at revision: String?, besides: Int = 0) async throws(BackendError) -> Prober.Outcome {
    guard let made else { return .unsent("there is no record") }
    guard watch.losses.isEmpty else { return .unsent("other records disappeared with a deletion") }
    let outcome = try await record.write("DELETE", to: made, nil, revision.map { [("If-Match", $0)] } ?? [])
    switch outcome {
    case .unsent: break
    case .lost: try await watch.compare(survey, besides: besides, isAccepted: false)
    case .answered(let answer): try await watch.compare(survey, besides: besides, isAccepted: answer.isSuccess)
    }
    return outcome
  }

  private func confirm(_ made: MadeRecord, _ answer: ProbeResponse, isThere: Bool = true) async throws(BackendError) {
    record.isGone = true
    guard isThere else {
      step("delete", answer.evidence("accepted"))
      let isListed = try await record.search() != nil
      let isReadable = survey.rows(of: try await prober.get(survey.target)) != nil
      (record.isGone, record.leftover) = (!isListed, isListed || !isReadable ? record.sentence(made) : nil)
      return
    }
    switch try await look() {
    case .gone(let read):
      let evidence = "\(answer.evidence()); \(read.evidence("not found"))"
      step("delete", evidence)
      survey.prove(.deleteMethod, "DELETE", evidence)
      if !read.isSuccess {
        survey.prove(.notFound, String(read.status), read.evidence("of a record that was deleted"))
      }
      // Once the record is certainly gone, this shows the response for missing ones.
      if !record.needsRevision, watch.losses.isEmpty,
        let again = try await record.write("DELETE", to: made).answer
      {
        step("delete again", again.evidence(again.outcome))
        if again.isSuccess || [404, 410].contains(again.status) {
          survey.prove(.deleteReadsFirst, again.isSuccess, again.evidence("of a record that does not exist"))
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
        return record.leave(record.sentence(made))
      }
      let evidence = "\(answer.evidence()); \(read.evidence("the record, marked as deleted"))"
      step("delete", evidence)
      survey.prove(.deleteMethod, "DELETE", evidence)
      survey.prove(.deleteSoft, true, evidence)
      try await nameKept(made)
    case .unclear(let reason):
      step("delete", "\(answer.evidence("accepted")); \(reason)")
      survey.suppose(.deleteMethod, "DELETE", answer.evidence("accepted"))
      record.leave("possibly \(record.sentence(made))")
    }
  }

  /// Reports a record that is marked as deleted. It is left behind if lists still show it.
  private func nameKept(_ made: MadeRecord) async throws(BackendError) {
    let kept = record.leftover
    let isListed = try await record.search() != nil
    (record.leftover, record.isGone) = (kept, true)
    let name = record.sentence(made)
    if isListed { return record.leave("\(name), which the service has marked as deleted and still lists") }
    survey.note("the service has marked the test record \(name) as deleted and keeps it")
  }

  /// Returns whether a word in a record marks it as ended that was not there before.
  private static func isEnded(_ now: Value, before: Value?, _ depth: Int = 3) -> Bool {
    if let word = now.text { return before?.text != word && ends.contains(word.lowercased()) }
    guard depth > 0, let object = now.object else { return false }
    return object.members.contains { name, member in isEnded(member, before: before?.object?[name], depth - 1) }
  }

  private static let ends: Set<String> = [
    "deleted", "expired", "archived", "removed", "trashed", "terminated", "deactivated",
  ]

  /// Determines whether the record still exists after a deletion with an unknown outcome.
  private func stays(_ made: MadeRecord) async throws(BackendError) {
    if case .gone(let read) = try await look() {
      step("read", read.evidence("not found"))
      if survey.claims[.deleteMethod] != nil { survey.prove(.deleteMethod, "DELETE", read.evidence("gone")) }
    } else {
      record.leave(record.sentence(made))
    }
  }

  /// Deletes the records of the trial after a cancellation or a failure, outside of the cancelled task, if a read has
  /// shown that they belong to the trial. The error's hint reports the outcome for each.
  func cleaned(after error: BackendError) async -> BackendError {
    var error = error
    var said: [String] = []
    var effect = BackendError.Effect.rejected
    for other in record.aside + (record.isGone ? [] : [made].compactMap(\.self)) {
      guard let target = other.target else {
        effect = .unknown
        said.append(record.doubtful(other))
        continue
      }
      let name = record.sentence(other)
      let isDone = await isDeleted(other, at: target)
      if isDone, record.leftover == name { record.leftover = nil }
      if !isDone, record.leftover != name { record.leave(name) }
      if isDone { said.append("the test record \(name) was deleted") }
    }
    if let leftover = record.leftover {
      if effect == .rejected { effect = .applied }
      said.append("not deleted: \(leftover)")
    }
    if let open = record.open {
      // Finding out if the record was created would take further requests, for which the caller no longer waits.
      effect = .unknown
      said.append("a record of \(survey.name) with \(open.name)=\(open.text) may have been created")
    }
    record.leftover = nil
    guard !said.isEmpty else { return error }
    (error.effect, error.hint) = (effect, said.joined(separator: "; "))
    return error
  }

  /// Deletes a record even if the task is cancelled. A read has shown the record, so that one not found is gone.
  private func isDeleted(_ other: MadeRecord, at target: ProbeTarget) async -> Bool {
    let request = prober.request(
      "DELETE", target, record.needsRevision ? other.revision.map { [("If-Match", $0)] } ?? [] : [])
    let exchange = prober.exchange
    let status = await Task { (try? await exchange.send(request))?.status ?? 0 }.value
    return (200..<300).contains(status) || [404, 410].contains(status)
  }
}
