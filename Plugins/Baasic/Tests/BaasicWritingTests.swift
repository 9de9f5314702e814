import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicWritingTests {
  private let todo = WrittenServer.todo
  private let whole = FixtureServer.json(
    200,
    #"{"id":"a","title":"x","n":1.10,"unknown":{"b":[null]},"_links":{},"_embedded":{},"links":[],"embed":"e"}"#)

  @Test(arguments: [200, 201])
  func `A new record's identifier is taken from the body`(status: Int) async throws {
    let written = try WrittenServer([], FixtureServer.json(status, #"{"title":"x","id":"r1"}"#))
    let receipt = try await written.backend.create(["title": "x", "id": ""], in: todo)
    #expect(receipt.id == "r1" && receipt.record?.fields["title"] == "x" && receipt.notes.isEmpty)
    let request = try #require(written.exchange.requests.first)
    #expect(request.summary == "POST /resources/todo")
    #expect(request.text == #"{"title":"x"}"#)
    #expect(request.header("Content-Type") == "application/json; charset=UTF-8")
    #expect(request.effect == .write)
  }

  @Test(arguments: [200, 201, 204])
  func `An empty answer to a new record is success with an unknown identifier`(status: Int) async throws {
    let written = try WrittenServer([], FixtureServer.answer(status))
    let receipt = try await written.backend.create(["title": "x"], in: todo)
    #expect(receipt.id == nil && receipt.hidden == ["title"])
    #expect(receipt.notes.first == "the server did not report the new record's identifier")
  }

  @Test func `An identifier of one's own is refused`() async throws {
    let written = try WrittenServer([], [])
    let error = await failure { () throws(BackendError) in _ = try await written.backend.create(["id": "a"], in: todo) }
    #expect(error?.code == .invalid && written.server.requests.isEmpty)
  }

  @Test(arguments: [204, 200])
  func `An update sends only what changed, and success may have no body`(status: Int) async throws {
    let written = try WrittenServer([], FixtureServer.answer(status))
    let receipt = try await written.backend.update("a", in: todo, changes: [.set("title", "y")], revision: nil)
    #expect(receipt.id == "a" && receipt.record == nil)
    #expect(written.exchange.summaries == ["PATCH /resources/todo/a"])
    #expect(written.exchange.requests.first?.text == #"{"title":"y"}"#)
  }

  @Test func `A replacement holds the whole record, with what nobody knows, and neither links nor what is embedded`()
    async throws
  {
    let removing: [Change] = [.unset("title"), .set("b", 1)]
    for (options, changes) in [([("update", Value.string("put"))], [Change.set("title", "y")]), ([], removing)] {
      let written = try WrittenServer(options + [("embed", "owner")], whole, FixtureServer.answer(204))
      _ = try await written.backend.update("a", in: todo, changes: changes, revision: nil)
      #expect(written.exchange.summaries == ["GET /resources/todo/a", "PUT /resources/todo/a"])
      let wanted =
        options.isEmpty
        ? #"{"id":"a","n":1.10,"unknown":{"b":[null]},"b":1}"#
        : #"{"id":"a","title":"y","n":1.10,"unknown":{"b":[null]}}"#
      #expect(written.exchange.requests.last?.text == wanted)
    }
  }

  @Test func `A record read in part is never sent back: a replacement reads it again whole`() async throws {
    let written = try WrittenServer(
      [("resources", WrittenServer.fields), ("update", "put")], envelope(#"{"id":"a","title":"x"}"#, total: 1), whole,
      FixtureServer.answer(204))
    _ = try await written.backend.page(ListQuery(todo, fields: [FieldPath("title")]))
    _ = try await written.backend.update("a", in: todo, changes: [.set("title", "y")], revision: nil)
    #expect(written.exchange.requests.last?.text?.contains(#""unknown":{"b":[null]}"#) == true)
    #expect(written.exchange.requests.dropFirst().allSatisfy { $0.query.isEmpty })
  }

  @Test func `A schema is replaced whole, for it knows no other update`() async throws {
    let written = try WrittenServer(
      [], FixtureServer.json(200, #"{"id":"s","name":"todo","schema":{},"description":"d"}"#), FixtureServer.answer(204)
    )
    _ = try await written.backend.update(
      "todo", in: WrittenServer.schemas, changes: [.set("description", "e")], revision: nil)
    #expect(written.exchange.summaries == ["GET /schemas/todo", "PUT /schemas/todo"])
  }

  @Test func `A new schema is named by its name, and read where the response does not show it`() async throws {
    let written = try WrittenServer([], FixtureServer.answer(201))
    let receipt = try await written.backend.create(["name": "todo", "schema": [:]], in: WrittenServer.schemas)
    #expect(receipt.id == "todo" && written.exchange.summaries == ["POST /schemas", "GET /schemas/todo"])
  }

  @Test func `A deletion names one record`() async throws {
    let written = try WrittenServer([], FixtureServer.answer(204))
    #expect(try await written.backend.delete(.one("a"), from: todo).id == "a")
    #expect(written.exchange.requests.allSatisfy { $0.query.isEmpty && $0.body == nil })
    #expect(written.exchange.summaries == ["DELETE /resources/todo/a"])
  }

  @Test func `A deletion is not repeated`() async throws {
    let gone = try WrittenServer([], FixtureServer.answer(502))
    let error = await failure { () throws(BackendError) in _ = try await gone.backend.delete(.one("a"), from: todo) }
    #expect(error?.effect == .unknown && gone.exchange.summaries == ["DELETE /resources/todo/a"])
    #expect(gone.exchange.requests.first?.effect == .write)
  }

  @Test func `A web page does not pass for a write that was done`() async throws {
    let page = FixtureServer.answer(200, [("Content-Type", "text/html; charset=utf-8")], "<html>")
    let written = try WrittenServer([], FixtureServer(page))
    let backend = written.backend
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.create(["title": "x"], in: todo) },
      await failure { () throws(BackendError) in
        _ = try await backend.update("a", in: todo, changes: [.set("title", "y")], revision: nil)
      }, await failure { () throws(BackendError) in _ = try await backend.delete(.one("a"), from: todo) },
    ]
    for error in errors { #expect(error?.code == .badResponse && error?.effect == .unknown) }
  }

  @Test(arguments: ["purge", "Purge", "batch", "BATCH", "purge ", "purge/", "./purge", "", ".", ".."])
  func `No identifier empties a resource`(id: String) async throws {
    let written = try WrittenServer([], FixtureServer.answer(204))
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.delete(.one(RecordID(id)), from: todo)
    }
    #expect(error?.code == .invalid && error?.effect == .notSent && written.server.requests.isEmpty)
  }

  @Test func `All records at once cannot be deleted, and nothing is sent`() async throws {
    let written = try WrittenServer([], FixtureServer.answer(204))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.delete(.all, from: todo) }
    #expect(error?.code == .unsupported && written.server.requests.isEmpty)
  }

  @Test func `Field names of another todo are passed on, not translated`() async throws {
    let written = try WrittenServer([], FixtureServer.json(200, #"{"id":"a","isComplete":true}"#))
    let receipt = try await written.backend.create(["isComplete": true, "userId": 1], in: todo)
    #expect(written.exchange.requests.first?.text == #"{"isComplete":true,"userId":1}"#)
    #expect(receipt.record?.fields.names == ["id", "isComplete"])
  }

  @Test func `A date is written as it was given`() async throws {
    let written = try WrittenServer([("resources", WrittenServer.fields)], FixtureServer.answer(204))
    _ = try await written.backend.update(
      "a", in: todo, changes: [.set("scheduledDate", "2017-10-03 09:00:00")], revision: nil)
    #expect(written.exchange.requests.first?.text == #"{"scheduledDate":"2017-10-03 09:00:00"}"#)
  }
}
