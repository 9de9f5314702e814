import BackendClient
import BackendKit
import Synchronization

/// A run over a subject: the state that its laws share.
final class ConformanceRun: Sendable {
  private enum Opening {
    case opened(BackendDescription, ResourceDescription, Sandbox, isKnown: Bool)
    case failed(String)
  }

  private let subject: ConformanceSubject
  private let meter: MeteredExchange
  private let watch: CallMonitor
  private let opening = Mutex<Opening?>(nil)

  init(_ subject: ConformanceSubject) {
    let watch = CallMonitor(subject.resource)
    self.watch = watch
    var watched = subject
    watched.make = { [make = subject.make] exchange throws(BackendError) in
      WatchedBackend(inner: try make(exchange), watch: watch)
    }
    self.subject = watched
    meter = MeteredExchange(subject)
  }

  /// Judges a law within its time limit, and removes the records created for it.
  func judge(_ law: Law) async -> LawResult {
    let traffic = CountingExchange(meter)
    let begin = ContinuousClock.now
    let sent = meter.sent
    meter.beginLaw()
    var outcome = await TimeLimit.run(subject.timeLimit, of: meter.silence) { await self.outcome(of: law, traffic) }
    if outcome == nil {
      outcome = .broken(
        Breach(law.name, expected: "a response within \(subject.timeLimit)", found: "it hangs"))
    } else if meter.isLawExceeded {
      outcome = .broken(
        Breach(
          law.name, expected: "an end within \(subject.requestsPerLaw) requests", found: "it still sends requests"))
    }
    if case .opened(_, let resource, let sandbox, _)? = opening.withLock({ $0 }) {
      if case .broken(var breach)? = outcome {
        let hasSecrets = resource.fields.contains(where: \.holdsSecret)
        breach.exchanges = meter.lastHeard.map { $0.words(withBodies: !hasSecrets) }
        outcome = .broken(breach)
      }
      await clean { await sandbox.clean() }
    }
    let duration = ContinuousClock.now - begin
    return LawResult(law, outcome ?? .kept(.passed), requests: meter.sent - sent, duration: duration)
  }

  func unclaimed() async -> [String] {
    guard !meter.isSpent, let context = try? await self.context(CountingExchange(meter)) else { return [] }
    meter.beginLaw()
    let seen = await TimeLimit.run(subject.timeLimit, of: meter.silence) { await Unclaimed(context: context).find() }
    await clean { await context.sandbox.clean() }
    return seen ?? []
  }

  func takeLoss() -> Bool { meter.takeLoss() }

  /// Removes the records that laws shared; returns those that could not be removed.
  func close() async -> [RecordID] {
    guard case .opened(_, _, let sandbox, _)? = opening.withLock({ $0 }) else { return [] }
    await clean { await sandbox.close() }
    return sandbox.leftBehind
  }

  private func clean(_ work: @escaping @Sendable () async -> Void) async {
    meter.isCleaning(true)
    meter.silence.end()
    _ = await TimeLimit.run(subject.timeLimit, of: meter.silence, shielded: true, work)
    meter.isCleaning(false)
  }

  private func outcome(of law: Law, _ traffic: CountingExchange) async -> LawResult.Outcome {
    let spent = LawResult.Outcome.kept(.notApplicable("the request budget of \(subject.requestBudget) is used up"))
    if meter.isSpent { return spent }
    var verdict = Verdict.passed
    _ = watch.take()
    do { try await law.check(try await context(traffic)) } catch {
      switch error {
      // The adapter is not to blame for a request that the suite held back.
      case .breach(let breach): return meter.isExceeded ? spent : .broken(breach)
      case .kept(let other): verdict = other
      case .untried(let reason): verdict = .notApplicable(reason)
      }
    }
    if let breach = watch.take(), !meter.isExceeded { return .broken(breach) }
    return .kept(verdict)
  }

  private func context(_ traffic: CountingExchange) async throws(CheckStop) -> LawContext {
    if opening.withLock({ $0 }) == nil {
      let opened = await open()
      opening.withLock { $0 = opened }
    }
    switch opening.withLock({ $0 }) {
    case .opened(let description, let resource, let sandbox, let isKnown)?:
      do throws(BackendError) {
        let backend = try subject.make(traffic)
        // An adapter that learns its resources from the server is judged once it knows them.
        if !isKnown { _ = try await backend.describe(.live) }
        traffic.forget()
        return LawContext(
          subject: subject, backend: resource.judged(backend, at: subject.resource), traffic: traffic, meter: meter,
          description: description,
          resource: resource, sandbox: sandbox)
      } catch { throw .breach("the adapter was created", expected: "a backend", found: "\(error)") }
    case .failed(let why)?: throw .breach("the resource was looked up", expected: "its description", found: why)
    case nil: throw .notApplicable("the run was not opened")
    }
  }

  /// Reads the description of the resource; sends a request only if the adapter cannot know it.
  private func open() async -> Opening {
    do throws(BackendError) {
      let backend = try subject.make(meter)
      let client = Client(name: subject.name, backend: backend)
      let resource = try await client.resource(subject.resource)
      let known = try await client.describe(.known)
      let isKnown = known.resource(named: resource.name) != nil
      let description = isKnown ? known : try await client.describe(.live)
      let sandbox = Sandbox(
        subject, backend: resource.judged(backend, at: subject.resource), resource: resource,
        removingFrom: TestRecordCleanup.removal(of: resource, at: subject.resource, in: description), watch: watch)
      return .opened(description, resource, sandbox, isKnown: isKnown)
    } catch { return .failed("\(error)") }
  }
}
