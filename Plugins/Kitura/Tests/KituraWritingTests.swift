import AdapterSupport
import BackendKit
import DemoServerSupport
import Testing

@Suite struct KituraWritingTests {
  private let todos = KituraServer.todos

  @Test(arguments: KituraServer.profiles)
  func `each release creates, changes, clears and deletes`(profile: String) async throws {
    let server = try await KituraServer.start(switches: "kitura.profile=\(profile)")
    let backend = server.backend
    let id = try await server.add("a", ("user", "u"))
    let changed = try await backend.update(id, in: todos, changes: [.set("completed", true)], revision: nil)
    #expect(changed.record?.fields["completed"] == true)
    #expect(changed.notes.isEmpty)
    let cleared = try await backend.update(id, in: todos, changes: [.unset("user")], revision: nil)
    #expect(cleared.record?.fields["user"] == nil)
    #expect(try await backend.delete(.one(id), from: todos).notes.isEmpty)
    #expect(
      server.exchange.summaries == ["POST /", "PATCH /0", "GET /0", "PUT /0", "DELETE /0"])
    for request in server.exchange.requests where request.body != nil {
      #expect(request.header("Content-Type") == "application/json")
    }
    #expect(server.exchange.requests.map(\.effect) == [.write, .repeatableWrite, .read, .repeatableWrite, .write])
  }

  @Test func `an update sends what changed and nothing else`() async throws {
    let server = try await KituraServer.start()
    let id = try await server.add("a", ("user", "u"), ("order", 7))
    server.exchange.forget()
    let receipt = try await server.backend.update(
      id, in: todos, changes: [.set("title", "b"), .set("order", -1)], revision: nil)
    #expect(server.exchange.requests.map(\.text) == [#"{"title":"b","order":-1}"#])
    #expect(receipt.record?.fields["user"] == "u")
    #expect(receipt.record?.fields["order"] == -1)
  }

  @Test(arguments: [Change.unset("user"), .set("user", .null)])
  func `a field is cleared by a replacement that keeps the others`(change: Change) async throws {
    let server = try await KituraServer.start()
    let id = try await server.add("a", ("user", "u"), ("order", 7), ("completed", true))
    server.exchange.forget()
    let receipt = try await server.backend.update(
      id, in: todos, changes: [change, .set("title", "b")], revision: nil)
    #expect(receipt.record?.fields.names == ["id", "title", "order", "completed", "url"])
    #expect(receipt.record?.fields["title"] == "b")
    #expect(receipt.record?.fields["order"] == 7)
    #expect(receipt.record?.fields["completed"] == true)
    #expect(receipt.notes.contains { $0.hasPrefix("user is stored as missing") } == (change == .set("user", .null)))
    #expect(server.exchange.requests.last?.text == #"{"title":"b","order":7,"completed":true}"#)
  }

  @Test func `a server without PUT cannot clear a field, and keeps the record`() async throws {
    let server = try await KituraServer.start(switches: "kitura.put=absent")
    let id = try await server.add("a", ("user", "u"))
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.update(id, in: todos, changes: [.unset("user")], revision: nil)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.effect == .rejected)
    #expect(try await server.backend.get(id, from: todos).fields["user"] == "u")
  }

  @Test func `an answer with no more than was sent is completed by a look at the record`() async throws {
    let server = try await KituraServer.start(switches: "kitura.patch=echo")
    let id = try await server.add("a", ("user", "u"))
    let receipt = try await server.backend.update(id, in: todos, changes: [.set("title", "b")], revision: nil)
    #expect(receipt.id == id)
    #expect(receipt.record?.fields["user"] == "u")
    #expect(receipt.record?.fields["title"] == "b")
    let missing = await failure { () throws(BackendError) in
      _ = try await server.backend.update("99", in: todos, changes: [.set("title", "b")], revision: nil)
    }
    #expect(missing?.code == .notFound)
  }

  @Test func `an update of a record that nobody holds but that is echoed finds nothing`() async throws {
    let fixture = try FixtureServer(FixtureServer.json(200, #"{"title":"b"}"#), FixtureServer.answer(404))
    let backend = try KituraServer.backend(fixture)
    let error = await failure { () throws(BackendError) in
      _ = try await backend.update("99", in: todos, changes: [.set("title", "b")], revision: nil)
    }
    #expect(error?.code == .notFound)
    #expect(fixture.requests == ["PATCH /99 HTTP/1.1", "GET /99 HTTP/1.1"])
  }

  @Test(arguments: [
    ("order", "9223372036854775808"), ("order", "-9223372036854775809"), ("order", "1.5"), ("order", "1e400"),
    ("order", #""5""#), ("order", "true"), ("completed", "1"), ("completed", #""true""#), ("title", "5"),
    ("user", "[]"), ("id", "5"), ("url", #""x""#),
  ])
  func `what the server would refuse or ignore is refused before anything is sent`(
    name: String, text: String
  ) async throws {
    let server = try await KituraServer.start()
    let value = try JSONReader.read(text)
    let created = await failure { () throws(BackendError) in
      _ = try await server.backend.create(Object([(name, value)]), in: todos)
    }
    let updated = await failure { () throws(BackendError) in
      _ = try await server.backend.update("0", in: todos, changes: [.set(name, value)], revision: nil)
    }
    for error in [created, updated] {
      #expect(error?.code == .invalid)
      #expect(error?.effect == .notSent)
      #expect(error?.message.contains(name) == true)
    }
    #expect(server.exchange.requests.isEmpty)
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1.0", "1e3"])
  func `every whole number of 64 bits is taken, however it is written`(text: String) async throws {
    let server = try await KituraServer.start()
    let receipt = try await server.backend.create(Object([("order", try JSONReader.read(text))]), in: todos)
    #expect(receipt.notes.isEmpty)
    #expect(receipt.record?.fields["order"]?.integer == Number(text)?.integer)
  }

  @Test func `a new todo may be empty, and a null is a field left out`() async throws {
    let server = try await KituraServer.start()
    let receipt = try await server.backend.create(Object([("user", .null)]), in: todos)
    #expect(server.exchange.requests.last?.text == "{}")
    #expect(receipt.record?.fields.names == ["id", "completed", "url"])
    #expect(receipt.notes == ["user is stored as missing: the server has no null"])
  }

  @Test func `a field that the server does not know is named`() async throws {
    let server = try await KituraServer.start()
    let receipt = try await server.backend.create(Object([("title", "a"), ("color", "red")]), in: todos)
    #expect(receipt.notes == ["the server did not store color as sent"])
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.update("0", in: todos, changes: [.set("color", "red")], revision: nil)
    }
    #expect(error?.code == .badResponse)
    #expect(error?.effect == .unknown)
  }

  @Test func `an update without changes or with a revision cannot be made`() async throws {
    let server = try await KituraServer.start()
    let none = await failure { () throws(BackendError) in
      _ = try await server.backend.update("0", in: todos, changes: [], revision: nil)
    }
    let revision = await failure { () throws(BackendError) in
      _ = try await server.backend.update("0", in: todos, changes: [.set("title", "a")], revision: "1")
    }
    #expect(none?.code == .invalid)
    #expect(revision?.code == .unsupported)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test(arguments: ["drop", "truncate"])
  func `a create that was accepted is made, though its answer breaks off`(fault: String) async throws {
    let server = try await KituraServer.start()
    server.exchange.set("fault=\(fault), fault.on=writes")
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.create(Object([("title", "once")]), in: todos)
    }
    #expect(error?.code == .badResponse && error?.effect == .applied && [200, 201].contains(error?.httpStatus))
    #expect(server.exchange.summaries == ["POST /"])
    #expect(try await server.stored() == 1)
  }

  @Test func `a create whose answer is lost is not repeated`() async throws {
    let server = try await KituraServer.start()
    server.exchange.set("fault=hangup, fault.on=writes")
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.create(Object([("title", "once")]), in: todos)
    }
    #expect(error?.effect == .unknown)
    #expect(server.exchange.summaries == ["POST /"])
    #expect(try await server.stored() == 1)
  }
}
