import AdapterSupport
import BackendClient
import BackendKit
import Foundation
import Testing

/// Results of writes: none claims more than the responses prove.
@Suite struct WriteProofTests {
  private static let stored = #"{"id":3,"name":"old","n":1}"#
  private static let page = SocketServer.answer(404, [("Content-Type", "text/html")], "<html>no such site</html>")

  /// A client of one resource, its things, over a server that makes each response of the request's text.
  private func client(
    _ change: (inout Service.Resource) -> Void = { _ in },
    answering answer: @escaping @Sendable (String) -> [UInt8]
  ) throws -> (client: Client, server: SocketServer) {
    let server = try SocketServer(answering: answer)
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .text))
    resource.isOpen = true
    resource.creating = Service.Creating(mayAnswerNothing: true)
    resource.updating = Service.Updating("PATCH", clearing: .null, mayAnswerNothing: true)
    resource.deleting = Service.Deleting()
    change(&resource)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(server))
    return (Client(name: "s", backend: backend), server)
  }

  private func write(_ verb: String) -> Write {
    switch verb {
    case "create": .create(things, ["name": "new"])
    case "update": .update(things, "3", [.set("name", "new")])
    default: .delete(things, .one("3"))
    }
  }

  @Test(
    "a status that does not prove a refusal leaves the outcome of a write unknown",
    arguments: ["create", "update", "delete"], [202, 301, 302, 303, 304, 408, 499, 500])
  func unknown(verb: String, status: Int) async throws {
    let (client, _) = try client { request in
      guard request.hasPrefix("GET") else { return SocketServer.answer(status, [("Location", "/elsewhere")]) }
      return SocketServer.json(200, Self.stored)
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write(verb)) }
    #expect(error?.effect == .unknown)
  }

  @Test(
    "a status that asks for the request elsewhere or again is a refusal",
    arguments: ["create", "update", "delete"], [307, 308, 400, 421, 425, 429])
  func refused(verb: String, status: Int) async throws {
    let (client, server) = try client { _ in SocketServer.answer(status, [("Location", "/elsewhere")]) }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write(verb)) }
    #expect(error?.effect == .rejected)
    #expect(server.requests.count == 1)
  }

  @Test(
    "a record is read before a deletion by an identifier that a service may take for another one",
    arguments: ["3abc", "03", "+3", "3."], [IdentifierRule.Form.integer, .text])
  func respelled(id: String, form: IdentifierRule.Form) async throws {
    let (client, server) = try client {
      $0.identifier = IdentifierRule(form: form)
      $0.identifier.likely = [.type]
    } answering: { request in
      request.hasPrefix("GET") ? SocketServer.json(200, Self.stored) : SocketServer.answer(204)
    }
    let error = await failure { () async throws(BackendError) in
      _ = try await client.perform(.delete(things, .one(RecordID(id))))
    }
    // A text that begins with a number is one of its own where identifiers are texts.
    let isOther = form == .integer || id != "3abc"
    #expect((error != nil) == isOther)
    #expect(server.requests.contains { $0.hasPrefix("DELETE") } == !isOther)
  }

  @Test(
    "only verified facts refuse a chosen identifier",
    arguments: [[.type], [.readOnly], []] as [Set<FieldDescription.Fact>])
  func chosen(likely: Set<FieldDescription.Fact>) async throws {
    let (client, server) = try client {
      var field = FieldDescription("id", .text, isReadOnly: likely.contains(.readOnly))
      field.likely = likely
      $0.fields = [field]
    } answering: { _ in
      SocketServer.json(201, #"{"id":"x","name":"new"}"#)
    }
    let error = await failure { () async throws(BackendError) in
      _ = try await client.perform(.create(things, ["id": "x", "name": "new"]))
    }
    #expect((error == nil) == !likely.isEmpty && server.requests.isEmpty == likely.isEmpty)
  }

  @Test func `a write of a record that cannot be read alone looks for it in the list`() async throws {
    func unread() throws -> (Client, SocketServer) {
      try self.client {
        ($0.readsItems, $0.writes) = (false, .unknown)
      } answering: { request in
        request.hasPrefix("GET") ? SocketServer.json(200, "[{\"id\":2},\(Self.stored)]") : SocketServer.answer(204)
      }
    }
    let (client, server) = try unread()
    _ = try await client.perform(write("update"))
    let sent = server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(sent.contains("PATCH /things/3") && !sent.contains("GET /things/3"), "\(sent)")
    // Nothing is known yet of what the service keeps.
    let first = try unread().0
    let error = await failure { () async throws(BackendError) in
      _ = try await first.perform(.update(things, "4", [.set("name", "new")]))
    }
    #expect(error?.code == .notFound && error?.effect != .unknown, "\(String(describing: error))")
    _ = try await client.perform(write("delete"))
    #expect(server.requests.contains { $0.hasPrefix("DELETE /things/3") })
  }

  @Test("a read settles a write that was accepted for later or redirected, if it shows it", arguments: [202, 303])
  func settled(status: Int) async throws {
    let (client, _) = try client { request in
      request.hasPrefix("GET")
        ? SocketServer.json(200, #"{"id":3,"name":"new"}"#) : SocketServer.answer(status, [("Location", "/page")])
    }
    let receipt = try await client.perform(write("update"))
    #expect(receipt.notes.count == 1)
  }

  @Test(
    "a success with an error in its body, which no description tells of, leaves the outcome unknown",
    arguments: ["create", "update", "delete"],
    [#"{"error":"in use"}"#, #"{"success":false,"message":"in use"}"#, #"{"errors":[{"message":"in use"}],"id":3}"#])
  func undeclared(verb: String, body: String) async throws {
    let (client, _) = try client {
      $0.fields = [FieldDescription("id", .any), FieldDescription("name", .text)]
    } answering: { request in
      SocketServer.json(200, request.hasPrefix("GET") ? Self.stored : body)
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write(verb)) }
    #expect(error?.code == .badResponse && error?.effect == .unknown)
    #expect(error?.message.contains("in use") == true)
  }

  @Test(
    "a flag of success that is missing leaves the outcome of a write unknown, and one that is not true is a refusal",
    arguments: ["create", "update", "delete"], ["{}", "null", "", #"{"id":3}"#, #"{"ok":false}"#, #"{"ok":"no"}"#])
  func flag(verb: String, body: String) async throws {
    let (client, server) = try client {
      $0.okAt = ["ok"]
    } answering: { request in
      SocketServer.json(200, request.hasPrefix("GET") ? Self.stored : body)
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write(verb)) }
    #expect(error?.effect == (body.contains("ok") ? .rejected : .unknown))
    #expect(server.requests.filter { !$0.hasPrefix("GET") }.count == 1)
  }

  @Test(
    "a job that is done is so although a read does not show it yet", arguments: ["create", "update", "readBack"])
  func later(verb: String) async throws {
    let (client, _) = try client {
      $0.showsWritesLater = true
      $0.updating?.readsBack = verb == "readBack"
      $0.job = Service.Job(state: ["status"])
      $0.job?.done = ["done"]
      $0.job?.result = ["record"]
      $0.job?.interval = .milliseconds(1)
    } answering: { request in
      if request.hasPrefix("GET /tasks") {
        return SocketServer.json(200, #"{"status":"done","record":\#(verb == "create" ? 4 : 3)}"#)
      }
      if request.hasPrefix("GET /things/3") { return SocketServer.json(200, Self.stored) }
      return SocketServer.answer(request.hasPrefix("GET") ? 404 : 202, [("Location", "/tasks/1")])
    }
    let receipt = try await client.perform(write(verb == "create" ? verb : "update")) { _ in
      KnownFields(["name": "old", "n": 1])
    }
    #expect(receipt.id == (verb == "create" ? "4" : "3"))
    #expect(receipt.isKept && receipt.altered == [])
    #expect(receipt.hidden == (verb == "update" ? [] : ["name"]))
  }

  @Test(
    "an empty error, a described one, and one of a record that is shown are none of the write",
    arguments: [#"{"error":null,"errors":[],"success":true}"#, #"{"ok":"no","error":"x"}"#, #"{"id":3,"error":"x"}"#])
  func noRefusal(body: String) async throws {
    let (client, _) = try client {
      if body.contains("no") { $0.fields = [FieldDescription("error", .any)] }
    } answering: { request in
      request.hasPrefix("GET") ? SocketServer.answer(404) : SocketServer.json(200, body)
    }
    #expect(try await client.perform(write("delete")).id == "3")
  }

  @Test("a deletion whose job is not found is done only if the record is not, either", arguments: [true, false])
  func forgotten(isThere: Bool) async throws {
    let (client, _) = try client {
      $0.job = Service.Job(state: ["status"])
      $0.job?.interval = .milliseconds(1)
    } answering: { request in
      if request.hasPrefix("DELETE") { return SocketServer.answer(202, [("Location", "/tasks/1")]) }
      if request.hasPrefix("GET /tasks") { return SocketServer.answer(404) }
      if request.hasPrefix("GET /things/3") {
        return isThere ? SocketServer.json(200, Self.stored) : SocketServer.answer(404)
      }
      return SocketServer.json(200, "[]")
    }
    guard isThere else {
      #expect(try await client.perform(write("delete")).id == "3")
      return
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write("delete")) }
    #expect(error?.effect == .unknown)
  }

  @Test func `the identifier of a job is not the record's`() async throws {
    let (client, _) = try client { request in
      request.hasPrefix("GET") ? SocketServer.json(200, Self.stored) : SocketServer.json(202, #"{"id":3}"#)
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write("create")) }
    #expect(error?.effect == .unknown)
    #expect(error?.httpStatus == 202)
  }

  @Test func `a record that a Location names is the new one only if it shows something of what was sent`() async throws
  {
    let (client, _) = try client {
      $0.creating?.answer = .location
    } answering: { request in
      request.hasPrefix("GET")
        ? SocketServer.json(200, Self.stored) : SocketServer.answer(201, [("Location", "/things/3")])
    }
    #expect(try await client.perform(write("create")).id == nil)
  }

  @Test("a deletion whose response was lost is done only if the service responds otherwise", arguments: [true, false])
  func absence(isAlive: Bool) async throws {
    let (client, server) = try client { request in
      if request.hasPrefix("DELETE") { return [] }
      if request.hasPrefix("GET /things/3") { return Self.page }
      return isAlive ? SocketServer.json(200, #"[{"id":4}]"#) : Self.page
    }
    guard isAlive else {
      let error = await failure { () async throws(BackendError) in _ = try await client.perform(write("delete")) }
      #expect(error?.effect == .unknown)
      return
    }
    #expect(try await client.perform(write("delete")).id == "3")
    #expect(server.requests.last?.hasPrefix("GET /things") == true)
  }

  @Test func `a plain get of a record that is missing is one request`() async throws {
    let (client, server) = try client { _ in SocketServer.answer(404) }
    let error = await failure { () async throws(BackendError) in _ = try await client.get("3", from: things) }
    #expect(error?.code == .notFound)
    #expect(server.requests.count == 1)
  }

  @Test func `a gateway's 404 does not show that a service keeps nothing`() async throws {
    let (client, _) = try client {
      $0.writes = .unknown
    } answering: { request in
      request.hasPrefix("POST") ? SocketServer.json(201, #"{"id":3,"name":"new"}"#) : Self.page
    }
    let receipt = try await client.perform(write("create"))
    #expect(receipt.writes == .unknown)
  }

  @Test("a create by PUT looks first, and sends nothing if the record is there", arguments: [true, false])
  func put(isComposite: Bool) async throws {
    let (client, server) = try client {
      $0.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: true)
      $0.creating?.method = "PUT"
      guard isComposite else { return }
      $0.identifier = IdentifierRule(field: nil, form: .text)
      ($0.identifier.parts, $0.identifier.separator) = (["site", "id"], "/")
      $0.addressing.item = .template("things/{site}/{id}")
    } answering: { _ in
      SocketServer.json(200, #"{"site":"a","id":"3","name":"old"}"#)
    }
    let write = Write.create(things, ["site": "a", "id": "3", "name": "new"])
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write) }
    #expect(error?.code == .alreadyExists)
    #expect(error?.effect == .notSent)
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET") })
    var options = CallOptions()
    options.isListedAbsent = true
    _ = try await client.perform(write, with: options)
    #expect(server.requests.last?.hasPrefix("PUT") == true)
  }

  @Test(
    "a PUT without a look tells whether the record was created only by 201", arguments: [(201, false), (200, true)])
  func replaced(status: Int, isDoubtful: Bool) async throws {
    let (client, _) = try client {
      $0.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: true, looksFirst: false)
      $0.creating?.method = "PUT"
    } answering: { _ in
      SocketServer.json(status, #"{"id":"3","name":"new"}"#)
    }
    let receipt = try await client.perform(.create(things, ["id": "3", "name": "new"]))
    #expect(receipt.mayHaveReplaced == isDoubtful)
  }

  @Test(
    "a status that means a replacement is contradicted by a read that showed no record", arguments: [true, false])
  func contradicted(looks: Bool) async throws {
    let (client, _) = try client {
      $0.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: true, looksFirst: looks)
      $0.creating?.method = "PUT"
      $0.creating?.replacedStatuses = [200]
    } answering: { request in
      request.hasPrefix("GET") ? SocketServer.answer(404) : SocketServer.json(200, #"{"id":"3","name":"new"}"#)
    }
    let receipt = try await client.perform(.create(things, ["id": "3", "name": "new"]))
    #expect(receipt.mayHaveReplaced == !looks)
    #expect(receipt.notes.count == 1)
    #expect(receipt.notes[0].contains(looks ? "showed no such record" : "was replaced"))
  }

  @Test func `a create with If-None-Match is refused by 412 as one that exists`() async throws {
    let (client, server) = try client {
      $0.creating = Service.Creating(mayAnswerNothing: true, takesIdentifiers: true)
      $0.creating?.method = "PUT"
      $0.creating?.extras.headers = [("If-None-Match", "*")]
    } answering: { _ in
      SocketServer.answer(412)
    }
    let error = await failure { () async throws(BackendError) in
      _ = try await client.perform(.create(things, ["id": "3", "name": "new"]))
    }
    #expect(error?.code == .alreadyExists)
    #expect(server.requests.count == 1)
  }

  @Test func `a placeholder without a value is not sent`() async throws {
    let (client, server) = try client {
      $0.creating?.extras.path = ["{group}"]
    } answering: { _ in
      SocketServer.json(201, "{}")
    }
    let error = await failure { () async throws(BackendError) in _ = try await client.perform(write("create")) }
    #expect(error?.code == .invalid)
    #expect(error?.effect == .notSent)
    #expect(server.requests.isEmpty)
    _ = try? await client.perform(.create(things, ["name": "new", "group": "a b"]))
    #expect(server.requests.first?.hasPrefix("POST /things/a%20b ") == true)
  }

  @Test func `a field that shows its old value after an update was not kept, if it is known to be the old one`()
    async throws
  {
    let (client, _) = try client { _ in SocketServer.json(200, #"{"id":3,"name":"old","n":1,"note":"Spaced"}"#) }
    let write = Write.update(things, "3", [.set("name", "new"), .set("n", 1), .set("note", " spaced ")])
    let receipt = try await client.perform(write)
    #expect(receipt.unkept == [] && receipt.unclear == ["name"])
    #expect(receipt.altered == ["name", "note"])
    #expect(receipt.isKept && !receipt.isAsSent)
    let judged = try await client.perform(write) { _ in KnownFields(["name": "old", "note": "before"]) }
    #expect(judged.unkept == ["name"] && judged.unclear == [] && !judged.isKept)
    let changed = try await client.perform(write) { _ in KnownFields(["name": "older", "note": "before"]) }
    #expect(changed.unkept == [] && changed.isAsSent && changed.altered == ["name", "note"])
  }

  @Test(
    "a response that shows the old value is older than the write if a read shows the new one",
    arguments: [KnownFields(["name": "old"]), nil])
  func late(before: KnownFields?) async throws {
    let (client, _) = try client { request in
      SocketServer.json(200, request.hasPrefix("GET") ? #"{"id":3,"name":"new"}"# : #"{"id":3,"name":"old"}"#)
    }
    let receipt = try await client.perform(write("update")) { _ in before }
    #expect(receipt.altered == [] && receipt.isAsSent && receipt.record?.fields["name"] == "new")
    #expect(receipt.notes == [])
  }

  @Test(
    "a record that the response names is the new one if a value in it was made of what was sent",
    arguments: [(" NEW", "3"), ("theirs", nil)])
  func named(name: String, id: RecordID?) async throws {
    let (client, _) = try client {
      $0.creating?.answer = .identifier(["id"])
    } answering: { request in
      request.hasPrefix("GET")
        ? SocketServer.json(200, #"{"id":3,"name":"\#(name)"}"#) : SocketServer.json(201, #"{"id":3}"#)
    }
    #expect(try await client.perform(write("create")).id == id)
  }

  @Test func `a record with none of the values that were sent is not the new one`() async throws {
    let (client, _) = try client { request in
      SocketServer.json(request.hasPrefix("GET") ? 200 : 201, #"{"id":3,"name":"theirs"}"#)
    }
    let receipt = try await client.perform(write("create"))
    #expect(receipt.id == nil && receipt.notes.first?.contains("record 3") == true, "\(receipt.notes)")
  }
}
