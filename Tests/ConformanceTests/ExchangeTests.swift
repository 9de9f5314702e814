import BackendConformance
import BackendKit
import Testing

@Suite("Ways to a server for tests") struct ExchangeTests {
  private let list: HTTPRequest
  private let server = ReferenceServer([Reference.paged.resource])

  init() throws { list = HTTPRequest("GET", try RequestPath("notes"), effect: .read) }

  private func error(_ exchange: FaultyExchange, _ request: HTTPRequest? = nil) async -> BackendError? {
    do throws(BackendError) {
      _ = try await exchange.send(request ?? list).body.collect()
      return nil
    } catch { return error }
  }

  @Test("a counted way remembers what was sent; over nothing it is a dead end")
  func counting() async throws {
    let counted = CountingExchange(server)
    _ = try await counted.send(list)
    #expect(counted.requests.map(\.summary) == ["GET /notes"])
    counted.forget()
    #expect(counted.count == 0)
    let end = CountingExchange(nil)
    await #expect(throws: BackendError.self) { _ = try await end.send(list) }
    #expect(end.count == 1)
  }

  @Test("an answer can be replaced, cut, renamed, dripped and endless")
  func answers() async throws {
    let whole = try await server.send(list).body.collect()
    let replaced = try await FaultyExchange(
      server, .answer(status: 429, type: "text/plain", body: "later", headers: [("Retry-After", "1")])
    ).send(list)
    #expect(replaced.status == 429 && replaced.header("retry-after") == "1")
    #expect(try await replaced.body.collect() == Array("later".utf8))
    let cut = try await FaultyExchange(server, .cutBody(after: 5)).send(list)
    #expect(try await cut.body.next() == Array(whole.prefix(5)))
    #expect(await error(FaultyExchange(server, .cutBody(after: 5)))?.code == .badResponse)
    let renamed = try await FaultyExchange(server, .contentType("text/html")).send(list)
    #expect(renamed.header("Content-Type") == "text/html")
    #expect(try await renamed.body.collect() == whole)
    let dripped = try await FaultyExchange(server, .drip).send(list)
    #expect(try await dripped.body.next() == [whole[0]])
    #expect(try await dripped.body.collect() == Array(whole.dropFirst()))
    #expect(await error(FaultyExchange(server, .endless))?.code == .badResponse)
  }

  @Test("a lost answer comes after the request was carried out; for a write outcome unknown")
  func lost() async throws {
    var create = list
    create.method = "POST"
    create.body = Array("{}".utf8)
    create.effect = .write
    let error = await error(FaultyExchange(server, .lostAnswer), create)
    #expect(error?.code == .unavailable && error?.effect == .unknown)
    #expect(server.records(of: "notes").count == 8)
  }

  @Test("only the requests chosen meet the fault")
  func chosen() async throws {
    let faulty = FaultyExchange(server, .error(BackendError(.timedOut, "late", effect: .notSent))) {
      $0.effect == .write
    }
    #expect(await error(faulty) == nil)
    var write = list
    write.effect = .write
    #expect(await error(faulty, write)?.code == .timedOut)
  }

  @Test("a stalled request ends when it is cancelled")
  func stalled() async {
    let faulty = FaultyExchange(server, .stall)
    let task = Task { await error(faulty) }
    await faulty.isMet()
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }
}
