import AdapterSupport
import BackendClient
@testable import BackendKit
import Testing

/// The ways that services name, create, own and clear records, as descriptions define them.
@Suite struct DescribedWayTests {
  private func started(_ way: String, _ text: String) async throws -> (server: TrapServer, backend: RESTBackend) {
    let server = try await TrapServer("ways.py")
    return (server, try server.backend(way, described: text))
  }

  /// The server's log without reads.
  private func writes(_ server: TrapServer) async throws -> [String] {
    try await server.log().filter { !$0.hasPrefix("GET ") }
  }

  // MARK: Naming records

  @Test func `verbs are in paths, and an identifier is in a parameter or in the body`() async throws {
    let (server, backend) = try await started(
      "verbs",
      """
      resources:
        jobs:
          paths: {collection: jobs/list, write: jobs, item: "jobs/get?job_id={id}"}
          identifier: {field: job_id, type: integer}
          records: {listPath: jobs, recordPath: job}
          create: {path: create, returns: identifier, identifierPath: job_id}
          update: {method: POST, atCollection: true, path: update, extraMembers: {job_id: "{id}"}, readBack: true}
          delete: {method: POST, atCollection: true, path: delete, body: {job_id: "{id}"}}
      """)
    let jobs = ResourcePath(name: "jobs")
    #expect(try await backend.create(["name": "a"], in: jobs).record?.fields["name"] == "a")
    let receipt = try await backend.update("1", in: jobs, changes: [.set("name", "b")], revision: nil)
    #expect(receipt.record?.fields["name"] == "b" && receipt.notes.isEmpty)
    #expect(try await backend.page(ListQuery(jobs)).records.map { $0.id?.text } == ["1"])
    _ = try await backend.delete(.one("1"), from: jobs)
    let error = await failure { () async throws(BackendError) in _ = try await backend.get("1", from: jobs) }
    #expect(error?.code == .notFound)
    #expect(
      try await server.log() == [
        #"POST /verbs/jobs/create {"name":"a"}"#, "GET /verbs/jobs/get?job_id=1",
        #"POST /verbs/jobs/update {"name":"b","job_id":1}"#, "GET /verbs/jobs/get?job_id=1", "GET /verbs/jobs/list",
        #"POST /verbs/jobs/delete {"job_id":1}"#, "GET /verbs/jobs/get?job_id=1",
      ])
  }

  @Test func `what a parameter finds may be a list with one record`() async throws {
    let (_, backend) = try await started(
      "found", "resources: {things: {paths: {item: 'things?id={id}'}, notFound: {empty: true}}}")
    #expect(try await backend.get("2", from: things).fields["name"] == "b")
    let error = await failure { () async throws(BackendError) in _ = try await backend.get("3", from: things) }
    #expect(error?.code == .notFound)
  }

  // MARK: Making records that have a name

  @Test(
    "the identifier of a record made by PUT is in the path, in the body, or in both",
    arguments: [
      ("pathonly", "drop: [id]", #"PUT /pathonly/things/a {"n":1}"#),
      ("bodyonly", "atCollection: true, identifier: client", #"PUT /bodyonly/things {"id":"a","n":1}"#),
      ("both", "headers: {}", #"PUT /both/things/a {"id":"a","n":1}"#),
    ])
  func put(way: String, facts: String, request: String) async throws {
    let (server, backend) = try await started(
      way, "resources: {things: {create: {method: PUT, returns: maybe, \(facts)}}}")
    let receipt = try await backend.create(["id": "a", "n": 1], in: things)
    #expect(receipt.id == "a" && !receipt.mayHaveReplaced)
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.create(["id": "a", "n": 1], in: things)
    }
    #expect(error?.code == .alreadyExists && error?.effect == .notSent)
    #expect(try await writes(server) == [request])
  }

  @Test func `a service says by its status that a record was replaced, or refuses to`() async throws {
    let (server, telling) = try await started(
      "pathonly",
      """
      create: {method: PUT, returns: maybe, drop: [id]}
      resources: {things: {create: {readsFirst: false, replacedStatuses: [200, 204]}}}
      """)
    #expect(try await telling.create(["id": "a"], in: things).mayHaveReplaced == false)
    let replaced = try await telling.create(["id": "a"], in: things)
    #expect(
      replaced.mayHaveReplaced && replaced.hasReplaced
        && replaced.notes == ["a record with this identifier already existed and was replaced (status 204)"])
    let refusing = try server.backend(
      "pathonly",
      described: """
        resources:
          things: {create: {method: PUT, returns: maybe, drop: [id], headers: {If-None-Match: "*"}}}
        """)
    let error = await failure { () async throws(BackendError) in
      _ = try await refusing.create(["id": "a"], in: things)
    }
    #expect(error?.code == .alreadyExists)
    #expect(try await server.log().allSatisfy { $0.hasPrefix("PUT ") })
  }

  @Test(
    "a deletion that would make a record looks first, like a change",
    arguments: [
      ("pathonly", "delete: {method: PUT, body: {gone: true}, soft: true}", #"PUT /pathonly/things/a {"gone":true}"#),
      (
        "bodyonly", "delete: {method: PUT, atCollection: true, body: {id: '{id}', gone: true}}",
        #"PUT /bodyonly/things {"id":"a","gone":true}"#
      ),
      (
        "postitem", "create: {atCollection: false, drop: [id]}, delete: {method: POST, body: {gone: true}}",
        #"POST /postitem/things/a {"gone":true}"#
      ),
      (
        "upsert",
        "create: {identifier: client}, delete: {method: POST, atCollection: true, body: {id: '{id}', gone: true}}",
        #"POST /upsert/things {"id":"a","gone":true}"#
      ),
    ])
  func deletion(way: String, facts: String, request: String) async throws {
    let (server, backend) = try await started(way, "resources: {things: {\(facts)}}")
    let absent = await failure { () async throws(BackendError) in _ = try await backend.delete(.one("a"), from: things)
    }
    #expect(absent?.code == .notFound)
    #expect(try await writes(server) == [])
    let put = try server.backend(
      way, described: "resources: {things: {\(facts.replacing("delete: {", with: "delete: {readsFirst: false, "))}}")
    _ = try await put.delete(.one("a"), from: things)
    _ = try await backend.delete(.one("a"), from: things)
    #expect(try await writes(server) == [request, request])
  }

  @Test(
    "a POST that makes and changes records looks first",
    arguments: [
      (
        "postitem", "create: {atCollection: false, drop: [id]}, update: {method: POST}",
        [#"POST /postitem/things/a {"n":1}"#, #"POST /postitem/things/a {"n":2}"#]
      ),
      (
        "upsert",
        "create: {identifier: client}, update: {method: POST, atCollection: true, extraMembers: {id: '{id}'}}",
        [#"POST /upsert/things {"id":"a","n":1}"#, #"POST /upsert/things {"n":2,"id":"a"}"#]
      ),
    ])
  func post(way: String, facts: String, requests: [String]) async throws {
    let (server, backend) = try await started(way, "resources: {things: {\(facts)}}")
    #expect(try await backend.create(["id": "a", "n": 1], in: things).record?.fields["n"] == 1)
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.create(["id": "a", "n": 3], in: things)
    }
    #expect(error?.code == .alreadyExists && error?.effect == .notSent)
    let receipt = try await backend.update("a", in: things, changes: [.set("n", 2)], revision: nil)
    #expect(receipt.record?.fields["n"] == 2)
    let absent = await failure { () async throws(BackendError) in
      _ = try await backend.update("b", in: things, changes: [.set("n", 2)], revision: nil)
    }
    #expect(absent?.code == .notFound)
    #expect(try await writes(server) == requests)
  }

  // MARK: Owners, names and parts

  @Test func `a list takes its owner as a parameter`() async throws {
    let (server, backend) = try await started(
      "owned",
      """
      resources:
        projects: {identifier: {type: integer}}
        tasks:
          identifier: {type: integer}
          fields: {id: {type: integer, readOnly: true}, project: integer, done: text}
          owners: {projects: {field: project, parameter: project, createsBelow: true}}
          operationsBelow: [list, create]
          create: {}
          filter: {fields: [project, done], conditions: {"=": "{field}"}}
      """)
    let path = try #require(ResourcePath(parts: ["projects", "2", "tasks"]))
    let made = try await backend.create(["done": "no"], in: path)
    #expect(made.record?.fields["project"] == 2)
    #expect(try await backend.page(ListQuery(path)).records.count == 1)
    // A parameter that is there twice could mean anything.
    var query = ListQuery(path)
    query.filters = [
      .compare(FieldPath("done"), .equal, .word("no")), .compare(FieldPath("project"), .equal, .word("1")),
    ]
    #expect(try await backend.plan(query).filters == [.superset, .not])
    let alone = await failure { () async throws(BackendError) in
      _ = try await backend.page(ListQuery(ResourcePath(name: "tasks")))
    }
    #expect(alone?.code == .unsupported && alone?.effect == .notSent)
    #expect(
      try await server.log() == [
        #"POST /owned/tasks?project=2 {"done":"no"}"#, "GET /owned/tasks?project=2",
      ])
  }

  @Test func `a record whose path includes its owner is refused without it, with the way to name it`() async throws {
    let (server, backend) = try await started(
      "owned",
      """
      resources:
        projects: {identifier: {type: integer}}
        notes:
          identifier: {type: integer}
          paths: {item: "projects/{project}/notes/{id}"}
          owners: {projects: {field: project, createsBelow: true}}
          update: {}
          delete: {}
      """)
    let notes = ResourcePath(name: "notes")
    let errors = [
      await failure { () async throws(BackendError) in _ = try await backend.get("5", from: notes) },
      await failure { () async throws(BackendError) in _ = try await backend.delete(.one("5"), from: notes) },
      await failure { () async throws(BackendError) in
        _ = try await backend.update("5", in: notes, changes: [.set("n", 1)], revision: nil)
      },
    ]
    for error in errors {
      #expect(error?.code == .invalid && error?.effect == .notSent)
      #expect(error?.hint == "write projects/ID/notes 5", "\(String(describing: error))")
    }
    #expect(try await server.log() == [])
  }

  @Test func `a field is sent under another name than it is shown`() async throws {
    let (server, backend) = try await started(
      "renamed",
      """
      resources:
        things:
          identifier: {type: integer}
          fields:
            project: {type: object, readOnly: true}
            project_id: {type: integer, readPath: project.id}
            tags: {type: list, readOnly: true}
            tag_ids: {type: list, readPath: tags.*.id}
          create: {}
          update: {method: null, clear: "null", drop: [id, project, tags]}
      """)
    let made = try await backend.create(["project_id": 3, "tag_ids": [1, 2]], in: things)
    #expect(made.record?.fields["project_id"] == 3 && made.record?.fields["tag_ids"] == [1, 2] && made.notes.isEmpty)
    #expect(made.record?.fields["project"]?.object?["name"] == "p3")
    let cleared = try await backend.update("1", in: things, changes: [.unset("project_id")], revision: nil)
    #expect(cleared.altered.isEmpty && cleared.record?.fields["project_id"] == .null)
    #expect(try await writes(server).last == #"PUT /renamed/things/1 {"project_id":null,"tag_ids":[1,2]}"#)
  }

  @Test func `what another field is shown in is described, too`() async throws {
    let (_, backend) = try await started(
      "renamed",
      """
      resources:
        things:
          identifier: {type: integer}
          fields:
            project_id: {type: integer, readPath: project.id}
            tag_ids: {type: list, readPath: tags.*.id}
          records: {notFields: [tags]}
      """)
    let fields = try await backend.describe(.known).resources.first?.fields ?? []
    // The identifier is a field, whether it is described as one or not.
    #expect(fields.map(\.name) == ["id", "project_id", "tag_ids", "project"])
    #expect(fields.first?.kind == .integer && fields.first?.isReadOnly == true)
    #expect(fields.last?.kind == .any && fields.last?.isReadOnly == true)
  }

  @Test func `a field may be shown below its own name, and stays as it is where nothing is there`() throws {
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    resource.shownAt = [("status", ["status", "value"])]
    #expect(resource.read(["status": ["value": "active", "label": "Active"]])["status"] == "active")
    #expect(resource.read(["status": "active"])["status"] == "active")
    #expect(resource.read(["status": .null])["status"] == .null)
    #expect(resource.read(["status": .object(Object())])["status"] == .null)
  }

  @Test func `a new record has constants beside the part that holds its fields`() async throws {
    let (server, backend) = try await started(
      "geo",
      """
      resources:
        things:
          identifier: {type: integer}
          records: {listPath: features, fieldsPath: properties, siblingFields: [id, geometry]}
          create: {extraMembers: {type: Feature}}
          update: {extraMembers: {type: Feature}, method: null, clear: replace}
      """)
    let point: Value = ["type": "Point", "coordinates": [1, 2]]
    let made = try await backend.create(["name": "a", "geometry": point], in: things)
    #expect(made.record?.fields["name"] == "a" && made.id == "1" && made.notes.isEmpty)
    let moved = try await backend.update("1", in: things, changes: [.set("name", "b")], revision: nil)
    #expect(moved.record?.fields["geometry"]?.isSame(as: point) == true)
    #expect(
      try await writes(server) == [
        #"POST /geo/things {"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"a"},"type":"Feature"}"#,
        #"PUT /geo/things/1 {"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"b"},"type":"Feature","id":1}"#,
      ])
  }

  // MARK: Clearing, numbers and nothing

  @Test func `each field is cleared in its own way`() async throws {
    let (server, backend) = try await started(
      "cleared",
      """
      resources:
        things:
          identifier: {type: integer}
          fields:
            id: {type: integer, readOnly: true}
            name: text
            n: integer
            level: {type: text, clear: "null", serverDefault: normal}
            kept: {type: text, clear: replaceWithNull}
            size: {type: integer, clear: default, serverDefault: 0}
          update: {clear: {text: emptyText, any: "null"}}
      """)
    let described = try #require(try await backend.describe(.known).resources.first)
    let left = ["n", "name", "level", "kept", "size"].map(described.contentOfCleared)
    #expect(left == [.null, .emptyText, .null, .null, .serverDefault] && described.capabilities.keepsNull)
    func clear(_ names: String...) async throws -> WriteReceipt {
      try await backend.update("1", in: things, changes: names.map { .unset($0) }, revision: nil)
    }
    let receipt = try await clear("name", "n", "level", "size")
    #expect(receipt.altered.isEmpty && receipt.hidden.isEmpty)
    #expect(receipt.notes == [#"level now has its default: "normal""#, "size now has its default: 0"])
    let kept = try await clear("kept")
    #expect(kept.altered.isEmpty && kept.record?.fields["kept"] == .null)
    #expect(
      try await writes(server) == [
        #"PATCH /cleared/things/1 {"name":"","n":null,"level":null,"size":0}"#,
        #"PUT /cleared/things/1 {"id":1,"name":"","n":null,"level":"normal","kept":null,"size":0}"#,
      ])
  }

  @Test func `a whole record may be sent by PATCH`() async throws {
    let (server, backend) = try await started(
      "cleared",
      """
      resources: {things: {identifier: {type: integer}, update: {method: null, replaceMethod: PATCH, clear: "null"}}}
      """)
    let receipt = try await backend.update("1", in: things, changes: [.unset("n")], revision: nil)
    #expect(receipt.altered.isEmpty)
    #expect(
      try await writes(server) == [
        #"PATCH /cleared/things/1 {"id":1,"name":"a","n":null,"level":"high","kept":"k","size":5}"#
      ])
  }

  @Test func `numbers in texts compare as numbers`() async throws {
    let (server, backend) = try await started(
      "decimals",
      """
      resources:
        things:
          identifier: {type: integer}
          fields: {id: {type: integer, readOnly: true}, price: {type: number, format: decimal}}
          update: {}
      """)
    let client = Client(name: "decimals", backend: backend)
    var query = ListQuery(things)
    query.filters = [.compare(FieldPath("price"), .greater, .word("9.6"))]
    query.sort = [SortKey(FieldPath("price"), isDescending: true)]
    #expect(try await client.all(query).ids == [3, 2])
    let price = Value.number(try #require(Number("12.50")))
    let receipt = try await backend.update("1", in: things, changes: [.set("price", price)], revision: nil)
    #expect(receipt.altered.isEmpty && receipt.record?.fields["price"] == price)
    #expect(try await writes(server) == [#"PATCH /decimals/things/1 {"price":"12.50"}"#])
  }

  @Test func `only the response that says so is an empty list`() async throws {
    let (_, backend) = try await started(
      "nothing",
      """
      errors:
        message: error
        errorMappings:
          - {statuses: [404], member: code, value: no_results, emptyList: true}
          - {statuses: [200], messageContains: nothing found, emptyList: true}
      records: {listPath: rows}
      resources: {things: {}, odd: {}, other: {}}
      """)
    for name in ["things", "odd"] {
      #expect(try await backend.page(ListQuery(ResourcePath(name: name))).records.isEmpty)
    }
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.page(ListQuery(ResourcePath(name: "other")))
    }
    #expect(error?.code == .notFound)
  }
}
