import BackendClient
import BackendKit

/// The tools of a law, which uses only what the description declares, and changes only records of ``sandbox``.
struct LawContext: Sendable {
  let subject: ConformanceSubject
  /// The adapter over ``traffic``.
  let backend: JudgedBackend
  let traffic: CountingExchange
  let meter: MeteredExchange
  let description: BackendDescription
  let resource: ResourceDescription
  let sandbox: Sandbox

  var path: ResourcePath { subject.resource }
  var capabilities: Capabilities { resource.capabilities }
  var operations: Set<Capabilities.Operation> { capabilities.operations }

  var client: Client { Client(name: subject.name, backend: backend) }

  var own: OwnRecords { OwnRecords(context: self) }

  var fields: WritableFields { WritableFields(context: self) }

  // MARK: Exchanges

  /// The adapter over an exchange that only records requests, which can do no harm.
  func deadEnd() throws(CheckStop) -> (backend: JudgedBackend, traffic: CountingExchange) {
    let traffic = CountingExchange(nil)
    return (try backend(over: traffic), traffic)
  }

  /// The adapter over an exchange with a fault in every request, or in every possible write.
  func faulty(
    _ fault: FaultyExchange.Fault, writesOnly: Bool = false
  ) throws(CheckStop) -> (backend: JudgedBackend, exchange: FaultyExchange) {
    let exchange = FaultyExchange(traffic, fault) { !writesOnly || $0.mayWrite }
    return (try backend(over: exchange), exchange)
  }

  /// The adapter over an exchange that refuses writes.
  func withoutWrites() throws(CheckStop) -> (backend: JudgedBackend, exchange: FaultyExchange) {
    try faulty(.error(BackendError(.forbidden, "nothing is changed by this law", effect: .rejected)), writesOnly: true)
  }

  func answering(as other: HTTPRequest) -> AlteredExchange {
    AlteredExchange(traffic) { _, server throws(BackendError) in try await server.send(other) }
  }

  /// The adapter over the law's own exchange.
  func backend(over exchange: any HTTPExchange) throws(CheckStop) -> JudgedBackend {
    do {
      let made = try subject.make(exchange)
      // Over a faulty exchange, waiting for a write to show would be in vain.
      let isSound = exchange is BarrierExchange || (exchange as? CountingExchange) === traffic
      return isSound ? resource.judged(made, at: path) : JudgedBackend(inner: made, path: path)
    } catch {
      throw .breach("the adapter was created again", expected: "a backend", found: "\(error)")
    }
  }

  /// An exchange in which this many calls meet.
  func meeting(_ count: Int) -> BarrierExchange {
    BarrierExchange(traffic, of: count, patience: subject.patience)
  }

  // MARK: Conditions

  /// Ends the law as not applicable unless the resource declares these operations.
  func needs(_ wanted: Capabilities.Operation...) throws(CheckStop) {
    for operation in wanted where !operations.contains(operation) {
      throw .notApplicable("the resource does not declare \(operation.words)")
    }
  }

  func needsWriting() throws(CheckStop) {
    if subject.isReadOnly { throw .notApplicable(subject.reasonAgainstWriting) }
  }

  /// The result of a check; nil if it does not apply.
  func ifApplicable<Answer>(
    _ check: @autoclosure () async throws(CheckStop) -> Answer
  ) async throws(CheckStop) -> Answer? {
    do { return try await check() } catch {
      guard case .kept(.notApplicable) = error else { throw error }
      return nil
    }
  }

  /// Ends the law as broken unless the condition holds.
  func require(
    _ condition: Bool, _ done: @autoclosure () -> String, expected: @autoclosure () -> String,
    found: @autoclosure () -> String
  ) throws(CheckStop) {
    guard condition else { throw .breach(done(), expected: expected(), found: found()) }
  }

  /// Makes a call that must succeed.
  func attempt<Answer>(
    _ done: String, _ call: @autoclosure () async throws(BackendError) -> Answer
  ) async throws(CheckStop) -> Answer {
    do throws(BackendError) { return try await call() } catch {
      throw .breach(done, expected: "success", found: "the error \(error)")
    }
  }

  /// Makes a call that must succeed or fail with one of these codes; nil if it fails.
  func attempt<Answer>(
    _ done: String, or codes: [BackendError.Code], expected: String,
    _ call: @autoclosure () async throws(BackendError) -> Answer
  ) async throws(CheckStop) -> Answer? {
    do throws(BackendError) { return try await call() } catch {
      try require(codes.contains(error.code), done, expected: expected, found: "the error \(error)")
      return nil
    }
  }

  /// Makes a call that must fail with one of these codes and effects, by default those of a failure without a change.
  @discardableResult
  func expectFailure<Answer>(
    _ done: String, _ codes: [BackendError.Code], effects: [BackendError.Effect] = [.notSent, .rejected],
    of call: @autoclosure () async throws(BackendError) -> Answer
  ) async throws(CheckStop) -> BackendError {
    let wanted = codes.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
    do throws(BackendError) { _ = try await call() } catch {
      try require(codes.contains(error.code), done, expected: "the error \(wanted)", found: "the error \(error)")
      let words = effects.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      try require(
        effects.contains(error.effect), done, expected: "the effect \(words)",
        found: "\"\(error.effect.rawValue)\" in the error \(error)")
      return error
    }
    throw .breach(done, expected: "the error \(wanted)", found: "success")
  }
}
