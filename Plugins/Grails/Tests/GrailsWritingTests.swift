import AdapterSupport
import BackendKit
import DemoServerSupport
import Testing

@Suite struct GrailsWritingTests {
  private let path = GrailsServer.announcements

  @Test func `writes go to the singular path as JSON and name no version`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let receipt = try await backend.create(Object([("title", "T"), ("body", "B")]), in: path)
    _ = try await backend.update("7", in: path, changes: [.set("title", "U")], revision: nil)
    _ = try await backend.delete(.one("7"), from: path)
    #expect(receipt.id == "7")
    #expect(server.exchange.summaries == ["POST /announcement", "PUT /announcement/7", "DELETE /announcement/7"])
    #expect(server.exchange.requests.map(\.effect) == [.write, .repeatableWrite, .write])
    for request in server.exchange.requests {
      #expect(request.header("Accept-Version") == "2.0")
      #expect(request.header("Accept") == "application/json")
      #expect(request.header("Content-Type") == (request.body == nil ? nil : "application/json"))
    }
  }

  @Test func `other paths can be configured, also one for both`() async throws {
    let fixture = try FixtureServer(FixtureServer.json(200, "[]"), FixtureServer.json(201, #"{"id":1,"title":"T"}"#))
    let backend = try PluginLibrary("grails").backend(
      RecordedExchange(fixture),
      options: [("readPath", "/api/notes/"), ("writePath", "api/notes"), ("resource", "notes")])
    let notes = ResourcePath(name: "notes")
    _ = try await backend.page(ListQuery(notes))
    _ = try await backend.create(Object([("title", "T")]), in: notes)
    #expect(
      fixture.requests == [
        "GET /api/notes?max=10&offset=0&sort=id&order=asc HTTP/1.1", "POST /api/notes HTTP/1.1",
      ])
  }

  @Test(arguments: ["", "/", "a/../b"])
  func `a path that is none is a fault of the configuration`(text: String) throws {
    let plugin = try PluginLibrary("grails")
    let exchange = try RecordedExchange("http://127.0.0.1:1")
    let error = #expect(throws: BackendError.self) {
      try plugin.backend(exchange, options: [("writePath", .string(text))])
    }
    #expect(error?.code == .misconfigured)
  }

  @Test func `what the server stored is the truth, and the receipt says what it changed`() async throws {
    let server = try await GrailsServer.start()
    let receipt = try await server.backend().create(
      Object([("title", "  A  "), ("body", "\n<p>x</p>\n")]), in: path)
    #expect(receipt.record?.fields["title"] == "A")
    #expect(receipt.record?.fields["body"] == "<p>x</p>")
    #expect(receipt.notes.count == 2)
    #expect(receipt.writes == .kept)
  }

  @Test func `a blank body becomes null, and the receipt says so`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let receipt = try await backend.create(Object([("title", "A"), ("body", " \t\n")]), in: path)
    #expect(receipt.record?.fields["body"] == .null)
    #expect(receipt.notes == ["body is blank, which the server stores as null"])
  }

  @Test(arguments: [
    Object(), Object([("body", "B")]), Object([("title", .null)]), Object([("title", "")]),
    Object([("title", " \n\u{1}")]), Object([("title", .array(["a"]))]), Object([("title", .object(Object()))]),
    Object([("title", "T"), ("body", .array([1]))]), Object([("title", "T"), ("id", 9)]),
    Object([("title", "T"), ("version", 9)]), Object([("title", .string(String(repeating: "x", count: 256)))]),
    Object([("title", .string(String(repeating: "😀", count: 128)))]),
  ])
  func `what the server would refuse or ignore is refused before anything is sent`(fields: Object) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let created = await failure { () throws(BackendError) in _ = try await backend.create(fields, in: path) }
    #expect(created?.code == .invalid)
    #expect(created?.effect == .notSent)
    if fields["title"] != nil {
      let changes = fields.members.map { Change.set($0, $1) }
      let updated = await failure { () throws(BackendError) in
        _ = try await backend.update("2", in: path, changes: changes, revision: nil)
      }
      #expect(updated?.code == .invalid)
    }
    #expect(server.exchange.requests.isEmpty)
  }

  @Test(arguments: [
    String(repeating: "x", count: 255), "  " + String(repeating: "x", count: 255) + "\n",
    String(repeating: "😀", count: 127),
  ])
  func `a title of 255 units is taken, white space around it not counted`(title: String) async throws {
    let server = try await GrailsServer.start()
    let receipt = try await server.backend().create(Object([("title", .string(title))]), in: path)
    #expect(receipt.record?.fields["title"]?.text?.utf16.count == (title.contains("x") ? 255 : 254))
  }

  @Test func `numbers and booleans become texts as they are written`() async throws {
    let server = try await GrailsServer.start()
    let fields = Object([("title", .number(try #require(Number("1.10")))), ("body", true)])
    let receipt = try await server.backend().create(fields, in: path)
    #expect(receipt.record?.fields["title"] == "1.10")
    #expect(receipt.record?.fields["body"] == "true")
    #expect(receipt.notes.count == 2)
  }

  @Test func `the identifier of a new record comes from the body, and Location is not followed`() async throws {
    let fixture = try FixtureServer(
      FixtureServer.answer(
        201, [("Location", "http://127.0.0.1:1/announcement/show/99")], #"{"id":12,"title":"T"}"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    #expect(try await backend.create(Object([("title", "T")]), in: path).id == "12")
    #expect(fixture.requests.count == 1)
  }

  @Test func `a field that the server does not know is named in the receipt of a create`() async throws {
    let server = try await GrailsServer.start()
    let receipt = try await server.backend().create(Object([("title", "T"), ("color", "red")]), in: path)
    #expect(receipt.notes == ["the server did not store color as sent"])
  }

  @Test func `an update sends what changed and nothing else`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let before = try await backend.get("2", from: path)
    server.exchange.forget()
    let receipt = try await backend.update("2", in: path, changes: [.set("title", "B")], revision: nil)
    #expect(server.exchange.requests.map(\.text) == [#"{"title":"B"}"#])
    #expect(receipt.record?.fields["title"] == "B")
    #expect(receipt.record?.fields["body"] == before.fields["body"])
  }

  @Test(arguments: [Change.unset("body"), .set("body", .null), .set("body", "  ")])
  func `a body is cleared by a null that is written out`(change: Change) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let receipt = try await backend.update("2", in: path, changes: [change], revision: nil)
    #expect(receipt.record?.fields["body"] == .null)
    #expect(
      server.exchange.requests.last?.text == (change == .set("body", "  ") ? #"{"body":"  "}"# : #"{"body":null}"#))
    #expect(try await server.stored(2)["body"] == nil)
    #expect(try await server.stored(2)["title"] != nil)
  }

  @Test func `a title cannot be removed, an update without changes or with a revision cannot be made`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let cases: [([Change], String?, BackendError.Code)] = [
      ([.unset("title")], nil, .invalid), ([.set("title", .null)], nil, .invalid), ([], nil, .invalid),
      ([.set("title", "T")], "3", .unsupported),
    ]
    for (changes, revision, code) in cases {
      let error = await failure { () throws(BackendError) in
        _ = try await backend.update("2", in: path, changes: changes, revision: revision)
      }
      #expect(error?.code == code)
      #expect(error?.effect == .notSent)
    }
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `a 200 with the record as it was does not pass for an update`() async throws {
    let unchanged = FixtureServer.json(200, #"{"id":2,"title":"old","body":"B"}"#)
    let fixture = try FixtureServer(unchanged)
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    for change in [Change.set("title", "new"), .unset("body"), .set("color", "red")] {
      let error = await failure { () throws(BackendError) in
        _ = try await backend.update("2", in: path, changes: [change], revision: nil)
      }
      #expect(error?.code == .badResponse)
      #expect(error?.effect == .unknown)
      #expect(error?.message.contains(change.field) == true)
    }
  }

  @Test func `the last of two updates wins without a conflict, and no revision is promised`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    for title in ["first", "second"] {
      _ = try await backend.update("2", in: path, changes: [.set("title", .string(title))], revision: nil)
    }
    #expect(try await server.stored(2)["title"] as? String == "second")
    let capabilities = try await backend.describe(.known).resources.first?.capabilities
    #expect(capabilities?.hasRevisions == false)
  }

  @Test func `a deletion has no body to read, and the same again finds nothing`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let receipt = try await backend.delete(.one("2"), from: path)
    #expect(receipt.record == nil)
    #expect(receipt.notes.isEmpty)
    let again = await failure { () throws(BackendError) in _ = try await backend.delete(.one("2"), from: path) }
    #expect(again?.code == .notFound)
    #expect(again?.effect == .rejected)
  }

  @Test func `a deletion that a gateway never passed on leaves its failure and the record`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    server.exchange.set("fault=badgateway, fault.on=writes")
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.one("2"), from: path) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .unknown)
    #expect(try await server.stored(2)["id"] as? Int == 2)
  }

  @Test(arguments: ["drop", "truncate"])
  func `a create that was accepted is made, though its answer breaks off`(fault: String) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    server.exchange.set("fault=\(fault), fault.on=writes")
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "once")]), in: path)
    }
    #expect(error?.code == .badResponse && error?.effect == .applied && [200, 201].contains(error?.httpStatus))
    #expect(server.exchange.summaries == ["POST /announcement"])
  }

  @Test func `a create whose answer is lost is not repeated`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    server.exchange.set("fault=hangup, fault.on=writes")
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "once")]), in: path)
    }
    #expect(error?.effect == .unknown)
    #expect(server.exchange.summaries == ["POST /announcement"])
    #expect(try await backend.page(ListQuery(path)).records.filter { $0.fields["title"] == "once" }.count == 1)
  }

  @Test func `all records cannot be deleted at once`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.all, from: path) }
    #expect(error?.code == .unsupported)
    #expect(server.exchange.requests.isEmpty)
  }
}
