import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("A good guest") struct GuestTests {
  private let server: ReferenceServer
  private let traffic: CountingExchange
  private var subject: ConformanceSubject

  init() {
    let reference = Reference.paged
    server = ReferenceServer([reference.resource])
    traffic = CountingExchange(server)
    subject = reference.subject()
    subject.exchange = traffic
    subject.isSandbox = false
  }

  private var writes: [HTTPRequest] { traffic.requests.filter { $0.effect != .read } }

  private func law(_ name: String) throws -> Law { try #require(ConformanceSuite.law(named: name)) }

  @Test("outside a sandbox no request deletes more than one record")
  func neverAll() async {
    _ = await ConformanceSuite(subject).run()
    #expect(writes.contains { $0.method == "DELETE" })
    #expect(!writes.contains { $0.method == "DELETE" && $0.path.segments.count < 2 })
  }

  @Test("an adapter that looks through the list before it deletes a record deletes no more than that record")
  mutating func lookingFirst() async throws {
    subject.make = { exchange in
      var looking = BrokenBackend(
        inner: ReferenceBackend([Reference.paged.resource], exchange: exchange), exchange: exchange)
      looking.before = { operation throws(BackendError) in
        guard operation == "delete" || operation == "update" else { return }
        _ = try await exchange.send(HTTPRequest("GET", try RequestPath("notes"), effect: .read))
      }
      return looking
    }
    for name in ["delete targets one record", "wildcards in identifiers"] {
      #expect(try await ConformanceSuite(subject).check(law(name)) == .passed)
    }
  }

  @Test("a run that may not write sends nothing that writes, and says which laws it could not judge")
  mutating func readOnly() async {
    subject.isReadOnly = true
    let report = await ConformanceSuite(subject).run()
    #expect(writes.isEmpty)
    #expect(report.failures.isEmpty)
    #expect(report.results.contains { $0.reasonNotApplicable == "nothing may be written in this run" })
    #expect(report.count("passed") > 30)
  }

  @Test("where nothing is described, generated records vary the fields that records have")
  mutating func learned() async throws {
    var reference = Reference.paged
    reference.resource.description.fields = []
    let server = ReferenceServer([reference.resource])
    subject.exchange = CountingExchange(server)
    subject.make = { [resource = reference.resource] exchange in ReferenceBackend([resource], exchange: exchange) }
    let report = await ConformanceSuite(subject).run([try law("generated conditions")])
    #expect(report.failures.isEmpty)
    let sent = (subject.exchange as? CountingExchange)?.requests.filter { $0.method == "POST" } ?? []
    let bodies = sent.compactMap { $0.body.map { String(decoding: $0, as: UTF8.self) } }
    for field in ["body", "priority", "done", "price"] {
      #expect(bodies.contains { $0.contains("\"\(field)\"") }, "\(field) in none of \(bodies.count) records")
    }
  }

  @Test("what a failure is shrunk to holds none of the records that were made to try fields")
  func shrunk() async throws {
    let broken = Fault.all.first { $0.law == "generated conditions" }
    let report = await ConformanceSuite(try #require(broken).subject).run([try law("generated conditions")])
    let breach = try #require(report.failures.first?.breach)
    #expect(!breach.done.contains("1009"))
  }

  @Test("a run that may not write stops what a broken adapter writes")
  mutating func readOnlyBroken() async throws {
    subject.make = { exchange in
      var broken = BrokenBackend(
        inner: ReferenceBackend([Reference.paged.resource], exchange: exchange), exchange: exchange)
      broken.before = { _ throws(BackendError) in
        _ = try await exchange.send(HTTPRequest("DELETE", try RequestPath("notes"), effect: .write))
      }
      return broken
    }
    subject.isReadOnly = true
    let report = await ConformanceSuite(subject).run([try law("stable order")])
    #expect(report.failures.count == 1)
    #expect(writes.isEmpty)
    #expect(server.records(of: "notes").count == 7)
  }

  @Test("a run makes no more requests than it may, and still removes what it made")
  mutating func budget() async {
    subject.requestBudget = 40
    let before = server.records(of: "notes")
    let report = await ConformanceSuite(subject).run()
    #expect(report.results.last?.reasonNotApplicable == "the request budget of 40 is used up")
    #expect(server.records(of: "notes") == before)
    #expect(report.failures.isEmpty)
  }

  @Test("a law that has no request left ends without a verdict")
  mutating func spent() async throws {
    subject.requestBudget = 3
    let report = await ConformanceSuite(subject).run([try law("pages of one record")])
    #expect(report.results.first?.reasonNotApplicable == "the request budget of 3 is used up")
    #expect(traffic.count == 3)
  }

  @Test("requests keep to the rate")
  mutating func rate() async throws {
    subject.rate = 100
    let report = await ConformanceSuite(subject).run([try law("end of list")])
    #expect(report.requests > 3)
    #expect(report.duration >= .milliseconds(10) * (report.requests - 2))
  }

  @Test("records are marked, and a sweep removes those that are left and no other")
  func sweep() async throws {
    let backend = ReferenceBackend([Reference.paged.resource], exchange: server)
    let before = server.records(of: "notes")
    for title in ["switchboard-conformance-old-1", "switchboard-conformance-older-2"] {
      _ = try await backend.create(Object([("title", .string(title)), ("priority", 1)]), in: Reference.notes)
    }
    _ = try await backend.create(
      Object([("title", "about switchboard-conformance-x"), ("priority", 1)]), in: Reference.notes)
    #expect(try await ConformanceSuite(subject).sweep() == 2)
    #expect(server.records(of: "notes").count == before.count + 1)
    #expect(try await ConformanceSuite(subject).sweep() == 0)
  }

  @Test("a run that is cancelled in the middle of a law leaves nothing behind")
  mutating func cancelled() async throws {
    let before = server.records(of: "notes")
    // The server carries out every change and then says no more.
    let stalled = Stalling(inner: traffic)
    subject.exchange = stalled
    let suite = ConformanceSuite(subject)
    let task = Task { await suite.run() }
    await stalled.isMet()
    task.cancel()
    stalled.letThrough()
    let report = await task.value
    #expect(report.isCancelled)
    #expect(report.results.count < ConformanceSuite.laws.count)
    #expect(server.records(of: "notes") == before)
    #expect(traffic.requests.contains { $0.method == "POST" })
  }

  @Test("an adapter that hangs fails the law and not the run")
  mutating func hangs() async throws {
    let inner = subject.make
    subject.make = { exchange throws(BackendError) in
      var broken = BrokenBackend(inner: try inner(exchange), exchange: exchange)
      // Waits where no cancellation reaches it.
      broken.before = { operation in
        if operation == "plan" { await Task.detached { try? await Task.sleep(for: .seconds(3_600)) }.value }
      }
      return broken
    }
    // An adapter that hangs exceeds any limit. One that does not keeps within some limit, however busy the machine is.
    var report: ConformanceReport
    subject.timeLimit = .milliseconds(200)
    repeat {
      report = await ConformanceSuite(subject).run([
        try law("one fidelity per filter"), try law("get returns requested record"),
      ])
      subject.timeLimit *= 8
    } while report.failures.count > 1 && subject.timeLimit < .seconds(600)
    #expect(report.results.map(\.words) == ["failed", "passed"])
    #expect(report.failures.first?.breach?.found == "it hangs")
  }

  @Test("where no text field can hold the mark, nothing is written")
  func unmarkable() async throws {
    var resource = Reference.paged.resource
    resource.description.fields[1].maximumLength = 20
    resource.description.fields[2].maximumLength = 20
    let resources = [resource]
    let suite = ConformanceSuite(
      ConformanceSubject("reference", Reference.notes, exchange: traffic) {
        ReferenceBackend(resources, exchange: $0)
      })
    let report = await suite.run([try law("create stores the fields")])
    #expect(
      report.results.first?.reasonNotApplicable
        == "no text field can hold the mark by which the suite recognizes its records")
    #expect(writes.isEmpty)
  }
}

/// A way on which every answer to a write is held back until the call is cancelled, or until all is let through.
private final class Stalling: HTTPExchange {
  private let inner: any HTTPExchange
  private let isOpen = Mutex(false)
  private let (met, meeting) = AsyncStream<Void>.makeStream()

  init(inner: any HTTPExchange) { self.inner = inner }

  func isMet() async { for await _ in met { return } }

  func letThrough() { isOpen.withLock { $0 = true } }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let answer = try await inner.send(request)
    guard request.effect != .read, !isOpen.withLock({ $0 }) else { return answer }
    meeting.yield()
    try? await Task.sleep(for: .seconds(60))
    throw BackendError(.cancelled, "the call was cancelled", effect: .unknown)
  }
}
