import BackendClient
import BackendConformance
import BackendKit
import Testing

/// Records that were there stay as they are, and those of the suite are removed, or named.
@Suite("Records of the suite and of others") struct OwnRecordsTests {
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

  private var records: [Record] { server.records(of: "notes") }

  private func law(_ name: String) throws -> Law { try #require(ConformanceSuite.law(named: name)) }

  /// The requests that change or delete one of these records.
  private func writes(to records: [Record]) -> [HTTPRequest] {
    let ids = Set(records.compactMap { $0.id?.text })
    return traffic.requests.filter { $0.effect != .read && ids.contains($0.path.segments.last ?? "") }
  }

  /// Changes the adapter of the subject.
  private mutating func breaks(_ alter: @escaping @Sendable (inout BrokenBackend) -> Void) {
    subject.make = { exchange in
      let inner = ReferenceBackend([Reference.paged.resource], exchange: exchange)
      var broken = BrokenBackend(inner: inner, exchange: exchange)
      alter(&broken)
      return broken
    }
  }

  @Test(
    "no law changes or deletes a record that was there, whether responses have identifiers or not",
    arguments: [
      true, false,
    ])
  mutating func foreign(areReported: Bool) async {
    if !areReported {
      breaks { silent in
        silent.receipt = { receipt, operation in
          guard operation == "create" else { return }
          receipt = WriteReceipt(id: nil, notes: ["no response has the identifier"])
        }
      }
    }
    let before = records
    let report = await ConformanceSuite(subject).run()
    #expect(traffic.requests.contains { $0.method == "DELETE" })
    #expect(writes(to: before).map(\.summary) == [])
    #expect(records == before)
    #expect(report.leftBehind == [])
  }

  @Test("a record that was there is not touched where a receipt names it as the new one")
  mutating func claimed() async throws {
    breaks { broken in
      broken.receipt = { receipt, operation in if operation == "create" { receipt.id = "1" } }
    }
    let before = records
    let report = await ConformanceSuite(subject).run()
    #expect(report.failures.contains { $0.breach?.found.contains("one that was there before") == true })
    #expect(writes(to: before).map(\.summary) == [])
    #expect(records == before)
  }

  @Test("records that can neither be deleted nor found are named")
  mutating func named() async throws {
    breaks { broken in
      broken.page = { page, _, _ in page.records.removeAll(where: Fault.isOwn) }
      broken.before = { operation throws(BackendError) in
        if operation == "delete" { throw BackendError(.notFound, "there is no such note", effect: .rejected) }
      }
    }
    let report = await ConformanceSuite(subject).run([try law("create stores the fields")])
    let left = records.filter(Fault.isOwn).compactMap(\.id)
    #expect(!left.isEmpty && Set(report.leftBehind) == Set(left))
    let first = report.leftBehind.first?.text ?? "none"
    #expect(TextReport.text(report).contains("of the suite could not be removed: \(first)"))
  }

  @Test("a record whose creation got no response is removed by the identifier it chose, though no list shows it")
  mutating func unanswered() async throws {
    var capabilities = Capabilities.all
    capabilities.takesIdentifiers = true
    var reference = Reference(capabilities, form: .text)
    reference.resource.description.fields[0].isRequired = true
    reference.resource.description.fields[0].isReadOnly = false
    let resource = reference.resource
    let server = ReferenceServer([resource])
    subject.exchange = server
    subject.make = { exchange in
      let inner = ReferenceBackend([resource], exchange: exchange)
      var hiding = BrokenBackend(inner: inner, exchange: exchange)
      hiding.page = { page, _, _ in page.records.removeAll(where: Fault.isOwn) }
      let fields = Kept(Object())
      hiding.creating = { fields.value = $0 }
      // Looks first whether the identifier is taken, as adapters of services do that replace records.
      hiding.before = { operation throws(BackendError) in
        guard operation == "create", let id = RecordID(fields.value["id"]) else { return }
        guard (try? await inner.get(id, from: Reference.notes)) != nil else { return }
        throw BackendError(.alreadyExists, "there is such a note", effect: .notSent)
      }
      return hiding
    }
    let before = server.records(of: "notes")
    let report = await ConformanceSuite(subject).run([try law("lost write response")])
    #expect(report.failures.isEmpty && report.results.first?.reasonNotApplicable == nil)
    #expect(server.records(of: "notes") == before)
    #expect(report.leftBehind == [])
  }

  @Test(
    "a record that the list shows and no address leads to is named, and no other is made", arguments: [true, false])
  mutating func unreachable(isListed: Bool) async throws {
    var capabilities = Capabilities.all
    capabilities.writes = .unknown
    let resource = Reference(capabilities).resource
    let server = ReferenceServer([resource])
    // A list may show it late.
    let shown = Kept(isListed)
    subject.exchange = server
    subject.make = { exchange in
      var lost = BrokenBackend(inner: ReferenceBackend([resource], exchange: exchange), exchange: exchange)
      lost.before = { operation throws(BackendError) in
        guard ["get", "delete"].contains(operation) else { return }
        throw BackendError(.notFound, "there is no such note", effect: .rejected)
      }
      lost.page = { page, _, _ in if !shown.value { page.records.removeAll(where: Fault.isOwn) } }
      return lost
    }
    let laws = ["create stores the fields", "delete leaves other records unchanged", "update keeps other fields"]
    let report = await ConformanceSuite(subject).run(try laws.map { try law($0) }) { _ in shown.value = true }
    let left = server.records(of: "notes").filter(Fault.isOwn).compactMap(\.id)
    #expect(!left.isEmpty && Set(report.leftBehind) == Set(left))
    guard isListed else { return }
    #expect(left.count == 1)
    let reasons = report.results.compactMap(\.reasonNotApplicable)
    #expect(reasons.count == 3 && reasons.allSatisfy { $0.contains("cannot be read by its identifier") }, "\(reasons)")
  }
}
