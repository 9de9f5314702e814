import BackendClient
import BackendKit
import BackendTestSupport
import Foundation
import Testing

@testable import ConsoleSetup

/// The questions that a program is asked, and the commands that need the answers.
@Suite struct ProgramQuestionTests {
  private let program: HostileProgram

  init() throws { program = try HostileProgram() }

  private func client(_ server: FixtureServer, of program: HostileProgram? = nil) throws -> Client {
    let plugin = try (program ?? self.program).catalog().load("hostile", for: "it")
    return Client(
      name: "it", exchange: server, prepared: try plugin.prepare(BackendSettings(name: "it", options: Object())))
  }

  @Test func `The records of a list are asked for together, and a single one alone`() async throws {
    try program.write("pass", at: "nothing")
    let list = (1...1200).map { "{\"id\": \($0)}" }.joined(separator: ",")
    let client = try client(
      FixtureServer { $0.path.segments.count == 1 ? .json(200, "[\(list)]") : .json(200, "{\"id\": 7}") })
    let page = BufferedPage()
    _ = try await client.list(ListRequest(ListQuery(ResourcePath(name: "things"))), to: page.sink)
    let records = await page.records
    #expect(records.map(\.id?.text) == (1...1200).map { "\($0)" })
    let sizes = Set(records.compactMap { $0.fields["of"]?.integer })
    #expect(sizes.max() == 500, "\(sizes)")
    #expect(try await client.get("7", from: ResourcePath(name: "things")).fields["of"] == 1)
  }

  @Test(arguments: [
    ("say(number, {'records': []})", "has 0 records for 1 values and was stopped"),
    (
      "say(number, {'records': [{'fields': {}, 'id': []}]})",
      "whose \"id\" is neither a string nor a number and was stopped"
    ),
    ("say(number, {'records': [{'id': 1}]})", "has no object \"fields\" and was stopped"),
    ("say(number, {'records': [{'error': {'message': 'it is\\nodd.'}}]})", "it is odd"),
    ("sys.exit(1)", "ended with status 1"),
  ])
  func `A wrong answer fails the command that needs it, and the next one`(_ deed: String, _ reported: String)
    async throws
  {
    try program.write(deed, at: "decodeRecord")
    let client = try client(FixtureServer(.json(200, "{\"id\": 7}")))
    for _ in 0..<2 {
      let error = await #expect(throws: BackendError.self) {
        try await client.get("7", from: ResourcePath(name: "things"))
      }
      #expect(error?.message.hasSuffix(reported) == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: [
    ("encodeValues", "say(number, {'fields': {'a': asked['fields']['a'] + 1}, 'notes': ['one more']})", #"{"a":2}"#),
    ("encodeValues", "say(number, {'fields': {'a': asked['isNew']}, 'removed': []})", #"{"a":true}"#),
    (
      "encodeBody", "say(number, {'document': {'data': asked['fields'], 'of': asked['id']}})",
      #"{"data":{"a":1},"of":null}"#
    ),
  ])
  func `A program says how a record is written`(_ question: String, _ deed: String, _ body: String) async throws {
    try program.write(deed, at: question, answers: question)
    let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
    _ = try? await client(server).perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
    // The response may leave out what was sent: then the record is read.
    let writes = server.requests.filter { $0.method == "POST" }
    #expect(writes.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [body])
  }

  @Test(arguments: [
    ("{}", "leaves out a"), ("{'a': 1, 'b': 2}", "adds b"), ("{'b': 1}", "leaves out a and adds b"),
  ])
  func `A program writes the fields that it was given, and no others`(_ fields: String, _ reported: String)
    async throws
  {
    try program.write("say(number, {'fields': \(fields)})", at: "encodeValues", answers: "encodeValues")
    let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
    let client = try client(server)
    let error = await #expect(throws: BackendError.self) {
      try await client.perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
    }
    #expect(error?.message == "the adapter \(reported), so the write would be another one")
    #expect(error?.effect == .notSent && server.summaries == [])
  }

  @Test func `A program says what of a query the service does`() async throws {
    try program.write(
      """
      [has] = asked["filters"]
      say(number, {"parameters": [[has["field"], has["is"] + has["operand"]["word"]]], "filters": ["superset"]})
      """, at: "compileQuery", answers: "compileQuery")
    let server = FixtureServer(.json(200, "[{\"id\": 1, \"a\": 5}, {\"id\": 2, \"a\": 50}]"))
    let query = ListQuery(
      ResourcePath(name: "things"), filters: [.compare(FieldPath("a"), .greater, .word("10"))])
    let page = BufferedPage()
    _ = try await client(server).list(ListRequest(query), to: page.sink)
    #expect(server.summaries == ["GET /things?a=%3E10"])
    #expect(await page.records.map(\.id) == ["2"])
  }

  @Test func `A program reads records with the dates of the service, which its description converts`() async throws {
    try program.write(
      """
      say(number, {"description": {"values": {"dates": "epoch"}, "resources": {"things": {"fields": {"at": "date"}}}}})
      """, at: "describe")
    let client = try client(FixtureServer(.json(200, "{\"id\": 7, \"at\": 86400}")))
    #expect(try await client.get("7", from: ResourcePath(name: "things")).fields["at"] == "1970-01-02T00:00:00Z")
  }

  @Test func `A program names the next page, wherever the response would have it`() async throws {
    try program.write(
      """
      if asked["ask"] == "nextPage": say(number, {"next": None if asked["token"] else "b"})
      else: say(number, {"description": {"page": {"style": "cursor", "parameter": "page"}, "resources": {"things": {}}}})
      """, at: "describe nextPage", answers: "nextPage")
    let server = FixtureServer { request in
      .json(200, request.query.contains { $0 == ("page", "b") } ? "[{\"id\": 2}]" : "[{\"id\": 1}]")
    }
    let page = BufferedPage()
    _ = try await client(server).list(ListRequest(ListQuery(ResourcePath(name: "things"))), to: page.sink)
    #expect(await page.records.map(\.id) == ["1", "2"])
    #expect(server.summaries == ["GET /things", "GET /things?page=b"])
  }

  @Test func `A step sends a request before a write, or another in its place, and never one with credentials`()
    async throws
  {
    func sent(_ step: String) async throws -> (requests: [String], error: BackendError?) {
      let program = try HostileProgram()
      try program.write(
        """
        if asked["responses"]: say(number, {"step": "usual"})
        else: \(step)
        """, at: "interceptWrite", answers: "interceptWrite")
      let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
      let client = try client(server, of: program)
      do {
        _ = try await client.perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
        return (server.summaries, nil)
      } catch { return (server.summaries, error) }
    }
    let first = try await sent("say(number, {'step': 'send', 'request': {'method': 'GET', 'path': ['lock', 'a b']}})")
    #expect(first.requests == ["GET /lock/a%20b", "POST /things"], "\(String(describing: first.error))")
    let other = try await sent(
      "say(number, {'step': 'instead', 'request': {'method': 'PUT', 'path': ['things', '7'], 'query': [['x', '1']]}})")
    #expect(other.requests == ["PUT /things/7?x=1"], "\(String(describing: other.error))")
    for bad in ["'headers': [['Cookie', 'a']]", "'path': ['..']", "'method': 'get'", "'link': 'http://other'"] {
      let refused = try await sent(
        "say(number, {'step': 'send', 'request': {'method': 'GET', 'path': ['a'], \(bad)}})")
      #expect(refused.requests.isEmpty && refused.error?.effect == .notSent, "\(bad) \(refused)")
      #expect(refused.error?.message.contains("answered the question interceptWrite") == true, "\(bad) \(refused)")
    }
    let failed = try await sent(
      "print(json.dumps({'number': number, 'error': {'message': 'it is locked'}}), flush=True)")
    #expect(failed.requests.isEmpty && failed.error?.message == "it is locked", "\(failed)")
  }

  @Test func `It is asked for its description once for its login and once for each backend, and for no check`()
    async throws
  {
    try program.write(
      """
      count = globals().get("count", 0) + 1
      say(number, {"description": {"product": f"asked {count} times", "resources": {"things": {"create": {}}}}})
      """, at: "describe")
    let plugin = try program.catalog().load("hostile", for: "it")
    let settings = BackendSettings(name: "it", options: Object())
    let server = FixtureServer(.json(201, "{\"id\": 7, \"a\": 1}"))
    let client = Client(name: "it", exchange: server, prepared: try plugin.prepare(settings))
    for number in 0..<50 {
      try await client.check(.create(ResourcePath(name: "things"), Object([("a", .int(number))])))
    }
    #expect(try await client.describe(.known).product == "asked 2 times")
    let next = try plugin.prepare(settings).attach(server)
    #expect(try await next.describe(.known).product == "asked 3 times")
    #expect(server.summaries == [])
  }

  @Test func `If a program ends over a failed write, the status counts`() async throws {
    try program.write("sys.exit(3)", at: "classifyError", answers: "classifyError", "interceptWrite")
    let server = FixtureServer(.json(422, "{\"message\": \"a is odd\"}"))
    let client = try client(server)
    let error = await #expect(throws: BackendError.self) {
      try await client.perform(.create(ResourcePath(name: "things"), Object([("a", 1)])))
    }
    #expect(error?.code == .invalid && error?.effect == .rejected)
    #expect(error?.hint?.contains("its meaning is unknown: the plugin hostile ended with status 3") == true)
  }

  @Test(arguments: ["['..']", "['']", "['a\\0b']", "[]", "'a'", "None"])
  func `A path that is none is refused before anything is sent`(_ path: String) async throws {
    try program.write("say(number, {'path': \(path)})", at: "itemPath")
    let server = FixtureServer(.json(200, "{\"id\": 7}"))
    let client = try client(server)
    let error = await #expect(throws: BackendError.self) {
      try await client.get("7", from: ResourcePath(name: "things"))
    }
    #expect(error?.effect == .notSent)
    #expect(server.summaries.isEmpty)
  }

  @Test(arguments: [
    ("{'resources': {'things': {'page': {'style': 'numbr'}}}}", "did you mean number?"),
    ("{'resources': {}, 'hooks': {'decodeRecord': 'grails/announcements'}}", "described its service with hooks"),
    ("7", "answered the question describe without a description"),
  ])
  func `A description with a mistake makes no backend`(_ description: String, _ reported: String) throws {
    try program.write("say(number, {'description': \(description)})", at: "describe")
    let error = #expect(throws: BackendError.self) { try client(FixtureServer(.json(200, "[]"))) }
    #expect(error.map { "\($0)" }?.contains(reported) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.code == .misconfigured)
  }
}
