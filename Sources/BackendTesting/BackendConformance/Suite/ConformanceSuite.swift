import BackendClient
public import BackendKit

/// Checks whether an adapter keeps the promises of the protocol.
public struct ConformanceSuite: Sendable {
  /// All laws, in the order in which they run.
  public static let laws = [
    Law.describing, Law.options, Law.planning, Law.refusing, Law.listing, Law.paging, Law.getting, Law.creating,
    Law.updating, Law.deleting, Law.errors, Law.identifiers, Law.values, Law.concurrency, Law.cancelling, Law.faults,
    Law.differential,
  ].flatMap(\.self)

  /// The common prefix of the marks in the suite's records.
  public static var mark: String { Sandbox.prefix }

  /// The subject to judge.
  public let subject: ConformanceSubject

  /// Creates a suite for a subject.
  public init(_ subject: ConformanceSubject) { self.subject = subject }

  /// Returns the law or part with this name.
  public static func law(named name: String) -> Law? {
    laws.first { $0.name == name } ?? laws.lazy.flatMap(\.parts).first { $0.name == name }
  }

  /// The laws that apply to the subject: for a mapping, those that the engine does not keep.
  var lawsOfSubject: [Law] {
    guard !subject.judgesEngine, let backend = try? subject.make(subject.exchange), backend is RESTBackend else {
      return Self.laws
    }
    return Self.laws.filter { !$0.isOfEngine }
  }

  /// Requests the description of the resource and the start of its list. Throws if the server is unreachable or lacks
  /// the resource, which should not count as broken laws; other errors are left to the laws.
  public func reach() async throws(BackendError) {
    let client = Client(name: subject.name, backend: try subject.make(subject.exchange))
    let resource = try await client.resource(subject.resource)
    guard resource.capabilities.operations.contains(.list) else { return }
    do throws(BackendError) {
      _ = try await client.list(
        ListRequest(ListQuery(subject.resource, pageSize: 1), limit: 1), to: RecordSink { _ in .enough })
    } catch {
      let stops: [BackendError.Code] = [
        .unavailable, .timedOut, .unauthorized, .forbidden, .notFound, .misconfigured, .cancelled,
      ]
      if stops.contains(error.code) || resource.identifier.isOptional && error.code == .badResponse { throw error }
    }
  }

  /// The reason why the server is no longer reachable; nil if it is.
  private func loss() async -> BackendError? {
    do throws(BackendError) { try await reach() } catch {
      if error.code == .unavailable || error.code == .timedOut { return error }
    }
    return nil
  }

  /// Judges these laws, by default all that apply, one after the other, and removes the records created for them, even
  /// if the task is cancelled.
  ///
  /// Results are reported as soon as they exist. With `failFast` the run ends after a broken law. It always ends after
  /// the third law with the same error, which the report then has as the cause.
  public func run(
    _ laws: [Law]? = nil, failFast: Bool = false,
    onResult: @Sendable (LawResult) async -> Void = { _ in }
  ) async -> ConformanceReport {
    var subject = subject
    if !subject.isReadOnly, let reason = await takenAlong() {
      (subject.isReadOnly, subject.reasonAgainstWriting) = (true, reason)
    }
    let run = ConformanceRun(subject)
    var report = ConformanceReport(
      subject: "\(subject.name)/\(subject.resource)", results: [], seed: subject.seed)
    report.permission = subject.isReadOnly ? " --read-only" : subject.isSandbox ? " --sandbox" : ""
    let isWhole = laws == nil
    let laws = laws ?? lawsOfSubject
    var causes = CommonCause()
    for (place, law) in laws.enumerated() {
      let result = await run.judge(law)
      // An interrupted law has no result.
      guard !Task.isCancelled else {
        report.isCancelled = true
        break
      }
      // An unreachable server says nothing about the law.
      if run.takeLoss(), let error = await loss() {
        report.loss = error
        break
      }
      report.results.append(result)
      await onResult(result)
      guard let breach = result.breach else { continue }
      if failFast { break }
      if let cause = causes.add(breach), place + 1 < laws.count {
        report.cause = cause
        report.notJudged = laws[(place + 1)...].map(\.name)
        break
      }
    }
    if isWhole, report.results.count == laws.count { report.unclaimed = await run.unclaimed() }
    report.leftBehind = await run.close()
    return report
  }

  /// The records of others that any deletion would take along, as a reason to write nothing; nil if there are none.
  private func takenAlong() async -> String? {
    guard let backend = try? subject.make(subject.exchange) else { return nil }
    let client = Client(name: subject.name, backend: backend)
    guard let resource = try? await client.resource(subject.resource), resource.capabilities.writes != .echoed,
      resource.dependents.contains(where: { $0.orphanSuffix != nil })
    else { return nil }
    do throws(BackendError) {
      // The records that go with any deletion.
      let absent = RecordID(Sandbox.prefix + "absent")
      let found = try await client.deletedAlong(with: [absent], in: resource, maximumScan: 1_000_000)
      let others = found.filter { $0.areOrphans && !(subject.isSandbox && $0.resource == resource.name) }
      guard !others.isEmpty else { return nil }
      let words = others.map { other in
        let records = other.count.map { counted($0, "record") } ?? "an unknown number of records"
        return other.resource.isEmpty ? records : "\(records) of \(other.resource)"
      }
      return "a deletion would also delete \(words.joined(separator: ", ")) with a reference to a missing record"
    } catch { return "what a deletion would also delete cannot be determined: \(error.message)" }
  }

  /// Judges a law. Throws its breach.
  @discardableResult
  public func check(_ law: Law) async throws(Breach) -> Verdict {
    let report = await run([law])
    guard let result = report.results.first else {
      throw Breach(law.name, expected: "a verdict", found: "the task was cancelled")
    }
    switch result.outcome {
    case .kept(let verdict): return verdict
    case .broken(let breach): throw breach
    }
  }

  /// Removes the records left behind by earlier runs, and returns their number. Throws if some remain.
  public func sweep() async throws(BackendError) -> Int {
    let backend = try subject.make(subject.exchange)
    let client = Client(name: subject.name, backend: backend)
    let resource = try await client.resource(subject.resource)
    let description = try await client.describe(.known)
    if let reason = await takenAlong() {
      throw BackendError(.forbidden, reason, effect: .notSent, hint: "delete shows what goes along, and asks")
    }
    let (removed, left, failure) = try await TestRecordCleanup(
      backend: resource.judged(backend, at: subject.resource),
      removal: TestRecordCleanup.removal(of: resource, at: subject.resource, in: description) ?? subject.resource,
      mark: Sandbox.prefix,
      keepsDeleted: resource.capabilities.keepsDeleted
    ).run()
    if removed.isEmpty, !left.isEmpty, let failure { throw failure }
    guard left.isEmpty else {
      throw BackendError(
        .badResponse,
        "\(left.count) of \(removed.count + left.count) records \(left.count == 1 ? "is" : "are") still there after"
          + " their deletion",
        effect: removed.isEmpty ? .rejected : .applied)
    }
    return removed.count
  }
}
