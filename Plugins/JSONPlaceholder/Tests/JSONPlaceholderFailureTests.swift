import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderFailureTests {
  private let todos = PlaceholderServer.todos
  private static let stack = "<!DOCTYPE html><pre>SyntaxError: &quot;x&quot; &lt;\n    at /srv/node_modules/x.js</pre>"

  @Test(arguments: [
    (400, BackendError.Code.invalid, BackendError.Effect.rejected), (401, .unauthorized, .rejected),
    (403, .forbidden, .rejected), (404, .notFound, .rejected), (409, .conflict, .rejected),
    (413, .invalid, .rejected), (415, .misconfigured, .rejected), (429, .rateLimited, .rejected),
    (500, .badResponse, .unknown), (502, .unavailable, .unknown), (503, .unavailable, .unknown),
    (302, .misconfigured, .unknown), (304, .misconfigured, .unknown), (308, .misconfigured, .rejected),
    (408, .timedOut, .unknown), (421, .unavailable, .rejected), (418, .badResponse, .rejected),
  ])
  func `The status decides; of a page no more is shown than what it says first`(
    status: Int, code: BackendError.Code, effect: BackendError.Effect
  ) async throws {
    let answer = FixtureServer.answer(status, [("Content-Type", "text/html"), ("Retry-After", "60")], Self.stack)
    let written = try WrittenServer([("writes", "kept")], FixtureServer(answer))
    let made = await failure { () throws(BackendError) in _ = try await written.backend.create(["a": 1], in: todos) }
    let refused = status == 409 ? .alreadyExists : [302, 304].contains(status) ? .badResponse : code
    #expect(made?.code == refused && made?.effect == effect)
    let read = await failure { () throws(BackendError) in _ = try await written.backend.get("1", from: todos) }
    let listed = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(todos)) }
    #expect(made != nil && read != nil && listed != nil)
    #expect(read?.code == code && listed?.code == code)
    for error in [made, read, listed] {
      guard let error else { continue }
      let shown = [error.message, error.hint ?? "", error.cause ?? ""].joined()
      // A response 304 has no body.
      #expect(status == 304 || error.message.hasSuffix("SyntaxError: \"x\" <"))
      #expect(!shown.contains("srv") && !shown.contains("<pre>"))
      #expect(error.httpStatus == status)
    }
  }

  @Test func `When to try again is passed on`() async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.answer(429, [("Retry-After", "60")])))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.get("1", from: todos) }
    #expect(error?.hint == "retry after 60 s")
  }

  @Test(arguments: [Self.stack, "", "[{\"id\":1}", "[1]", "\"text\"", "[{\"id\":1}] x"])
  func `A list that is none is a bad answer`(body: String) async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.answer(200, [], body)))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(todos)) }
    #expect(error?.code == .badResponse)
  }

  @Test func `A write that was accepted stays accepted where its answer cannot be read`() async throws {
    let written = try WrittenServer([("writes", "kept")], FixtureServer(FixtureServer.answer(201, [], Self.stack)))
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.create(["title": "x"], in: todos)
    }
    #expect(error?.code == .badResponse && error?.effect == .applied && error?.httpStatus == 201)
    #expect(written.exchange.summaries == ["POST /todos"])
  }

  @Test(arguments: [
    (#"{"id":7,"title":"x"}"#, true), (#"{"id":7,"title":"of somebody else"}"#, false),
    (#"{"id":8,"title":"x"}"#, false),
  ])
  func `A record whose response was cut is looked for where the server says that it is`(
    record: String, isFound: Bool
  ) async throws {
    let cut = FixtureServer.answer(
      201, [("Location", "http://localhost:3000/todos/7"), ("Content-Type", "application/json")], #"{"title":"x","#)
    let written = try WrittenServer([("writes", "kept")], FixtureServer(cut, FixtureServer.json(200, record)))
    var receipt: WriteReceipt?
    let error = await failure { () throws(BackendError) in
      receipt = try await written.backend.create(["title": "x"], in: todos)
    }
    #expect(receipt?.id == (isFound ? "7" : nil) && error?.effect == (isFound ? nil : .applied))
    #expect(written.exchange.summaries == ["POST /todos", "GET /todos/7"])
  }

  @Test func `Another record is not the one asked for`() async throws {
    let other = try WrittenServer([], FixtureServer(FixtureServer.json(200, #"{"id":2,"title":"other"}"#)))
    let read = await failure { () throws(BackendError) in _ = try await other.backend.get("1", from: todos) }
    #expect(read?.code == .badResponse && read?.effect == .rejected)
  }

  @Test(arguments: [("apiVersion", Value.string("2")), ("writes", "maybe")])
  func `An option with another value is refused`(name: String, value: Value) async throws {
    let server = try FixtureServer([])
    let error = await failure { () throws(BackendError) in
      do { _ = try WrittenServer([(name, value)], server) } catch let error as BackendError { throw error } catch {}
    }
    #expect(error?.code == .misconfigured)
  }
}
