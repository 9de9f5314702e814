import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// The place of records in responses, and the addressing of one record.
@Suite struct RecordShapeTests {
  private static let first: Object = [
    "id": 1, "name": "thing 1", "group": "odd", "n": 10, "at": 1_700_000_001, "note": "n1",
  ]

  private func records(
    _ trap: String, errors: Service.Errors = Service.Errors(), _ change: (inout Service.Resource) -> Void
  ) async throws -> [Record] {
    let page = try await TrapServer().backend(trap, errors: errors, change).page(ListQuery(things))
    return page.records
  }

  @Test func `records may be the members of an object, named by their identifiers`() async throws {
    let records = try await records("mapped") { ($0.recordsAt, $0.layout) = ([["result"]], .map) }
    #expect(records.map { $0.id?.text } == (1...25).map { "\($0)" })
    #expect(records[0].fields["name"] == "thing 1" && records[0].fields["id"] == 1)
  }

  @Test func `records may be the rows of a table`() async throws {
    let records = try await records("table") {
      ($0.recordsAt, $0.layout) = ([["rows"]], .table(columns: ["columns"]))
    }
    #expect(records.count == 25 && records[0].fields == Self.first)
  }

  @Test func `the fields may be in a member of each record`() async throws {
    let records = try await records("unwrapped") {
      ($0.recordsAt, $0.wrapping) = ([["data"]], Service.Wrapping(["attributes"], keeping: ["id"]))
    }
    #expect(records[0].fields == Self.first)
    let resources = try await self.records("relations") {
      ($0.recordsAt, $0.wrapping) = ([["entry"]], Service.Wrapping(["resource"]))
    }
    #expect(resources[0].fields == Self.first)
  }

  @Test func `a single record may stand in a list, and what lists have in part is not loaded`() async throws {
    let fixture = try SocketServer(answering: { request in
      let one = #"{"id":1,"meta":{"kind":"x","seen":3}}"#
      return SocketServer.answer(
        200, [("Content-Type", "application/json")],
        request.hasPrefix("GET /things/1") ? #"{"things":[\#(one)]}"# : #"{"things":[{"id":1,"meta":{"kind":"x"}}]}"#)
    })
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    (resource.recordsAt, resource.recordAt, resource.unlisted) = ([["things"]], ["things", "0"], ["meta"])
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    #expect(try await backend.get("1", from: things).fields["meta"] == ["kind": "x", "seen": 3])
    let listed = try await backend.page(ListQuery(things)).records
    #expect(listed.first?.fields["meta"] == nil && listed.first?.unloaded == ["meta"])
  }

  @Test(
    "a response without a list names the key that makes it one",
    arguments: [
      ("200", #"{"items":null}"#, "if null is an empty list, set records: {nullIsEmpty: true}"),
      ("200", "null", "if null is an empty list, set records: {nullIsEmpty: true}"),
      ("200", #"{"total":0}"#, "the response has no items, where records: {listPath: items} expects the list"),
      ("200", #"{"items":{}}"#, "if its members are the records, set records: {layout: map}"),
      (
        "200", #"{"items":{"data":[{"id":1}]}}"#,
        "if the records are in data, set records: {listPath: items.data}"
      ),
      ("200", #"{"items":false}"#, "records: {listPath: items} leads to a boolean here"),
      ("204", "", "if this status is an empty list, set records: {emptyStatuses: [204]}"),
    ])
  func unlisted(status: String, body: String, hint: String) async throws {
    let fixture = try SocketServer(SocketServer.answer(Int(status) ?? 0, [("Content-Type", "application/json")], body))
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    (resource.recordsAt, resource.source) = ([["items"]], .configuration)
    let backend = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    let error = await #expect(throws: BackendError.self) { try await backend.page(ListQuery(things)) }
    #expect(error?.hint == hint)
    resource.source = .adapter
    let adapter = RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(fixture))
    #expect(await #expect(throws: BackendError.self) { try await adapter.page(ListQuery(things)) }?.hint == nil)
  }

  @Test func `a null in the place of the records is an empty list only where that is declared`() async throws {
    #expect(
      try await records("nullempty") { ($0.recordsAt, $0.nullIsEmpty) = ([["items"]], true) }.isEmpty)
    let error = await failure { () async throws(BackendError) in
      do { _ = try await records("nullempty") { $0.recordsAt = [["items"]] } } catch let error as BackendError {
        throw error
      } catch {}
    }
    #expect(error?.code == .badResponse)
  }

  @Test func `an error in a response with the status 200 is an error`() async throws {
    let server = try await TrapServer()
    let notOK = try server.backend("notok") { ($0.recordsAt, $0.okAt) = ([["things"]], ["ok"]) }
    let error = await failure { () async throws(BackendError) in _ = try await notOK.page(ListQuery(things)) }
    #expect(error?.message == "the server reports a failure: channel_not_found")
    let errors = Service.Errors(
      messages: [["error", "message"]], code: ["error", "code"],
      meanings: [Service.Meaning(statuses: [200], has: (["error", "code"], 17), code: .rateLimited, hint: "wait")])
    let quota = try server.backend("errorin200", errors: errors) { $0.recordsAt = [["things"]] }
    let exceeded = await failure { () async throws(BackendError) in _ = try await quota.page(ListQuery(things)) }
    #expect(exceeded?.code == .rateLimited && exceeded?.hint == "wait")
    #expect(exceeded?.message == "rate limited: quota exceeded (17)")
    let undeclared = try server.backend("notok") { ($0.recordsAt, $0.source) = ([["things"]], .configuration) }
    let told = await failure { () async throws(BackendError) in _ = try await undeclared.page(ListQuery(things)) }
    #expect(told?.message == "the server reports a failure: channel_not_found")
    #expect(told?.hint == "if this is not an error, name the member in records: {notFields: […]}")
    let named = try server.backend("partialpage") { ($0.recordsAt, $0.notFields) = ([["rows"]], ["errors"]) }
    #expect(try await named.page(ListQuery(things)).records.count > 0)
  }

  @Test func `an identifier may be the last part of a record's address`() async throws {
    let backend = try await TrapServer().backend("linked") {
      ($0.recordsAt, $0.naming) = ([["things"]], .link(["_links", "self", "href"]))
    }
    let records = try await backend.page(ListQuery(things)).records
    #expect(records.map { $0.id?.text } == (1...25).map { "\($0)" })
    #expect(try await backend.get("7", from: things).fields["name"] == "thing 7")
  }

  @Test func `an identifier may be the path of a record's address`() async throws {
    let backend = try await TrapServer().backend("linked") {
      ($0.identifier, $0.addressing.item) = (IdentifierRule(field: nil, form: .text), .root)
      ($0.recordsAt, $0.naming) = ([["things"]], .address(["_links", "self", "href"]))
    }
    #expect(try await backend.page(ListQuery(things)).records[4].id == "things/5")
    #expect(try await backend.get("things/7", from: things).fields["name"] == "thing 7")
  }

  private func pairs() async throws -> RESTBackend {
    try await TrapServer().backend("pairs") {
      $0.identifier = IdentifierRule(field: nil, form: .text)
      $0.fields = []
      ($0.identifier.parts, $0.identifier.separator) = (["a", "b"], ",")
      $0.addressing.item = .filter(value: "eq.{value}")
      $0.itemHeaders = [("Accept", "application/vnd.one+json")]
      $0.missing.statuses = [406]
    }
  }

  @Test func `an identifier of several fields is found by a condition on each`() async throws {
    let backend = try await pairs()
    #expect(
      try await backend.page(ListQuery(things)).records.map { $0.id?.text } == ["k1%2Cx,1", "k2%2Cx,2", "k3%2Cx,3"])
    #expect(try await backend.get("k2%2Cx,2", from: things).fields["name"] == "thing 2")
    let missing = await failure { () async throws(BackendError) in _ = try await backend.get("k2,3", from: things) }
    #expect(missing?.code == .notFound && missing?.message.hasPrefix("not found") == true)
    let odd = await failure { () async throws(BackendError) in _ = try await backend.get("k2", from: things) }
    #expect(odd?.code == .invalid && odd?.hint == "it is written A,B")
  }

  @Test func `a list without a record says that there is none where it is found by a condition`() async throws {
    let backend = try await TrapServer().backend("pairs") {
      ($0.identifier, $0.fields) = (IdentifierRule(field: "a", form: .text), [])
      $0.addressing.item = .filter(value: "eq.{value}")
    }
    let missing = await failure { () async throws(BackendError) in _ = try await backend.get("zz", from: things) }
    #expect(missing?.code == .notFound)
  }

  @Test func `a key stands in parentheses behind the resource`() async throws {
    let server = try await TrapServer()
    let numbers = try server.backend("key") { $0.addressing.item = .key }
    #expect(try await numbers.get("1", from: things).fields["name"] == "thing 1")
    let texts = try server.backend("key") {
      ($0.identifier, $0.addressing.item) = (IdentifierRule(field: "id", form: .text), .key)
      $0.ignoresIdentifierCase = true
    }
    _ = await failure { () async throws(BackendError) in _ = try await texts.get("it's", from: things) }
    #expect(try await server.log() == ["GET /key/things(1)", "GET /key/things('it%27%27s')"])
  }

  @Test func `a template leads to a record elsewhere`() async throws {
    let backend = try await TrapServer().backend("page404") { $0.addressing.item = .template("things/{id}") }
    #expect(try await backend.get("3", from: things).fields["name"] == "thing 3")
  }

  @Test func `a status may hide that a record is not there`() async throws {
    let backend = try await TrapServer().backend("hidden") {
      ($0.missing.statuses, $0.updating) = ([403], Service.Updating("PATCH", clearing: .null))
    }
    let error = await failure { () async throws(BackendError) in _ = try await backend.get("3", from: things) }
    #expect(error?.code == .notFound && error?.message == "not found (403), or reading it is not permitted")
    // Of a write that is refused so, a read decides which of both it is.
    for (id, code) in [("1", BackendError.Code.forbidden), ("3", .notFound)] {
      let refused = await failure { () async throws(BackendError) in
        _ = try await backend.update(RecordID(id), in: things, changes: [Change.set("name", "x")], revision: nil)
      }
      #expect(refused?.code == code && refused?.effect == .rejected)
    }
  }

  @Test func `paths end as the service takes them, and the version is named where it looks for it`() async throws {
    let server = try await TrapServer()
    _ = try await server.backend("suffixed") { $0.addressing.suffix = "/" }.get("1", from: things)
    _ = try await server.backend("suffixed") { $0.addressing.suffix = ".json" }.page(ListQuery(things))
    _ = try await server.backend("versioned", apiVersion: "3") { $0.addressing.version = .parameter("v") }
      .page(ListQuery(things))
    _ = try await server.backend("versioned", apiVersion: "3") {
      $0.addressing.version = .accept("application/json;v={version}")
    }.page(ListQuery(things))
    _ = try await server.backend("versioned", apiVersion: "3") { $0.addressing.version = .header("X-Version") }
      .page(ListQuery(things))
    #expect(
      try await server.log() == [
        "GET /suffixed/things/1/", "application/json None", "GET /suffixed/things.json", "application/json None",
        "GET /versioned/things?v=3", "application/json None", "GET /versioned/things",
        "application/json;v=3 None", "GET /versioned/things", "application/json 3",
      ])
  }

  @Test(
    "dates are texts of ISO 8601, however the service writes them",
    arguments: [
      (Service.DateForm.epoch, "1700000001", "2023-11-14T22:13:21Z"),
      (.epoch, "0", "1970-01-01T00:00:00Z"),
      (.epoch, "-86400", "1969-12-31T00:00:00Z"),
      (.epoch, "1774747800.5", "2026-03-29T01:30:00.5Z"),
      (.epoch, "-0.25", "1969-12-31T23:59:59.75Z"),
      (.epoch, "-62135596800", "0001-01-01T00:00:00Z"),
      (.epochMilliseconds, "1700000001250", "2023-11-14T22:13:21.250Z"),
      (.epochMilliseconds, "-1", "1969-12-31T23:59:59.999Z"),
      (.rfc1123, #""Tue, 14 Nov 2023 22:13:21 GMT""#, "2023-11-14T22:13:21Z"),
      (.rfc1123, #""Sat, 01 Jan 1955 00:00:00 GMT""#, "1955-01-01T00:00:00Z"),
    ])
  func dates(_ form: Service.DateForm, _ sent: String, _ shown: String) async throws {
    let server = try SocketServer(answering: { _ in SocketServer.json(200, #"{"id": 1, "at": \#(sent)}"#) })
    let backend = try dated(form, server)
    #expect(try await backend.get("1", from: things).fields["at"] == .string(shown))
    let receipt = try await backend.update("1", in: things, changes: [.set("at", .string(shown))], revision: nil)
    #expect(receipt.notes.isEmpty)
    #expect(server.texts.last?.hasSuffix(#"{"at":\#(sent)}"#) == true)
  }

  @Test(
    "a date that the form of the service cannot hold is refused",
    arguments: [
      (Service.DateForm.epoch, "2026-03-29T01:30:00", "seconds since 1970"),
      (.epoch, "noon", "seconds since 1970"),
      (.epochMilliseconds, "2026-03-29T01:30:00.1234Z", "milliseconds since 1970"),
      (.rfc1123, "2026-03-29T01:30:00.5Z", "a date of HTTP"),
    ])
  func undated(_ form: Service.DateForm, _ given: String, _ name: String) async throws {
    let server = try SocketServer(answering: { _ in SocketServer.json(200, #"{"id": 1}"#) })
    let backend = try dated(form, server)
    let error = await #expect(throws: BackendError.self) {
      try await backend.update("1", in: things, changes: [.set("at", .string(given))], revision: nil)
    }
    #expect(error?.message == "at is sent as \(name), and \"\(given)\" cannot be")
    #expect(!server.requests.contains { $0.hasPrefix("PATCH") })
  }

  @Test("what is likely no date is sent, with a note") func likely() async throws {
    let server = try SocketServer(answering: { _ in SocketServer.json(200, #"{"id": 1, "at": "noon"}"#) })
    let backend = try dated(.epoch, server, likely: [.type])
    let receipt = try await backend.update("1", in: things, changes: [.set("at", "noon")], revision: nil)
    #expect(receipt.notes.contains { $0.hasPrefix("at is sent as seconds since 1970, and ") }, "\(receipt.notes)")
    #expect(server.texts.last?.hasSuffix(#"{"at":"noon"}"#) == true)
  }

  /// A backend of things with a date in a form.
  private func dated(
    _ form: Service.DateForm, _ server: SocketServer, likely: Set<FieldDescription.Fact> = []
  ) throws -> RESTBackend {
    var field = FieldDescription("at", .date)
    field.likely = likely
    var resource = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer),
      fields: [FieldDescription("id", .integer, isReadOnly: true), field])
    resource.dates = form
    resource.updating = Service.Updating("PATCH", clearing: .null)
    return RESTBackend(Service(product: "p", resources: [resource]), over: try ServerExchange(server))
  }
}
