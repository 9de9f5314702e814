import AdapterSupport
import BackendKit
import DemoServerSupport
import Testing

@Suite struct KituraErrorTests {
  private let todos = KituraServer.todos

  @Test(arguments: ["99", "-1"])
  func `a record that is not there is not found by any verb`(text: String) async throws {
    let server = try await KituraServer.start()
    let id = RecordID(text)
    let errors = [
      await failure { () throws(BackendError) in _ = try await server.backend.get(id, from: todos) },
      await failure { () throws(BackendError) in
        _ = try await server.backend.update(id, in: todos, changes: [.set("title", "T")], revision: nil)
      },
      await failure { () throws(BackendError) in
        _ = try await server.backend.update(id, in: todos, changes: [.unset("title")], revision: nil)
      },
      await failure { () throws(BackendError) in _ = try await server.backend.delete(.one(id), from: todos) },
    ]
    for error in errors {
      #expect(error?.code == .notFound)
      #expect(error?.effect == .rejected)
    }
  }

  @Test(arguments: [
    (400, BackendError.Code.invalid), (401, .unauthorized), (403, .forbidden), (404, .notFound),
    (409, .conflict), (413, .invalid), (415, .misconfigured), (422, .invalid), (429, .rateLimited),
    (500, .badResponse), (503, .unavailable),
  ])
  func `each status has its code, with a text or without one`(status: Int, code: BackendError.Code) async throws {
    for body in ["", "Could not decode received data: \"order\" {"] {
      let fixture = try FixtureServer(FixtureServer.answer(status, [], body))
      let backend = try KituraServer.backend(fixture)
      let read = await failure { () throws(BackendError) in _ = try await backend.get("1", from: todos) }
      #expect(read?.code == code)
      #expect(read?.effect == .rejected)
      #expect(status == 404 || read?.message.contains(body) == true)
      let written = await failure { () throws(BackendError) in
        _ = try await backend.update("1", in: todos, changes: [.set("title", "T")], revision: nil)
      }
      #expect(written?.code == code)
      #expect(written?.effect == (status >= 500 ? .unknown : .rejected))
    }
  }

  @Test func `a long text is shortened`() async throws {
    let fixture = try FixtureServer(FixtureServer.answer(422, [], String(repeating: "x", count: 5000)))
    let backend = try KituraServer.backend(fixture)
    let error = await failure { () throws(BackendError) in _ = try await backend.get("1", from: todos) }
    let message = try #require(error?.message)
    #expect(message.count < 240)
    #expect(message.hasSuffix("…"))
  }

  @Test func `an address without such a route is a fault of the configuration`() async throws {
    let server = try await KituraServer.start(seed: 3)
    let exchange = try RecordedExchange(server.demo.base("kitura") + "/a/b")
    let backend = try PluginLibrary("kitura").backend(exchange)
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.get("1", from: todos) },
      await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(todos)) },
      await failure { () throws(BackendError) in _ = try await backend.delete(.one("1"), from: todos) },
      await failure { () throws(BackendError) in _ = try await backend.delete(.all, from: todos) },
    ]
    for error in errors {
      #expect(error?.code == .misconfigured)
      #expect(error?.effect == .rejected)
    }
    #expect(try await server.stored() == 3)
  }

  @Test(arguments: ["text/html", "Text/HTML; charset=utf-8"])
  func `a success that is a web page is a bad answer`(type: String) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(200, [("Content-Type", type)], "<html></html>"))
    let backend = try KituraServer.backend(fixture)
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(todos)) },
      await failure { () throws(BackendError) in _ = try await backend.get("1", from: todos) },
      await failure { () throws(BackendError) in _ = try await backend.create(Object(), in: todos) },
    ]
    #expect(errors.map { $0?.code } == [.badResponse, .badResponse, .badResponse])
    #expect(errors.map { $0?.effect } == [.rejected, .rejected, .unknown])
    #expect(errors.allSatisfy { $0?.message.contains("web page") == true })
  }

  @Test(arguments: ["{}", "3", "[3]", "", "[{\"id\":1}"])
  func `a success that holds no list of records is a bad answer`(body: String) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(200, [], body))
    let backend = try KituraServer.backend(fixture)
    let error = await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(todos)) }
    #expect(error?.code == .badResponse)
  }

  @Test func `a create that the server gives up on leaves open what became of it`() async throws {
    let server = try await KituraServer.start(switches: "kitura.incomplete=unavailable")
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.create(Object([("title", "a")]), in: todos)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .unknown)
    #expect(
      error?.message.hasSuffix("; user and order are missing, and some servers require them") == true,
      "\(error?.message ?? "")")
  }

  @Test func `a server that cannot serve a whole todo is not said to lack a field`() async throws {
    let server = try await KituraServer.start()
    server.exchange.set("fault=unavailable, fault.on=writes")
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.create(Object([("title", "a"), ("user", "b"), ("order", 1)]), in: todos)
    }
    #expect(error?.code == .unavailable && error?.message.contains("missing") == false, "\(error?.message ?? "")")
  }

  @Test func `a field that is cleared is missing where the server needs it`() async throws {
    let server = try await KituraServer.start(seed: 1, switches: "kitura.incomplete=unavailable")
    let error = await failure { () throws(BackendError) in
      _ = try await server.backend.update("0", in: todos, changes: [.unset("completed")], revision: nil)
    }
    #expect(
      error?.message.hasSuffix("; completed is missing, which some servers require") == true, "\(error?.message ?? "")")
  }

  @Test func `where the configuration says so, title, user and order are required, and nothing is cleared`()
    async throws
  {
    let server = try await KituraServer.start(switches: "kitura.incomplete=unavailable")
    let backend = try PluginLibrary("kitura").backend(server.exchange, options: [("create", "complete")])
    let resource = try #require(try await backend.describe(.known).resource(named: "todos"))
    #expect(resource.fields.filter(\.isRequired).map(\.name) == ["title", "user", "order"])
    #expect(!resource.capabilities.canClear)
    let whole = Object([("title", "a"), ("user", "b"), ("order", 1)])
    #expect(try await backend.create(whole, in: todos).id == "0")
  }

  @Test func `whether the server is up is asked at its own place, and else of the list, never by HEAD`() async throws {
    let server = try await KituraServer.start(seed: 3)
    #expect(try await server.backend.describe(.live) == server.backend.describe(.known))
    #expect(server.exchange.summaries == ["GET /health"])
    let other = try PluginLibrary("kitura").backend(server.exchange, options: [("healthPath", "up/now")])
    server.exchange.forget()
    #expect(try await other.describe(.live).product == "Kitura")
    #expect(server.exchange.summaries == ["GET /up/now", "GET /"])
  }

  @Test func `a known description asks nothing and tells what the server can do`() async throws {
    let exchange = try RecordedExchange("http://127.0.0.1:1")
    let known = try await PluginLibrary("kitura").backend(exchange).describe(.known)
    let resource = try #require(known.resource(named: "todos"))
    #expect(resource.capabilities.paging == .none)
    #expect(resource.capabilities.operations == Set(Capabilities.Operation.allCases))
    #expect(resource.capabilities.hasTotal)
    #expect(!resource.capabilities.hasRevisions)
    #expect(resource.fields.filter { $0.isReadOnly }.map(\.name) == ["id", "url"])
    #expect(exchange.requests.isEmpty)
  }
}
