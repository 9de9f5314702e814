import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// The requests that create, change and delete records.
@Suite struct WriteFormTests {
  /// The server's log without reads.
  private func writes(_ server: TrapServer) async throws -> [String] {
    try await server.log().filter { !$0.hasPrefix("GET ") }
  }

  private func updating(
    _ server: TrapServer, _ trap: String, _ updating: Service.Updating,
    _ change: (inout Service.Resource) -> Void = { _ in }
  ) throws -> RESTBackend {
    try server.backend(trap) {
      $0.updating = updating
      change(&$0)
    }
  }

  @Test func `a JSON Patch says each change as an operation`() async throws {
    let server = try await TrapServer()
    var updating = Service.Updating("PATCH", clearing: .removing)
    updating.form = .jsonPatch
    let backend = try self.updating(server, "jsonpatch", updating)
    let receipt = try await backend.update(
      "1", in: things, changes: [.set("name", "x"), .set("a/b~c", 1), .unset("note")], revision: nil)
    #expect(receipt.record?.fields["name"] == "x" && receipt.record?.fields["note"] == nil && receipt.notes.isEmpty)
    #expect(receipt.record?.fields["a/b~c"] == 1)
    #expect(
      try await writes(server) == [
        #"PATCH /jsonpatch/things/1 [{"op":"add","path":"/name","value":"x"},{"op":"add","path":"/a~1b~0c","value":1},{"op":"remove","path":"/note"}]"#
      ])
  }

  @Test func `a JSON Merge Patch has a type of its own, and its null clears`() async throws {
    let server = try await TrapServer()
    var updating = Service.Updating("PATCH", clearing: .null)
    updating.form = .mergePatch
    let backend = try self.updating(server, "merge", updating)
    let receipt = try await backend.update("1", in: things, changes: [.unset("note"), .set("n", 7)], revision: nil)
    #expect(receipt.record?.fields["note"] == nil && receipt.record?.fields["n"] == 7)
    #expect(try await writes(server) == [#"PATCH /merge/things/1 {"n":7,"note":null}"#])
  }

  @Test func `records of JSON:API are sent with the types that their resources have`() async throws {
    let fixture = try SocketServer(answering: { request in
      let sent =
        #"{"data":{"type":"Thing","attributes":{"name":"x"},"relationships":{"owner":{"data":{"type":"Person","id":"7"}}}}}"#
      return request.hasSuffix(sent)
        ? SocketServer.answer(
          201, [("Content-Type", "application/vnd.api+json")],
          #"{"data":{"type":"Thing","id":"1","attributes":{"name":"x"},"relationships":{"owner":{"data":{"type":"Person","id":"7"}}}}}"#
        ) : SocketServer.answer(409)
    })
    var things = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .text))
    var people = Service.Resource("people", at: try RequestPath("people"), identifier: IdentifierRule(form: .text))
    (things.shape, things.recordType) = (.jsonAPI, "Thing")
    (people.shape, people.recordType) = (.jsonAPI, "Person")
    var owner = FieldDescription("owner", .text)
    owner.reference = RecordReference(to: "people")
    things.fields = [FieldDescription("name", .text), owner]
    things.creating = Service.Creating()
    let backend = RESTBackend(Service(product: "p", resources: [things, people]), over: try ServerExchange(fixture))
    let receipt = try await backend.create(["name": "x", "owner": "7"], in: ResourcePath(name: "things"))
    #expect(receipt.record?.fields["owner"] == "7")
  }

  @Test(
    "what a form cannot say is refused before anything is sent",
    arguments: [["a[b]": 1], ["": 1], ["0": 1], [:], []] as [Value])
  func unsaid(_ value: Value) async throws {
    var updating = Service.Updating("POST", clearing: .emptyText, mayAnswerNothing: true)
    updating.body = .form
    let fixture = try SocketServer(answering: { _ in SocketServer.answer(204) })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.updating = updating
    let form = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    let error = await #expect(throws: BackendError.self) {
      try await form.update("1", in: things, changes: [.set("meta", value)], revision: nil)
    }
    #expect(error?.code == .unsupported && error?.message.contains("meta cannot contain") == true)
    #expect(fixture.texts.isEmpty)
  }

  @Test func `a page of HTML is not the response of a service that answers a creation with nothing`() async throws {
    let fixture = try SocketServer(answering: { _ in
      SocketServer.answer(200, [("Content-Type", "text/html")], "<html></html>")
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    var creating = Service.Creating()
    creating.answer = .nothing
    resource.creating = creating
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    let error = await #expect(throws: BackendError.self) { try await backend.create(["name": "x"], in: things) }
    #expect(error?.code == .badResponse && error?.effect == .unknown)
  }

  @Test func `an empty body is no page, whatever its type, and a read shows what was not kept`() async throws {
    let fixture = try SocketServer(answering: { request in
      request.hasPrefix("PATCH")
        ? SocketServer.answer(200, [("Content-Type", "text/html")], "")
        : SocketServer.answer(200, [("Content-Type", "application/json")], #"{"id":1,"name":"x"}"#)
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.updating = Service.Updating("PATCH", clearing: .null, mayAnswerNothing: true)
    resource.updating?.readsBack = true
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    let receipt = try await backend.update("1", in: things, changes: [.set("name", "x"), .set("m", 2)], revision: nil)
    #expect(receipt.record?.fields["name"] == "x")
    #expect(receipt.notes == ["the server did not store m as sent"])
  }

  @Test func `a field that may not be null is neither set to it nor cleared by it`() async throws {
    let fixture = try SocketServer(answering: { _ in SocketServer.answer(204) })
    var resource = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer),
      fields: [FieldDescription("n", .integer, isNullable: false)])
    resource.updating = Service.Updating("PATCH", clearing: .null, mayAnswerNothing: true)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    for change in [Change.unset("n"), .set("n", .null)] {
      let error = await #expect(throws: BackendError.self) {
        try await backend.update("1", in: things, changes: [change], revision: nil)
      }
      #expect(error?.code == .invalid && fixture.texts.isEmpty)
    }
    #expect(FieldDescription("n", .integer, isNullable: false).complaint(about: .null) == "n cannot be null")
    #expect(FieldDescription("n", .integer).complaint(about: .null) == nil)
  }

  @Test("an identifier of another form names no record", arguments: ["zz", "00ff ", "00FF", "00ff\n", "00ff0", ""])
  func pattern(_ text: String) {
    let rule = IdentifierRule(form: .text, pattern: "^[0-9a-f]{4}$")
    #expect(rule.complaint(about: text) != nil)
    #expect(rule.complaint(about: "00ff") == nil)
  }

  @Test func `a form is sent with brackets, and an empty text clears`() async throws {
    var updating = Service.Updating("POST", clearing: .emptyText, mayAnswerNothing: true)
    updating.body = .form
    let fixture = try SocketServer(answering: { _ in SocketServer.answer(204) })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.updating = updating
    let form = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    let changes: [Change] = [
      .set("name", "a b&c"), .set("meta", ["x": 1, "y": [true, 2]]), .unset("note"),
    ]
    _ = try await form.update("1", in: things, changes: changes, revision: nil)
    let text = try #require(fixture.texts.first)
    #expect(text.hasSuffix("\r\n\r\nname=a%20b%26c&meta%5Bx%5D=1&meta%5By%5D%5B0%5D=true&meta%5By%5D%5B1%5D=2&note="))
    #expect(text.lowercased().contains("content-type: application/x-www-form-urlencoded"))
  }

  @Test func `a form may repeat the names of lists, but not where elements have members`() async throws {
    var creating = Service.Creating()
    (creating.body, creating.answer) = (.repeatingForm, .nothing)
    let fixture = try SocketServer(answering: { _ in SocketServer.answer(204) })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.creating = creating
    let form = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    _ = try await form.create(["tags": ["a", "b"], "rows": [["x": 1]]], in: things)
    let text = try #require(fixture.texts.first)
    #expect(text.hasSuffix("\r\n\r\ntags=a&tags=b&rows%5B0%5D%5Bx%5D=1"))
  }

  @Test func `the fields may be sent in a member, and the identifier alone may come back`() async throws {
    let server = try await TrapServer()
    var creating = Service.Creating()
    creating.wrapping = ["thing"]
    let wrapped = try server.backend("wrapped") { $0.creating = creating }
    #expect(try await wrapped.create(["name": "x"], in: things).record?.fields["name"] == "x")
    var other = Service.Creating()
    other.answer = .identifier(["name"])
    let named = try server.backend("idonly") { $0.creating = other }
    let receipt = try await named.create(["name": "x"], in: things)
    #expect(receipt.id == "4" && receipt.record?.fields["name"] == "x")
    other.answer = .location
    let located = try server.backend("location") { $0.creating = other }
    let found = try await located.create(["name": "y", "note": nil], in: things)
    #expect(found.id == "4" && found.record?.fields["name"] == "y")
    other.answer = .nothing
    let silent = try server.backend("location") { $0.creating = other }
    let unknown = try await silent.create(["name": "z"], in: things)
    #expect(unknown.id == nil && unknown.notes.first == "the server did not report the new record's identifier")
    #expect(try await writes(server).first == #"POST /wrapped/things {"thing":{"name":"x"}}"#)
  }

  @Test func `a null may be left out of a new record, and each creation may have a key of its own`() async throws {
    let fixture = try SocketServer(answering: { _ in SocketServer.json(201, #"{"id": 1, "name": "x"}"#) })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    var creating = Service.Creating()
    (creating.sendsNull, creating.idempotencyKey) = (false, "Idempotency-Key")
    creating.extras = Service.WriteParameters(path: ["new"], parameters: [("draft", "1")], headers: [("X-A", "b")])
    resource.creating = creating
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    for _ in 0..<2 { _ = try await backend.create(["name": "x", "note": nil], in: things) }
    #expect(fixture.requests == ["POST /things/new?draft=1 HTTP/1.1", "POST /things/new?draft=1 HTTP/1.1"])
    let keys = fixture.texts.compactMap { text in
      text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key: ") }
    }
    #expect(Set(keys).count == 2)
    #expect(fixture.texts.allSatisfy { $0.hasSuffix(#"{"name":"x"}"#) && $0.contains("X-A: b") })
  }

  @Test func `a record may be made at the path of its identifier`() async throws {
    let fixture = try SocketServer(answering: { request in
      request.hasPrefix("GET") ? SocketServer.answer(404) : SocketServer.json(201, #"{"id": "a b", "name": "x"}"#)
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .text))
    resource.creating = Service.Creating(takesIdentifiers: true)
    resource.creating?.method = "PUT"
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    #expect(try await backend.create(["id": "a b", "name": "x"], in: things).id == "a b")
    #expect(fixture.requests == ["GET /things/a%20b HTTP/1.1", "PUT /things/a%20b HTTP/1.1"])
    let error = await failure { () async throws(BackendError) in _ = try await backend.create(["name": "x"], in: things)
    }
    #expect(error?.code == .invalid && error?.effect == .notSent)
  }

  @Test func `a deletion may be another request with the identifier in its body`() async throws {
    let server = try await TrapServer()
    var deleting = Service.Deleting()
    (deleting.method, deleting.isAtResource, deleting.body) = ("POST", true, ["ids": ["{id}"]])
    deleting.extras.path = ["remove"]
    let backend = try server.backend("bulk") { $0.deleting = deleting }
    _ = try await backend.delete(.one("2"), from: things)
    #expect(try await writes(server) == [#"POST /bulk/things/remove {"ids":[2]}"#])
    #expect(try await backend.page(ListQuery(things)).records.map { $0.id?.text } == ["1", "3"])
  }

  @Test func `a revision that is required is read first`() async throws {
    let server = try await TrapServer()
    let backend = try server.backend("required") {
      $0.updating = Service.Updating("PATCH", clearing: .null)
      $0.deleting = Service.Deleting()
      $0.revision = Service.Revision(.entityTag(isWeak: false), deletes: true, isRequired: true)
    }
    let receipt = try await backend.update("1", in: things, changes: [.set("name", "x")], revision: nil)
    #expect(receipt.record?.revision == #""2""#)
    let stale = await failure { () async throws(BackendError) in
      _ = try await backend.update("1", in: things, changes: [.set("name", "y")], revision: #""1""#)
    }
    #expect(stale?.code == .conflict && stale?.effect == .rejected)
    _ = try await backend.delete(.one("1"), from: things)
    #expect(try await backend.page(ListQuery(things)).records.map { $0.id?.text } == ["2", "3"])
  }

  @Test func `a revision may be a field that is sent back, and another status a conflict`() async throws {
    let server = try await TrapServer()
    let backend = try server.backend("lockfield") {
      $0.updating = Service.Updating("PATCH", clearing: .null)
      $0.revision = Service.Revision(.field("version"), sending: .field("version"), conflicts: [423])
    }
    let record = try await backend.get("1", from: things)
    #expect(record.revision == "1")
    let receipt = try await backend.update("1", in: things, changes: [.set("name", "x")], revision: "1")
    #expect(receipt.record?.revision == "2")
    let stale = await failure { () async throws(BackendError) in
      _ = try await backend.update("1", in: things, changes: [.set("name", "y")], revision: "1")
    }
    #expect(stale?.code == .conflict)
  }

  @Test func `a failure in a response with the status 200 is reported as a write that was refused`() async throws {
    let client = try await TrapServer().client("okfalse") {
      ($0.creating, $0.okAt) = (Service.Creating(), ["ok"])
    }
    let error = await failure { () async throws(BackendError) in
      _ = try await client.perform(.create(things, ["name": "x"]))
    }
    #expect(error?.effect == .rejected)
    #expect(error?.message.contains("name_taken") == true)
  }

  @Test func `a hook asks for what a write needs before it, and keeps it`() async throws {
    let fixture = try SocketServer(answering: { text in
      text.hasPrefix("GET /csrf")
        ? SocketServer.json(200, #"{"token": "t1"}"#) : SocketServer.json(201, #"{"id": 1, "name": "x"}"#)
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.creating = Service.Creating()
    var hooks = Service.Hooks()
    let token = try RequestPath("csrf")
    hooks.step = { operation, responses, kept in
      if let body = responses.first?.body, let read = try? JSONReader.read(body) {
        kept["token"] = read.object?["token"]
      }
      guard let text = kept["token"]?.text else { return .send(HTTPRequest("GET", token, effect: .read)) }
      var request = operation.request
      request.headers.append(("X-CSRF", text))
      return .instead(request)
    }
    let service = Service(product: "p", resources: [resource], hooks: hooks)
    let backend = RESTBackend(service, over: try ServerExchange(fixture))
    for _ in 0..<2 { _ = try await backend.create(["name": "x"], in: things) }
    #expect(
      fixture.requests == ["GET /csrf HTTP/1.1", "POST /things HTTP/1.1", "POST /things HTTP/1.1"])
    #expect(fixture.texts.filter { $0.contains("X-CSRF: t1") }.count == 2)
  }

  @Test func `a hook computes the cursor of the next page`() async throws {
    var hooks = Service.Hooks()
    hooks.next = { page, kept in
      kept["pages"] = .int((kept["pages"]?.integer ?? 0) + 1)
      guard page.count == 10, let last = page.last?.fields["id"]?.integer else { return nil }
      return "\(last)"
    }
    let client = try await TrapServer().client("after", hooks: hooks) {
      $0.recordsAt = [["data"]]
      ($0.paging.cursor, $0.paging.size) = ("starting_after", "limit")
    }
    #expect(try await client.all().ids == Array(1...25))
  }
}
