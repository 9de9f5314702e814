import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderWritingTests {
  private let todos = PlaceholderServer.todos

  @Test func `A record is made without an identifier, as JSON, at the path without a slash at its end`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend([("writes", "kept")])
    let receipt = try await backend.create(["title": "飞机 ✈️", "completed": false, "count": 1], in: todos)
    #expect(receipt.id == "31" && receipt.writes == .kept && receipt.notes.isEmpty)
    let request = try #require(server.exchange.requests.last)
    #expect(request.summary == "POST /todos")
    #expect(request.header("Content-Type") == "application/json")
    #expect(request.text == #"{"title":"飞机 ✈️","completed":false,"count":1}"#)
    #expect(request.effect == .write)
    #expect(try await backend.get("31", from: todos).fields["title"] == "飞机 ✈️")
  }

  @Test func `The identifier of a record cannot be changed`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let changed = await failure { () throws(BackendError) in
      _ = try await backend.update("1", in: todos, changes: [.set("id", 7)], revision: nil)
    }
    #expect(changed?.code == .invalid)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `The new identifier is taken from the body, not from the Location`() async throws {
    let answer = FixtureServer.answer(201, [("Location", "http://evil.example/todos//999")], #"{"title":"x","id":31}"#)
    let written = try WrittenServer([("writes", "kept")], FixtureServer(answer))
    #expect(try await written.backend.create(["title": "x"], in: todos).id == "31")
  }

  @Test func `What the server answered otherwise than was sent is said`() async throws {
    let written = try WrittenServer([("writes", "kept")], FixtureServer(FixtureServer.json(201, #"{"id":31}"#)))
    let receipt = try await written.backend.create(["title": "x"], in: todos)
    #expect(receipt.notes == ["the server does not show title: it is not known whether it was kept"])
  }

  @Test func `An update sends only what changed`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend([("writes", "kept")])
    let before = try await backend.get("3", from: todos)
    server.exchange.forget()
    let receipt = try await backend.update(
      "3", in: todos, changes: [.set("title", "new"), .set("note", .null)], revision: nil)
    #expect(server.exchange.summaries == ["PATCH /todos/3"])
    #expect(server.exchange.requests.first?.text == #"{"title":"new","note":null}"#)
    var wanted = before.fields
    wanted["title"] = "new"
    wanted["note"] = .null
    #expect(receipt.record?.fields == wanted && receipt.notes.isEmpty)
    #expect(try await backend.get("3", from: todos).fields == wanted)
  }

  @Test func `Removing a field sends the whole record again, with what nobody knows`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"todos":[{"id":1,"title":"a","completed":1,"extra":{"x":[1,null]},"note":"n"}]}"#)
    let backend = try server.backend([("writes", "kept")])
    _ = try await backend.update("1", in: todos, changes: [.unset("note"), .set("title", "b")], revision: nil)
    #expect(server.exchange.summaries == ["GET /todos/1", "PUT /todos/1"])
    let stored = try #require(try await server.stored("todos/1")?.object)
    #expect(stored["note"] == nil && stored["title"] == "b" && stored["completed"] == 1)
    #expect(stored["extra"] == ["x": [1, .null]] && stored["id"] == 1)
  }

  @Test func `A 0 or 1 for a boolean is sent as a boolean, and said`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend([("writes", "kept")])
    let receipt = try await backend.create(["title": "x", "completed": 1, "priority": 1], in: todos)
    #expect(receipt.record?.fields["completed"] == true && receipt.record?.fields["priority"] == 1)
    #expect(receipt.notes == ["completed was sent as true, the form this server stores"])
  }

  @Test func `Updating and deleting what is not there is not found`() async throws {
    for profile in ["json-server", "jsonplaceholder"] {
      let server = try await PlaceholderServer.start(profile)
      for writes in ["auto", "kept", "echoed"]
      where (writes == "kept") != (profile == "jsonplaceholder") || writes == "auto" {
        let backend = try server.backend([("writes", .string(writes))])
        for change in [Change.set("title", "x"), .unset("title")] {
          let error = await failure { () throws(BackendError) in
            _ = try await backend.update("999", in: todos, changes: [change], revision: nil)
          }
          #expect(error?.code == .notFound, "\(profile) \(writes) \(change)")
        }
        let error = await failure { () throws(BackendError) in
          _ = try await backend.delete(.one("999"), from: todos)
        }
        #expect(error?.code == .notFound, "\(profile) \(writes)")
      }
    }
  }

  @Test func `A record is made below its owner with the owner's number, not the text of the path`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend([("writes", "kept")])
    let path = try #require(ResourcePath("users/2/todos"))
    let receipt = try await backend.create(["title": "x"], in: path)
    #expect(receipt.record?.fields["userId"] == 2)
    #expect(server.exchange.summaries == ["GET /users/2", "POST /todos"])
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(["title": "x", "userId": 3], in: path)
    }
    #expect(error?.code == .invalid)
  }

  @Test func `An owner that is null or not there is refused: every deletion would fail or remove the record`()
    async throws
  {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    for owner: Value in [.null, 999, "nobody"] {
      let made = await failure { () throws(BackendError) in
        _ = try await backend.create(["title": "x", "userId": owner], in: todos)
      }
      #expect(made?.code == .invalid && made?.effect == .notSent, "\(owner)")
      let changed = await failure { () throws(BackendError) in
        _ = try await backend.update("1", in: todos, changes: [.set("userId", owner)], revision: nil)
      }
      #expect(changed?.code == .invalid, "\(owner)")
    }
    #expect(server.exchange.requests.allSatisfy { $0.effect == .read })
  }

  @Test func `Where there is no collection of owners, any owner will do`() async throws {
    let server = try await PlaceholderServer.start(database: #"{"todos":[]}"#)
    let receipt = try await server.backend().create(["title": "x", "userId": 999], in: todos)
    #expect(receipt.id == "1" && receipt.writes == .kept)
  }

  @Test func `A deletion that fails with 500 is looked into: the record is gone`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"users":[{"id":1}],"todos":[{"id":1,"userId":null},{"id":2,"userId":1}]}"#)
    let backend = try server.backend([("writes", "kept")])
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.one("2"), from: todos) }
    #expect(error?.code == .badResponse && error?.effect == .applied)
    #expect(error?.message.hasSuffix("(reading 'toString'), yet record 2 is gone") == true)
    #expect(server.exchange.summaries == ["DELETE /todos/2", "GET /todos/2"])
  }

  @Test func `A deletion that fails with 500 and leaves the record may be done yet`() async throws {
    let written = try WrittenServer(
      [("writes", "kept")],
      FixtureServer(FixtureServer.answer(500, [], "stack"), FixtureServer.json(200, #"{"id":2}"#)))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.delete(.one("2"), from: todos)
    }
    #expect(error?.effect == .unknown && error?.message == "server error (500): stack")
  }

  @Test func `A web page does not pass for a write that was done`() async throws {
    let page = FixtureServer.answer(200, [("Content-Type", "text/html; charset=utf-8")], "<html>")
    let backend = try WrittenServer([("writes", "kept")], FixtureServer(page)).backend
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.create(["title": "x"], in: todos) },
      await failure { () throws(BackendError) in
        _ = try await backend.update("2", in: todos, changes: [.set("title", "y")], revision: nil)
      }, await failure { () throws(BackendError) in _ = try await backend.delete(.one("2"), from: todos) },
    ]
    for error in errors { #expect(error?.code == .badResponse && error?.effect == .unknown) }
  }

  @Test func `A deletion may not be sent twice, for identifiers are used again`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend([("writes", "kept")])
    _ = try await backend.delete(.one("30"), from: todos)
    #expect(server.exchange.requests.map(\.effect) == [.write])
    #expect(try await backend.create(["title": "again"], in: todos).id == "30")
  }

  @Test func `Deleting an owner says what went with it`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let receipt = try await server.backend([("writes", "kept")]).delete(.one("1"), from: ResourcePath(name: "users"))
    #expect(receipt.notes == ["what belonged to it in todos, posts, albums was deleted with it"])
    #expect(try await server.stored("todos?userId=1") == [])
  }

  @Test func `All records at once cannot be deleted, and nothing is sent`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.all, from: todos) }
    #expect(error?.code == .unsupported)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test(arguments: ["", ".", ".."])
  func `An identifier that would name the collection cannot be sent`(id: String) async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend([("writes", "kept")])
    let error = await failure { () throws(BackendError) in _ = try await backend.delete(.one(RecordID(id)), from: todos)
    }
    #expect(error?.code == .invalid)
    #expect(server.exchange.requests.isEmpty)
  }
}
