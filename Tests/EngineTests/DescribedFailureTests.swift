import AdapterSupport
import BackendKit
import ServiceDescription
import Testing

/// Responses as a description reads them: none says more than the service has said.
@Suite struct DescribedFailureTests {
  /// A backend that a description says everything of, over a server that makes each response of the request's text.
  private func backend(
    _ text: String, answering answer: @escaping @Sendable (String) -> [UInt8]
  ) throws -> (backend: RESTBackend, server: SocketServer) {
    let server = try SocketServer(answering: answer)
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    return (RESTBackend(service, over: try ServerExchange(server)), server)
  }

  // MARK: Conflicts

  @Test(
    "a conflict says what the service says, and that the record has changed only if a revision was sent",
    arguments: [
      (409, nil, "conflict (409): the name is taken"),
      (412, nil, "conflict (412): the name is taken"),
      (400, nil, "conflict (400): the name is taken"),
      (409, "\"1\"", "conflict (409): the name is taken"),
      (412, "\"1\"", "the record has changed since it was read (412): the name is taken"),
      (400, "\"1\"", "the record has changed since it was read (400): the name is taken"),
      (422, "\"1\"", "the record has changed since it was read (422): the name is taken"),
    ] as [(Int, String?, String)])
  func conflict(status: Int, revision: String?, message: String) async throws {
    let (backend, _) = try backend(
      """
      revision: {from: etag, header: X-Version, conflictStatuses: [422]}
      errors: {message: error, errorMappings: [{statuses: [400, 409], code: conflict}]}
      resources: {things: {update: {}}}
      """
    ) { _ in SocketServer.json(status, #"{"error": "the name is taken"}"#) }
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.update("1", in: things, changes: [.set("name", "x")], revision: revision)
    }
    #expect(error?.code == .conflict && error?.message == message, "\(error?.message ?? "")")
  }

  @Test func `what a mapping looks for may be in the message on a field`() async throws {
    let (backend, _) = try backend(
      """
      errors:
        message: detail
        fields: {errorsPath: errors, layout: object}
        errorMappings: [{statuses: [400], messageContains: already exists, code: alreadyExists}]
      resources: {things: {create: {}}}
      """
    ) { _ in SocketServer.json(400, #"{"detail": "invalid", "errors": {"name": ["this name already exists"]}}"#) }
    let error = await failure { () async throws(BackendError) in _ = try await backend.create(["name": "x"], in: things)
    }
    #expect(error?.code == .alreadyExists && error?.fields.map(\.field) == ["name"])
  }

  // MARK: What is not there

  private static let images = """
    errors: {message: message}
    resources:
      containers:
        create: {path: create}
        actions: {start: {appliesTo: collection, path: "{id}/start", fields: {id: text}}, prune: {appliesTo: collection}, top: {}}
    """

  @Test func `404 for what is sent to a collection names the request, and what the server says`() async throws {
    let (backend, _) = try backend(Self.images) { _ in
      SocketServer.json(404, #"{"message": "No such image: x"}"#)
    }
    let path = ResourcePath(name: "containers")
    let made = await failure { () async throws(BackendError) in _ = try await backend.create(["Image": "x"], in: path) }
    #expect(made?.code == .notFound)
    #expect(
      made?.message == "POST /containers/create: not found (404): No such image: x")
    let started = await failure { () async throws(BackendError) in
      _ = try await backend.act("start", on: nil, in: path, with: ["id": "7"])
    }
    #expect(started?.message.hasPrefix("POST /containers/7/start: not found (404)") == true)
    let top = await failure { () async throws(BackendError) in
      _ = try await backend.act("top", on: "7", in: path, with: [:])
    }
    #expect(top?.message.hasPrefix("POST /containers/7/top: not found (404)") == true)
    let lacking = await failure { () async throws(BackendError) in
      _ = try await backend.act("start", on: nil, in: path, with: [:])
    }
    #expect(lacking?.message == "start needs a value for id")
  }

  // MARK: Nothing, and nothing new

  @Test("an action that is answered by nothing has no answer", arguments: ["", " \r\n", "null"])
  func nothing(body: String) async throws {
    let (backend, _) = try backend(Self.images) { _ in SocketServer.json(200, body) }
    let receipt = try await backend.act("prune", on: nil, in: ResourcePath(name: "containers"), with: [:])
    #expect(receipt.answer == nil && receipt.record == nil)
  }

  @Test func `a status can mean that all is so already`() async throws {
    let (backend, server) = try backend(
      """
      errors: {errorMappings: [{statuses: [304], alreadyDone: true}]}
      resources: {things: {update: {returns: maybe}, delete: {}, actions: {start: {}}}}
      """
    ) { request in
      request.hasPrefix("GET") ? SocketServer.json(200, #"{"id": "1", "name": "x"}"#) : SocketServer.answer(304)
    }
    let note = "the server reports that this is already the case (status 304)"
    #expect(try await backend.act("start", on: "1", in: things, with: [:]).notes == [note])
    #expect(try await backend.delete(.one("1"), from: things).notes == [note])
    let update = try await backend.update("1", in: things, changes: [.set("name", "x")], revision: nil)
    #expect(update.notes == [note])
    #expect(server.requests.filter { !$0.hasPrefix("GET") }.count == 3)
  }

  // MARK: New records of which nothing is shown

  @Test func `a creation that is answered by nothing proves no field`() async throws {
    let (backend, _) = try backend("resources: {things: {create: {returns: nothing}}}") { _ in SocketServer.answer(204)
    }
    let receipt = try await backend.create(["name": "x", "n": 1], in: things)
    #expect(receipt.hidden == ["name", "n"])
    #expect(
      receipt.notes == [
        "the server did not report the new record's identifier",
        "the server does not show name, n: they may not have been stored",
      ])
  }

  @Test("a creation that is answered by nothing is read back by its identifier", arguments: ["nothing", "maybe"])
  func readBack(returns: String) async throws {
    let (backend, server) = try backend(
      "resources: {things: {create: {returns: \(returns), identifier: client}}}"
    ) { request in
      request.hasPrefix("GET") ? SocketServer.json(200, #"{"id": "a", "name": "x"}"#) : SocketServer.answer(201)
    }
    let receipt = try await backend.create(["id": "a", "name": "x", "n": 1], in: things)
    #expect(receipt.record?.fields["name"] == "x" && receipt.hidden == ["n"])
    #expect(server.requests.map { $0.prefix { $0 != " " } } == ["POST", "GET"])
  }

  // MARK: The service

  @Test func `a health check that proves the service up also names its version`() async throws {
    let (backend, server) = try backend(
      """
      product: Acme
      discovery: {about: health, version: version, healthyWhen: {status: ok}, readsList: true}
      resources: {things: {}}
      """
    ) { _ in SocketServer.json(200, #"{"status": "ok", "version": "3.1"}"#) }
    #expect(try await backend.describe(.live).product == "Acme 3.1")
    #expect(server.requests.count == 1)
  }

  @Test(
    "a resource that cannot be read does not keep the others from being described",
    arguments: ["{readsList: true, infersFields: true}", "{infersFields: true}"], [500, 503, 200])
  func unreadResource(discovery: String, status: Int) async throws {
    let (backend, server) = try backend("discovery: \(discovery)\nresources: {broken: {}, things: {}, notes: {}}") {
      request in
      request.hasPrefix("GET /broken")
        ? SocketServer.json(status, status == 200 ? #"{"message": "no list"}"# : "{}")
        : SocketServer.json(200, #"[{"id": 1, "name": "x"}]"#)
    }
    let described = try await backend.describe(.live)
    #expect(described.resources.map { $0.fields.map(\.name) } == [[], ["id", "name"], ["id", "name"]])
    #expect(described.note?.hasPrefix("broken cannot be read: ") == true, "\(described.note ?? "")")
    #expect(server.requests.count { $0.hasPrefix("GET /broken") } == 1)
  }

  @Test("describe fails if no resource can be read") func unreadService() async throws {
    let (backend, _) = try backend("discovery: {readsList: true}\nresources: {things: {}, notes: {}}") { request in
      SocketServer.json(request.hasPrefix("GET /things") ? 500 : 404, "{}")
    }
    await #expect(throws: BackendError.self) { try await backend.describe(.live) }
  }
}
