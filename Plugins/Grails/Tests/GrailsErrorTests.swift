import AdapterSupport
import BackendKit
import Testing

@Suite struct GrailsErrorTests {
  private let path = GrailsServer.announcements

  @Test(arguments: ["999", "-1"])
  func `a record that is not there is not found by any verb`(text: String) async throws {
    let backend = try await GrailsServer.start().backend()
    let id = RecordID(text)
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.get(id, from: path) },
      await failure { () throws(BackendError) in
        _ = try await backend.update(id, in: path, changes: [.set("title", "T")], revision: nil)
      },
      await failure { () throws(BackendError) in _ = try await backend.delete(.one(id), from: path) },
    ]
    for error in errors {
      #expect(error?.code == .notFound)
      #expect(error?.effect == .rejected)
    }
  }

  @Test func `an address or version that the server does not know is a fault of the configuration`() async throws {
    let server = try await GrailsServer.start()
    let version = try server.backend("9.9")
    let read = await failure { () throws(BackendError) in _ = try await version.get("2", from: path) }
    let listed = await failure { () throws(BackendError) in _ = try await version.page(ListQuery(path)) }
    for error in [read, listed] {
      #expect(error?.code == .misconfigured)
      #expect(error?.message.contains("/announcements") == true)
      #expect(error?.message.contains("9.9") == true)
      #expect(error?.hint?.contains("apiVersion") == true)
    }
    let paths = try server.backend(options: [("writePath", "announcements")])
    let deleted = await failure { () throws(BackendError) in _ = try await paths.delete(.one("2"), from: path) }
    #expect(deleted?.code == .misconfigured)
    #expect(deleted?.message == "the server has no route DELETE /announcements/2")
    #expect(deleted?.hint?.contains("writePath") == true)
  }

  @Test(arguments: [
    ("", BackendError.Code.notFound), ("<html>gone</html>", .misconfigured), ("{}", .misconfigured),
    (#"{"error":"gone"}"#, .misconfigured), (#"{"message":"Not Found","error":404}"#, .misconfigured),
    (#"{"timestamp":1,"status":404,"error":404}"#, .misconfigured),
  ])
  func `whatever is said with a status 404 speaks of the address, and nothing said of the record`(
    body: String, code: BackendError.Code
  ) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(404, [], body))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in _ = try await backend.get("2", from: path) }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    (400, BackendError.Code.invalid), (401, .unauthorized), (403, .forbidden), (405, .misconfigured),
    (406, .misconfigured), (409, .conflict), (422, .invalid), (429, .rateLimited), (500, .badResponse),
    (502, .unavailable), (503, .unavailable), (302, .misconfigured),
  ])
  func `each status has its code, and the effect of a write is told apart`(
    status: Int, code: BackendError.Code
  ) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(status))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let read = await failure { () throws(BackendError) in _ = try await backend.get("2", from: path) }
    let written = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "T")]), in: path)
    }
    #expect(read?.code == code)
    #expect(read?.effect == .rejected)
    #expect(written?.code == (status == 409 ? .alreadyExists : status == 302 ? .badResponse : code))
    #expect(written?.effect == (status >= 500 || status == 302 ? .unknown : .rejected))
  }

  @Test(arguments: [
    (#"{"message":"one","path":"/announcement/index"}"#, "one"),
    (#"{"total":2,"_embedded":{"errors":[{"message":"one"},{"message":"two"}]}}"#, "one; two"),
    (#"{"errors":[{"object":"A","field":"title","rejected-value":null,"message":"one"}]}"#, "one"),
    ("", "request rejected (422)"), ("<html></html>", "request rejected (422)"),
    ("[1]", "request rejected (422)"),
  ])
  func `messages are found in all three shapes, and their absence does no harm`(
    body: String, words: String
  ) async throws {
    let fixture = try FixtureServer(FixtureServer.json(422, body))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "T")]), in: path)
    }
    #expect(error?.code == .invalid)
    #expect(error?.message.hasSuffix(words) == true)
  }

  @Test func `a message that repeats a long value is shortened`() async throws {
    let fixture = try FixtureServer(FixtureServer.json(422, #"{"message":"\#(String(repeating: "x", count: 5000))"}"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("title", "T")]), in: path)
    }
    let message = try #require(error?.message)
    #expect(message.count < 240)
    #expect(message.hasSuffix("…"))
  }

  @Test func `a live description names the product and finds a wrong configuration`() async throws {
    let server = try await GrailsServer.start()
    let live = try await server.backend().describe(.live)
    #expect(live.product == "Grails 3.3.0")
    #expect(live.apiVersion == "2.0")
    #expect(server.exchange.requests.allSatisfy { $0.method == "GET" })
    let wrong = try server.backend(options: [("readPath", "nothing")])
    let error = await failure { () throws(BackendError) in _ = try await wrong.describe(.live) }
    #expect(error?.code == .misconfigured)
  }

  @Test func `a known description asks nothing and tells the version's limits`() async throws {
    let exchange = try RecordedExchange("http://127.0.0.1:1")
    let plugin = try PluginLibrary("grails")
    let known = try await plugin.backend(exchange).describe(.known)
    let resource = try #require(known.resource(named: "announcements"))
    #expect(known.resources.count == 1)
    #expect(!known.isOpen)
    #expect(resource.capabilities.unlistedFields == ["body"])
    #expect(!resource.capabilities.hasTotal)
    #expect(!resource.capabilities.operations.contains(.deleteAll))
    let first = try await plugin.backend(exchange, options: [("apiVersion", "1.0")]).describe(.known)
    #expect(first.resources.first?.capabilities.unlistedFields == [])
    #expect(exchange.requests.isEmpty)
  }
}
