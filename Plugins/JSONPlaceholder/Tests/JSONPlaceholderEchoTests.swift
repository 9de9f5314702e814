import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderEchoTests {
  private let todos = PlaceholderServer.todos

  private func writes(_ backend: any Backend) async throws -> Capabilities.Writes? {
    try await backend.describe(.known).resource(named: "todos")?.capabilities.writes
  }

  @Test func `The first record made shows whether writes are kept, and is read back once`() async throws {
    for (profile, kept) in [("json-server", Capabilities.Writes.kept), ("jsonplaceholder", .echoed)] {
      let server = try await PlaceholderServer.start(profile, seed: 30)
      let backend = try server.backend()
      #expect(try await writes(backend) == .unknown)
      let first = try await backend.create(["title": "x"], in: todos)
      #expect(first.writes == kept && first.id == "31")
      #expect(first.notes == [])
      // That a record is missing counts only if the service responds otherwise.
      let alive = kept == .kept ? [] : ["GET /todos?_page=1&_limit=1"]
      #expect(server.exchange.summaries == ["POST /todos", "GET /todos/31"] + alive)
      #expect(server.exchange.requests[1].header("Cache-Control") == "no-cache")
      #expect(try await writes(backend) == kept)
      server.exchange.forget()
      let second = try await backend.create(["title": "y"], in: todos)
      #expect(second.writes == kept && second.id == (kept == .kept ? "32" : "31"))
      #expect(server.exchange.summaries == ["POST /todos"])
    }
  }

  @Test func `The first update shows it too`() async throws {
    for (profile, kept) in [("json-server", Capabilities.Writes.kept), ("jsonplaceholder", .echoed)] {
      for change in [Change.set("title", "x"), .unset("title")] {
        let server = try await PlaceholderServer.start(profile)
        let backend = try server.backend()
        let receipt = try await backend.update("3", in: todos, changes: [change], revision: nil)
        #expect(receipt.writes == kept, "\(profile) \(change)")
        let isReplaced = change == .unset("title")
        #expect(receipt.notes == (isReplaced ? ["read and replaced: concurrent changes are lost"] : []))
      }
    }
  }

  @Test func `An update that changes nothing shows nothing`() async throws {
    let server = try await PlaceholderServer.start("jsonplaceholder")
    let backend = try server.backend()
    let title = try #require(try await backend.get("3", from: todos).fields["title"])
    let receipt = try await backend.update("3", in: todos, changes: [.set("title", title)], revision: nil)
    #expect(receipt.writes == .unknown)
    #expect(try await writes(backend) == .unknown)
  }

  @Test func `The first deletion shows it too`() async throws {
    for (profile, kept) in [("json-server", Capabilities.Writes.kept), ("jsonplaceholder", .echoed)] {
      let server = try await PlaceholderServer.start(profile)
      let backend = try server.backend()
      let receipt = try await backend.delete(.one("3"), from: todos)
      #expect(receipt.writes == kept)
      let stored = try await server.stored("todos/3")
      #expect((stored?.object == nil) == (kept == .kept), "\(profile)")
    }
  }

  @Test func `What the configuration says is not tried`() async throws {
    for (profile, option) in [("json-server", "kept"), ("jsonplaceholder", "echoed")] {
      let server = try await PlaceholderServer.start(profile)
      let backend = try server.backend([("writes", .string(option))])
      let receipt = try await backend.create(["title": "x"], in: todos)
      #expect(receipt.writes.rawValue == option)
      #expect(server.exchange.summaries == ["POST /todos"])
    }
  }

  @Test func `A failure to read back takes nothing from the write`() async throws {
    let written = try WrittenServer(
      [],
      FixtureServer(FixtureServer.json(201, #"{"title":"x","id":31}"#), FixtureServer.answer(503, [], "<html>")))
    let receipt = try await written.backend.create(["title": "x"], in: todos)
    #expect(receipt.id == "31" && receipt.writes == .unknown && receipt.notes.count == 1)
  }

  @Test func `A 500 to a replacement is not found only where a reading confirms it`() async throws {
    let stack = FixtureServer.answer(500, [("Content-Type", "text/html")], "TypeError: undefined\n    at /srv/x.js")
    let record = FixtureServer.json(200, #"{"id":3,"title":"x"}"#)
    for (confirmation, code) in [(FixtureServer.json(404, "{}"), BackendError.Code.notFound), (record, .badResponse)] {
      let written = try WrittenServer([("writes", "echoed")], FixtureServer(record, stack, confirmation))
      let error = await failure { () throws(BackendError) in
        _ = try await written.backend.update("3", in: todos, changes: [.unset("title")], revision: nil)
      }
      #expect(error?.code == code)
      #expect(written.server.requests.map { $0.prefix(3) } == ["GET", "PUT", "GET"])
    }
  }
}
