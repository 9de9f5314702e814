import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

/// Services that do something unusual and say so.
@Suite("A peculiarity that is described breaks no law") struct PeculiarServiceTests {
  private func law(_ name: String) throws -> Law { try #require(ConformanceSuite.law(named: name)) }

  private func run(_ laws: [Law], over server: any HTTPExchange, _ reference: Reference) async -> ConformanceReport {
    var subject = reference.subject()
    subject.exchange = server
    subject.isSandbox = false
    return await ConformanceSuite(subject).run(laws)
  }

  @Test("fields of one type that cannot be cleared")
  func clearing() async throws {
    let subject = Reference.paged.subject { backend, _ in PartlyClearing(inner: backend) }
    let names = [
      "unset removes the value", "last change wins", "writes match a model", "null and empty are values",
      "update accepts created values",
    ]
    let report = await ConformanceSuite(subject).run(try names.map(law))
    #expect(report.failures.map { "\($0.law): \($0.breach.map { "\($0)" } ?? "")" } == [])
    #expect(report.count("passed") == names.count)
  }

  @Test("deleted records that can still be read", arguments: [true, false])
  func kept(isDescribed: Bool) async throws {
    var reference = Reference.paged
    reference.resource.description.capabilities.keepsDeleted = isDescribed
    let server = KeepingServer(ReferenceServer([reference.resource]))
    let laws = ConformanceSuite.laws.filter { $0.group == .delete }
    let others = try ["get missing record", "writes match a model", "delete during read"].map(law)
    let report = await run(laws + others, over: server, reference)
    let failed = report.failures.map(\.law.name)
    #expect(isDescribed ? failed == [] : failed.contains("deleted records are gone"), "\(failed)")
    // Those of the others that a deletion leaves are still looked for.
    let list = try #require(report.results.first { $0.law.name == "delete targets one record" })
    #expect(list.words == "passed")
    #expect(report.leftBehind == [])
  }

  @Test("texts of a pattern, and of a field with unique values, at their maximum length", arguments: [true, false])
  func longest(isUnique: Bool) async throws {
    var reference = Reference.limited
    let body = try #require(reference.resource.description.fields.firstIndex { $0.name == "body" })
    reference.resource.description.fields[body].isUnique = isUnique
    reference.resource.description.fields[body].pattern = isUnique ? nil : "^[a-w ]*$"
    let seen = Mutex<Set<String>>([])
    let server = AlteredExchange(ReferenceServer([reference.resource])) { request, server throws(BackendError) in
      let sent = request.body.flatMap { try? JSONReader.read($0) }?.object?["body"]?.text
      if request.method == "POST", let sent {
        let isNew = seen.withLock { $0.insert(sent).inserted }
        guard isUnique ? isNew : !sent.contains("x") else {
          return HTTPResponse(
            status: 422, headers: [("Content-Type", "application/json")],
            body: HTTPBody(whole: Array(#"{"error":"a body is not like that"}"#.utf8)))
        }
      }
      return try await server.send(request)
    }
    let report = await run([try law("maximum length")], over: server, reference)
    #expect(report.failures.map { $0.breach.map { "\($0)" } ?? "" } == [])
    #expect(report.count("passed") == 1 && (!isUnique || seen.withLock { !$0.isEmpty }))
  }

  @Test("moments that the server writes in another form")
  func moments() async throws {
    var reference = Reference.paged
    reference.resource.description.fields.append(FieldDescription("due", .date))
    @Sendable func precise(_ record: inout Record) {
      guard let text = record.fields["due"]?.text, text.hasSuffix("Z"), !text.contains(".") else { return }
      record.fields["due"] = .string(text.dropLast() + ".000Z")
    }
    let subject = reference.subject { backend, exchange in
      var broken = BrokenBackend(inner: backend, exchange: exchange)
      broken.got = { record, _ in precise(&record) }
      broken.receipt = { receipt, _ in
        guard var record = receipt.record else { return }
        precise(&record)
        receipt.record = record
      }
      broken.page = { page, _, _ in for place in page.records.indices { precise(&page.records[place]) } }
      return broken
    }
    let names = ["create stores the fields", "update sets the values", "writable fields"]
    let report = await ConformanceSuite(subject).run(try names.map(law))
    #expect(report.failures.map { "\($0.law): \($0.breach.map { "\($0)" } ?? "")" } == [])
    #expect(report.count("passed") == names.count)
  }

  @Test("a refusal whose words are kept, or lost", arguments: [true, false])
  func refused(isExplained: Bool) async throws {
    var subject = Reference.paged.subject { backend, exchange in
      var broken = BrokenBackend(inner: backend, exchange: exchange)
      broken.failing = { error, operation in
        if operation == "create", error.code == .invalid, !isExplained { error.message = "refused" }
        return true
      }
      return broken
    }
    subject.exchange = AlteredExchange(ReferenceServer([Reference.paged.resource])) {
      request, server throws(BackendError) in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      guard request.method == "POST", body.contains("neither") else { return try await server.send(request) }
      return HTTPResponse(
        status: 422, headers: [("Content-Type", "application/json")],
        body: HTTPBody(whole: Array(#"{"error":"a note is not like that"}"#.utf8)))
    }
    let result = try #require(await ConformanceSuite(subject).run([law("refusals are explained")]).results.first)
    #expect(result.words == (isExplained ? "passed" : "failed"))
    #expect(result.breach?.exchanges.first?.hasSuffix(#"→ 422 {"error":"a note is not like that"}"#) != false)
  }

  @Test("identifiers that have to look like the few that there are", arguments: ["^r[0-9]{1,8}$", "^r[0-9a-z]+$"])
  func alike(pattern: String) async throws {
    var capabilities = Capabilities.all
    (capabilities.takesIdentifiers, capabilities.needsIdentifiers) = (true, true)
    var reference = Reference(capabilities, form: .text)
    reference.resource.description.identifier.pattern = pattern
    let id = try #require(reference.resource.description.fields.firstIndex { $0.name == "id" })
    reference.resource.description.fields[id].isReadOnly = false
    let names = ["creates are independent", "get missing record", "chosen identifiers", "concurrent calls"]
    let report = await ConformanceSuite(reference.subject()).run(try names.map(law))
    #expect(report.failures.map { "\($0.law): \($0.breach.map { "\($0)" } ?? "")" } == [])
    #expect(report.count("passed") == names.count)
  }

  @Test("texts that have to be unique although nobody says so")
  func undeclaredUnique() async throws {
    let reference = Reference.paged
    let inner = ReferenceServer([reference.resource])
    let server = AlteredExchange(inner) { request, server throws(BackendError) in
      let sent = request.body.flatMap { try? JSONReader.read($0) }?.object
      let texts = ["title", "body"].map { ($0, (sent?["set"]?.object ?? sent)?[$0]) }.filter { $0.1?.text != nil }
      let others = inner.records(of: "notes").filter { $0.id?.text != request.path.segments.last }
      guard others.contains(where: { other in texts.contains { other.fields[$0.0] == $0.1 } }) else {
        return try await server.send(request)
      }
      return HTTPResponse(
        status: 409, headers: [("Content-Type", "application/json")],
        body: HTTPBody(whole: Array(#"{"error":"another note has this text"}"#.utf8)))
    }
    let names = ["update sets the values", "update accepts created values", "writable fields", "text is preserved"]
    let report = await run(try names.map(law), over: server, reference)
    #expect(report.failures.map { "\($0.law): \($0.breach.map { "\($0)" } ?? "")" } == [])
    #expect(report.count("passed") == names.count)
  }

  @Test("a list of which no second page is known, cut or whole", arguments: [7, 100])
  func untested(most: Int) async throws {
    let subject = Reference.unpaged.subject { backend, exchange in
      var cutting = BrokenBackend(inner: backend, exchange: exchange)
      cutting.page = { page, _, _ in
        page.records = Array(page.records.prefix(most))
        page.end.proof = .untested
      }
      return cutting
    }
    for name in ["created record is listed", "stable order"] {
      let result = try #require(await ConformanceSuite(subject).run([law(name)]).results.first)
      #expect(
        result.words == (most == 7 ? "not applicable" : "passed"), "\(name): \(result.breach.map { "\($0)" } ?? "")")
      #expect(result.reasonNotApplicable?.contains("page in a description") != false)
    }
  }

  @Test("writes that reads and lists show only later", arguments: [true, false])
  func later(isDescribed: Bool) async throws {
    var reference = Reference.paged
    reference.resource.description.capabilities.showsWritesLater = isDescribed
    let groups: Set<LawGroup> = [.get, .paging, .create, .update, .delete, .values]
    let laws =
      isDescribed ? ConformanceSuite.laws.filter { groups.contains($0.group) } : [try law("create stores the fields")]
    let report = await run(laws, over: LaggingServer([reference.resource]), reference)
    #expect(report.failures.isEmpty == isDescribed, "\(report.failures.map { "\($0.law): \($0.words)" })")
    if isDescribed { #expect(report.leftBehind == []) }
  }
}

/// An adapter that cannot clear the field `body`.
private struct PartlyClearing: ForwardingBackend {
  let inner: any Backend

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    guard !changes.contains(.unset("body")) else { throw .unsupported("a body cannot be cleared") }
    return try await inner.update(id, in: resource, changes: changes, revision: revision)
  }
}

/// A server that still shows a deleted record to whoever asks for it.
private final class KeepingServer: HTTPExchange {
  private let inner: ReferenceServer
  private let deleted = Mutex<[[String]: [UInt8]]>([:])

  init(_ inner: ReferenceServer) { self.inner = inner }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let path = request.path.segments
    guard path.count == 2, ["GET", "DELETE"].contains(request.method) else { return try await inner.send(request) }
    let record = try await inner.send(HTTPRequest("GET", request.path, effect: .read))
    if request.method == "DELETE" {
      let body = try await record.body.collect()
      if record.status == 200 { deleted.withLock { $0[path] = body } }
      return try await inner.send(request)
    }
    guard record.status == 404, let body = deleted.withLock({ $0[path] }) else { return record }
    return HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: HTTPBody(whole: body))
  }
}

/// A server whose reads show a write only from the second one on.
private final class LaggingServer: HTTPExchange {
  private let written: ReferenceServer
  private let shown: ReferenceServer
  private let waiting = Mutex<[(request: HTTPRequest, reads: Int)]>([])

  init(_ resources: [InMemoryResource]) {
    written = ReferenceServer(resources)
    shown = ReferenceServer(resources)
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard request.effect == .read else {
      let answer = try await written.send(request)
      waiting.withLock { $0.append((request, 1)) }
      return answer
    }
    let due = waiting.withLock { waiting in
      let due = waiting.prefix { $0.reads == 0 }.map(\.request)
      waiting.removeFirst(due.count)
      for place in waiting.indices { waiting[place].reads -= 1 }
      return due
    }
    for write in due { _ = try await shown.send(write) }
    return try await shown.send(request)
  }
}
