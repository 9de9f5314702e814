import AdapterSupport
import BackendClient
import BackendKit
import DemoServerSupport
import Synchronization
import Testing

@Suite struct KituraReadingTests {
  private let todos = KituraServer.todos

  @Test(arguments: KituraServer.profiles)
  func `each release lists and gets, whatever type it names`(profile: String) async throws {
    let server = try await KituraServer.start(seed: 3, switches: "kitura.profile=\(profile)")
    let page = try await server.backend.page(ListQuery(todos))
    #expect(page.records.map(\.id) == ["0", "1", "2"])
    #expect(page.end == PageEnd(next: nil, total: 3))
    #expect(try await server.backend.get("0", from: todos) == page.records.first)
    #expect(server.exchange.summaries == ["GET /", "GET /0"])
  }

  @Test func `an identifier is taken from the address where the record has none, and the address is not followed`()
    async throws
  {
    let fixture = try FixtureServer(
      FixtureServer.json(200, #"[{"title":"a","url":"http://elsewhere.invalid:8080\/12"},{"title":"b","url":"x/y"}]"#),
      FixtureServer.json(200, #"{"title":"a","url":"http://elsewhere.invalid:8080\/12"}"#))
    let backend = try KituraServer.backend(fixture)
    let records = try await backend.page(ListQuery(todos)).records
    #expect(records.map(\.id) == ["12", nil])
    #expect(records.first?.fields["id"] == 12)
    #expect(try await backend.get("12", from: todos).id == "12")
    #expect(fixture.requests == ["GET / HTTP/1.1", "GET /12 HTTP/1.1"])
  }

  @Test func `the address in a record does not lead away from the configured one`() async throws {
    let server = try await KituraServer.start()
    let id = try await server.add("walk the dog")
    let record = try await server.backend.get(id, from: todos)
    #expect(record.fields["url"] == "http://localhost:8080/0")
    #expect(record.fields["title"] == "walk the dog")
  }

  @Test(arguments: ["", "/", "+1", "01", "-0", "1.5", "abc", "1/2", "/1", "99999999999999999999", "..", "%31"])
  func `what is no identifier in its plain spelling is refused before anything is sent`(text: String) async throws {
    let server = try await KituraServer.start(seed: 3)
    let backend = server.backend
    let id = RecordID(text)
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.get(id, from: todos) },
      await failure { () throws(BackendError) in _ = try await backend.delete(.one(id), from: todos) },
      await failure { () throws(BackendError) in
        _ = try await backend.update(id, in: todos, changes: [.set("title", "T")], revision: nil)
      },
      await failure { () throws(BackendError) in
        _ = try await backend.update(id, in: todos, changes: [.unset("title")], revision: nil)
      },
    ]
    for error in errors {
      #expect(error?.code == .invalid)
      #expect(error?.effect == .notSent)
    }
    #expect(server.exchange.requests.isEmpty)
    #expect(try await server.stored() == 3)
  }

  @Test func `identifiers are those of the wire, counted from 0`() async throws {
    let server = try await KituraServer.start()
    #expect(try await server.add("first") == "0")
    #expect(try await server.backend.get("0", from: todos).fields["title"] == "first")
  }

  @Test func `fields that were left out stay absent, a missing completed too`() async throws {
    let fixture = try FixtureServer(FixtureServer.json(200, #"[{"id":0},{"id":1,"completed":false}]"#))
    let records = try await KituraServer.backend(fixture).page(ListQuery(todos)).records
    #expect(records.map(\.fields.names) == [["id"], ["id", "completed"]])
    #expect(records.first?.state(of: FieldPath("completed")) == .absent)
  }

  @Test func `the server's order of fields changes, the record does not`() async throws {
    let server = try await KituraServer.start()
    let id = try await server.add("t", ("user", "u"), ("order", 3))
    let first = try await server.backend.get(id, from: todos)
    #expect(first.fields.names == ["id", "title", "user", "order", "completed", "url"])
    for _ in 0..<5 { #expect(try await server.backend.get(id, from: todos) == first) }
  }

  @Test func `records with one identifier within the list are all shown`() async throws {
    let server = try await KituraServer.start(switches: "kitura.ids=repeated")
    for title in ["a", "b", "c"] { _ = try await server.add(title) }
    let records = try await server.backend.page(ListQuery(todos)).records
    #expect(Set(records.map(\.id)).count < 3)
    let titles = Mutex<[Value?]>([])
    let summary = try await Client(name: "test", backend: server.backend).list(
      ListRequest(ListQuery(todos)),
      to: RecordSink { records in
        titles.withLock { $0 += records.map { $0.fields["title"] } }
        return .more
      })
    #expect(titles.withLock { $0 } == ["a", "b", "c"])
    #expect(summary.total == 3)
  }

  @Test func `nothing is remembered over a restart, where an identifier may name another record`() async throws {
    let server = try await KituraServer.start()
    _ = try await server.add("before")
    let again = try await KituraServer.start()
    let error = await failure { () throws(BackendError) in _ = try await again.backend.get("0", from: todos) }
    #expect(error?.code == .notFound)
    #expect(try await again.add("after") == "0")
    #expect(try await again.backend.get("0", from: todos).fields["title"] == "after")
  }

  @Test func `control characters come through unchanged`() async throws {
    let server = try await KituraServer.start()
    let title = "a\u{0}\u{1B}[2J\n\u{9B}b"
    let id = try await server.add(title)
    #expect(try await server.backend.get(id, from: todos).fields["title"] == .string(title))
  }

  @Test func `one list is read to its end, or goes on where it was given up`() async throws {
    let rows = (0..<2000).map { #"{"id":\#($0),"title":"\#(String(repeating: "x", count: 100))"}"# }
    let fixture = try FixtureServer(FixtureServer.json(200, "[" + rows.joined(separator: ",") + "]"))
    let backend = try KituraServer.backend(fixture)
    let whole = try await backend.page(ListQuery(todos))
    #expect(whole.end == PageEnd(next: nil, total: 2000))
    let taken = Mutex<[RecordID?]>([])
    let end = try await backend.list(
      ListQuery(todos), at: nil,
      to: RecordSink { records in
        taken.withLock { $0 += records.map(\.id) }
        return .enough
      })
    let next = try #require(end.next)
    let rest = try await backend.page(ListQuery(todos), at: next)
    #expect(taken.withLock { $0 } + rest.records.map(\.id) == whole.records.map(\.id))
    #expect(rest.end == PageEnd(next: nil, total: 2000))
  }

  @Test(arguments: ["abc", "0", "-3", "+10", "010", ""])
  func `a page mark that this adapter did not make is refused before anything is sent`(mark: String) async throws {
    let server = try await KituraServer.start(seed: 3)
    let backend = server.backend
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(todos), at: Cursor(mark))
    }
    #expect(error?.code == .invalid)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `an empty list is a list`() async throws {
    let page = try await KituraServer.start().backend.page(ListQuery(todos))
    #expect(page.records.isEmpty)
    #expect(page.end == PageEnd(next: nil, total: 0))
  }

  @Test func `an answer is framed by its length where the server leaves the connection open`() async throws {
    let fixture = try FixtureServer(
      FixtureServer.answer(200, [("Keep-Alive", "timeout=60.0")], #"{"id":1,"title":"T"}"#), holdsOpen: true)
    let backend = try KituraServer.backend(fixture)
    _ = try await backend.update("1", in: todos, changes: [.set("title", "T")], revision: nil)
    let text = try #require(fixture.texts.first).lowercased()
    #expect(text.contains("\r\ncontent-length: 13\r\n"))
    #expect(!text.contains("\r\nexpect:"))
    #expect(!text.contains("chunked"))
  }
}
