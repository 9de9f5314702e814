import AdapterSupport
import BackendClient
@testable import BackendKit
import ServiceDescription
import Synchronization
import Testing

/// Names and owners of records in responses and requests.
@Suite struct DescribedNameTests {
  private func started(_ way: String, _ text: String) async throws -> (server: TrapServer, backend: RESTBackend) {
    let server = try await TrapServer("ways.py")
    return (server, try server.backend(way, described: text))
  }

  /// The requests that were no reads.
  private func writes(_ server: TrapServer) async throws -> [String] {
    try await server.log().filter { !$0.hasPrefix("GET ") && !$0.hasPrefix("LIST ") }
  }

  // MARK: Identifiers that records do not show

  @Test func `a record of a map has its identifier where it is read alone, too`() async throws {
    let (server, backend) = try await started(
      "mapped",
      """
      resources:
        things: {identifier: {field: name}, records: {layout: map}, update: {method: null, clear: replace}}
        counted: {identifier: {type: integer}, records: {layout: map}}
      """)
    #expect(
      try await backend.page(ListQuery(things)).records.map(\.fields) == [
        ["name": "a", "n": 1], ["name": "b", "n": 2],
      ])
    #expect(try await backend.get("b", from: things).fields == ["name": "b", "n": 2])
    // The record goes back as it came.
    _ = try await backend.update("b", in: things, changes: [.set("n", 3)], revision: nil)
    #expect(try await writes(server) == [#"PUT /mapped/things/b {"n":3}"#])
    let counted = ResourcePath(name: "counted")
    #expect(try await backend.page(ListQuery(counted)).records.map(\.fields) == [["id": 7, "n": 1]])
    #expect(try await backend.get("7", from: counted).fields == ["id": 7, "n": 1])
  }

  @Test func `a list may be of names alone, and a map of values`() async throws {
    let (_, backend) = try await started(
      "mapped",
      """
      resources:
        names:
          identifier: {field: name}
          records: {listPath: keys, valueField: name}
          lists: {omit: [n]}
          fields: {name: text, n: integer}
        settings: {identifier: {field: key}, records: {layout: map, valueField: value}}
      """)
    let names = ResourcePath(name: "names")
    let listed = try await backend.page(ListQuery(names)).records
    #expect(
      listed.map { $0.id?.text } == ["a", "b"] && listed[0].fields == ["name": "a"] && listed[0].unloaded == ["n"])
    #expect(try await backend.get("b", from: names).fields == ["name": "b", "n": 2])
    let settings = ResourcePath(name: "settings")
    let all = try await backend.page(ListQuery(settings)).records
    #expect(all.map(\.fields) == [["key": "theme", "value": "dark"], ["key": "size", "value": 3]])
    #expect(try await backend.get("theme", from: settings).fields == ["key": "theme", "value": "dark"])
  }

  @Test func `records without an identifier are listed, and the others say why they cannot be done`() async throws {
    let server = try SocketServer(SocketServer.json(200, #"[{"t": 1, "v": 3}, {"t": 2, "v": 1}, {"t": 3, "v": 2}]"#))
    let text = "resources: {readings: {identifier: {field: null}, update: {}, delete: {}, create: {}}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let client = Client(name: "r", backend: RESTBackend(service, over: try ServerExchange(server)))
    let readings = ResourcePath(name: "readings")
    var query = ListQuery(readings, pageSize: 2)
    query.filters = [.compare(FieldPath("v"), .greater, .word("1"))]
    query.sort = [SortKey(FieldPath("v"))]
    let kept = Mutex<[Value?]>([])
    let summary = try await client.list(
      ListRequest(query),
      to: RecordSink { records in
        kept.withLock { $0 += records.map { $0.fields["t"] } }
        return .more
      })
    #expect(kept.withLock(\.self) == [3, 1] && summary.unreadable.isEmpty)
    let sent = server.requests.count
    let writes: [Write] = [.update(readings, "1", [.set("v", 1)]), .delete(readings, .one("1"))]
    for write in writes {
      let error = await failure { () async throws(BackendError) in _ = try await client.perform(write) }
      #expect(error?.code == .unsupported && error?.message.contains("have no identifier") == true)
    }
    let read = await failure { () async throws(BackendError) in _ = try await client.get("1", from: readings) }
    #expect(read?.message.contains("have no identifier") == true && server.requests.count == sent)
  }

  @Test(
    "Location names the new record however its address is made",
    arguments: [
      ("identifier: {fields: [a, b]}", "/located/things/1,2", "1,2"),
      ("identifier: {fields: [a, b]}, paths: {item: 'things/{a}/{b}'}", "http://other/located/things/1/2", "1,2"),
      ("identifier: {fields: [a, b]}, paths: {item: 'things/{a}/of/{b}'}", "/located/things/1/of/x%2Cy", "1,x%2Cy"),
      ("identifier: {fields: [a, b]}, paths: {item: key}", "/located/things(a=1,b='x''y')", "1,x'y"),
      ("identifier: {fields: [a, b]}, paths: {itemFilter: 'eq.{value}'}", "/located/things?a=eq.1&b=eq.2", "1,2"),
      ("paths: {item: 'things/get?id={id}'}", "things/get?id=7", "7"),
      ("paths: {item: 'things/{id}/full'}", "/located/things/7/full", "7"),
      ("paths: {item: key}", "/located/things(7)", "7"),
      ("base: {suffix: .json}", "/located/things/7.json", "7"),
      ("{}", "/located/things/7/", "7"),
    ])
  func location(facts: String, address: String, id: String) throws {
    let text = "resources: {things: \(facts == "{}" ? facts : "{\(facts)}")}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    #expect(service.resources[0].identifier(at: address)?.text == id)
  }

  @Test func `an address of another form names no record`() throws {
    let text = "resources: {things: {identifier: {fields: [a, b]}, paths: {item: 'things/{a}/{b}'}}}"
    let things = try Description(reading: Array(text.utf8), file: "api.yaml").service().resources[0]
    for address in ["", "/", "/others/1/2", "/things"] { #expect(things.identifier(at: address) == nil, "\(address)") }
  }

  @Test func `a new record is read where its Location leads`() async throws {
    let (_, backend) = try await started(
      "located",
      """
      resources:
        things: {identifier: {fields: [a, b]}, paths: {item: "things/{a}/{b}"}, create: {returns: location}}
      """)
    let receipt = try await backend.create(["a": 1, "b": 2, "name": "x"], in: things)
    #expect(receipt.id == "1,2" && receipt.record?.fields["name"] == "x" && receipt.notes.isEmpty)
  }

  // MARK: Owners

  private static let owned = """
    identifier: {type: integer}
    resources:
      projects: {}
      issues:
        fields: {id: {type: integer, readOnly: true}, project: integer, title: text}
        owners: {projects: {field: project}}
        create: {}
        update: {}
        delete: {}
        actions: {close: {}, prune: {appliesTo: collection}}
      labels:
        owners: {projects: {field: null}}
        create: {}
        update: {}
        delete: {}
        actions: {close: {}}
      notes:
        paths: {item: "projects/{project}/notes/{id}"}
        owners: {projects: {field: project, createsBelow: true}}
        create: {}
        update: {}
        delete: {}
    """

  private func path(_ owner: String, _ name: String) throws -> ResourcePath {
    try #require(ResourcePath(parts: ["projects", owner, name]))
  }

  /// The error of a write; nil if it was done.
  private func refusal(of write: Write, _ backend: RESTBackend) async -> BackendError? {
    await failure { () async throws(BackendError) in
      switch write {
      case .create(let path, let fields): _ = try await backend.create(fields, in: path)
      case .update(let path, let id, let changes, _, _):
        _ = try await backend.update(id, in: path, changes: changes, revision: nil)
      case .delete(let path, let deletion, _): _ = try await backend.delete(deletion, from: path)
      case .act(let path, let id, let action, let fields):
        _ = try await backend.act(action, on: id, in: path, with: fields)
      }
    }
  }

  @Test func `no record of another owner is written`() async throws {
    let (server, backend) = try await started("issues", Self.owned)
    let other = try path("4", "issues")
    let foreign: [Write] = [
      .delete(other, .one("5")), .update(other, "5", [.set("title", "x")]), .act(other, "5", "close", [:]),
    ]
    for write in foreign { #expect(await refusal(of: write, backend)?.code == .notFound) }
    #expect(try await writes(server) == [])
    _ = try await backend.act("close", on: "5", in: path("3", "issues"), with: [:])
    _ = try await backend.act("prune", on: nil, in: path("3", "issues"), with: [:])
    _ = try await backend.delete(.one("5"), from: path("3", "issues"))
    #expect(
      try await writes(server) == [
        "POST /issues/issues/5/close", "POST /issues/projects/3/issues/prune", "DELETE /issues/issues/5",
      ])
  }

  @Test func `where nothing tells whose a record is, it is neither read nor written below an owner`() async throws {
    let (server, backend) = try await started("issues", Self.owned)
    let labels = try path("3", "labels")
    let unclear: [Write] = [
      .delete(labels, .one("1")), .update(labels, "1", [.set("title", "x")]), .act(labels, "1", "close", [:]),
      .create(labels, ["title": "x"]),
    ]
    for write in unclear {
      let error = await refusal(of: write, backend)
      #expect(error?.code == .unsupported && error?.effect == .notSent, "\(error?.message ?? "")")
    }
    let read = await failure { () async throws(BackendError) in _ = try await backend.get("1", from: labels) }
    #expect(read?.code == .unsupported)
    #expect(try await server.log() == [])
  }

  @Test func `an empty list is none of a missing owner only where a read proves that it is missing`() async throws {
    let (server, backend) = try await started(
      "groups",
      """
      identifier: {type: integer}
      page: {style: none}
      resources:
        teams: {}
        unread: {}
        closed: {}
        fixed: {}
        unnamed: {paths: {item: null}}
        members: {owners: {teams: {}, unread: {}, closed: {}, fixed: {}, unnamed: {}}}
      """)
    func members(_ owner: String) throws -> ListQuery {
      ListQuery(try #require(ResourcePath(parts: owner.split(separator: "/").map(String.init) + ["members"])))
    }
    for owner in ["teams/2", "unread/1", "unread/2", "unread/3", "closed/1", "fixed/1", "unnamed/1"] {
      #expect(try await backend.page(members(owner)).records.isEmpty, "\(owner)")
    }
    let missing = try members("teams/3")
    let error = await failure { () async throws(BackendError) in _ = try await backend.page(missing) }
    let log = try await server.log()
    #expect(error?.code == .notFound && error?.effect == .rejected, "\(log)")
  }

  @Test func `an owner that only the address names is in the address of each write`() async throws {
    let (server, backend) = try await started("issues", Self.owned)
    let notes = try path("3", "notes")
    _ = try await backend.update("1", in: notes, changes: [.set("title", "x")], revision: nil)
    _ = try await backend.delete(.one("1"), from: notes)
    #expect(
      try await writes(server) == [
        #"PATCH /issues/projects/3/notes/1 {"title":"x"}"#, "DELETE /issues/projects/3/notes/1",
      ])
    let alone = await failure { () async throws(BackendError) in
      _ = try await backend.delete(.one("1"), from: ResourcePath(name: "notes"))
    }
    #expect(alone?.code == .invalid && alone?.effect == .notSent)
    let foreign = await failure { () async throws(BackendError) in
      _ = try await backend.create(["title": "x", "project": 4], in: notes)
    }
    #expect(foreign?.code == .invalid && foreign?.effect == .notSent)
  }

  // MARK: Paths

  @Test func `a path with nothing behind it keeps its ending`() throws {
    let path = try RequestPath("things").ending(in: "/")
    #expect(try path.appending([]).description == "things/" && path.appending(["a"]).description == "things/a")
  }

  @Test func `an action at the path of its record keeps the ending of that path`() async throws {
    let server = try SocketServer(answering: { _ in SocketServer.answer(204) })
    let text = "resources: {things: {paths: {collection: things/}, actions: {prune: {appliesTo: collection, path: /}}}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let backend = RESTBackend(service, over: try ServerExchange(server))
    _ = try await backend.act("prune", on: nil, in: things, with: [:])
    #expect(server.requests.first?.hasPrefix("POST /things/ ") == true)
  }
}
