import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

/// A server that takes its time, or has had enough, or says the same of everything.
@Suite("CompletionDeadline") struct PatienceTests {
  private let server = ReferenceServer([Reference.paged.resource])

  private func subject(_ exchange: any HTTPExchange) -> ConformanceSubject {
    var subject = Reference.paged.subject()
    subject.exchange = exchange
    return subject
  }

  private func law(_ name: String) throws -> Law { try #require(ConformanceSuite.law(named: name)) }

  /// By what the times of a test are multiplied, until one is long enough for a busy machine.
  private let scales = [1, 4, 16, 64]

  @Test("a law that takes longer than the limit is judged as long as every request is answered") func slow()
    async throws
  {
    // Many requests, each of which takes a small part of the limit, or a larger one on a busy machine.
    for scale in scales {
      let slow = OddServer(server) { _ in
        try? await Task.sleep(for: .milliseconds(40) * scale)
        return nil
      }
      var subject = subject(slow)
      subject.timeLimit = .milliseconds(1_000) * scale
      let report = await ConformanceSuite(subject).run([try law("generated queries")])
      guard report.failures.isEmpty || scale == scales.last else { continue }
      #expect(report.failures.isEmpty, "\(report.failures.first?.breach.map { "\($0)" } ?? "")")
      #expect(report.duration > subject.timeLimit)
      return
    }
  }

  @Test("a server that says no more is reported as silence") func silent() async throws {
    var subject = subject(
      FaultyExchange(server, .stall) { [count = Counter()] _ in count.next() > 4 })
    subject.timeLimit = .milliseconds(300)
    let report = await ConformanceSuite(subject).run([try law("generated queries")])
    #expect(report.failures.first?.breach?.found == "it hangs")
  }

  @Test("a law that makes requests without end is ended") func endless() async throws {
    var subject = subject(server)
    subject.requestsPerLaw = 50
    subject.make = { exchange in
      var broken = BrokenBackend(
        inner: ReferenceBackend([Reference.paged.resource], exchange: exchange), exchange: exchange)
      broken.before = { operation throws(BackendError) in
        while operation == "get" { _ = try await exchange.send(HTTPRequest("GET", .base, effect: .read)) }
      }
      return broken
    }
    let report = await ConformanceSuite(subject).run([try law("get is repeatable")])
    #expect(report.failures.first?.breach?.expected == "an end within 50 requests")
  }

  @Test("the time that is spent to keep to a rate counts for nobody") func rate() async throws {
    var subject = subject(server)
    subject.rate = 1
    // The pauses take a second, so that no limit is right on every machine; but where they count, each of these is passed.
    for limit in [200, 400, 800, 900] {
      subject.timeLimit = .milliseconds(limit)
      let report = await ConformanceSuite(subject).run([try law("get is repeatable")])
      guard report.failures.isEmpty || limit == 900 else { continue }
      #expect(report.failures.isEmpty)
      #expect(report.duration > subject.timeLimit)
      return
    }
  }

  @Test("a server that has had too many requests is waited for, and that is reported") func tooMany() async throws {
    for scale in scales {
      let count = Counter()
      let busy = OddServer(server) { _ in
        count.next() != 2
          ? nil : HTTPResponse(status: 429, headers: [("Retry-After", "\(scale)")], body: HTTPBody(whole: []))
      }
      var subject = subject(busy)
      let waits = Kept<[Duration?]>([])
      subject.onWait = { wait in waits.value += [wait] }
      subject.timeLimit = .milliseconds(500) * scale
      let report = await ConformanceSuite(subject).run([try law("get is repeatable")])
      guard report.failures.isEmpty || scale == scales.last else { continue }
      #expect(report.failures.isEmpty)
      #expect(waits.value == [.seconds(scale), nil])
      return
    }
  }

  @Test("a run that waits for a busy server can be cancelled") func cancelled() async throws {
    let busy = OddServer(server) { _ in
      HTTPResponse(status: 429, headers: [("Retry-After", "60")], body: HTTPBody(whole: []))
    }
    var subject = subject(busy)
    let (waits, waiting) = AsyncStream<Void>.makeStream()
    subject.onWait = { _ in waiting.yield() }
    let suite = ConformanceSuite(subject)
    let task = Task { [law = try law("get is repeatable")] in await suite.run([law]) }
    for await _ in waits { break }
    task.cancel()
    #expect(await task.value.isCancelled)
  }

  @Test("what makes law after law fail is reported once, and the run is stopped") func oneCause() async throws {
    var subject = subject(server)
    subject.make = { exchange in
      var broken = BrokenBackend(
        inner: ReferenceBackend([Reference.paged.resource], exchange: exchange), exchange: exchange)
      let count = Counter()
      broken.before = { operation throws(BackendError) in
        if operation == "create" { throw .invalid("email \(count.next()) is needed") }
      }
      return broken
    }
    let report = await ConformanceSuite(subject).run()
    let cause = try #require(report.cause)
    #expect(report.failures.filter { $0.breach?.found.contains("invalid") == true }.count == 3, "\(cause)")
    #expect(!report.isPassed && report.results.count + report.notJudged.count == ConformanceSuite.laws.count)
    let text = TextReport.text(report)
    #expect(text.contains("Stopped: 3 laws failed with the same error; \(report.notJudged.count) were not checked."))
    #expect(TAPReport.text(report).contains("Bail out! 3 laws failed with the same error"))
    #expect(JUnitReport.text(report).contains("<skipped message=\"not run\"/>"))
  }
}

/// A server that answers some requests otherwise.
struct OddServer: HTTPExchange {
  private let inner: any HTTPExchange
  private let answer: @Sendable (HTTPRequest) async -> HTTPResponse?

  init(_ inner: any HTTPExchange, _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse?) {
    self.inner = inner
    self.answer = answer
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    if let answer = await answer(request) { return answer }
    return try await inner.send(request)
  }
}
