import AdapterSupport
import BackendClient
@testable import BackendKit
import ServiceDescription
import Testing

/// Presets on imitations of their services, of a few lines each, after documents and source.
@Suite struct PresetWayTests {
  private func started(_ preset: String) async throws -> (server: TrapServer, backend: RESTBackend) {
    let server = try await TrapServer("ways.py")
    return (server, try server.backend(preset, described: "preset: \(preset)"))
  }

  @Test func `NetBox shows choices and records as objects, and takes what the console shows`() async throws {
    let (server, backend) = try await started("netbox")
    let sites = ResourcePath(name: "sites")
    let site = try await backend.get("1", from: sites).fields
    #expect(site["status"] == "active" && site["region"] == 4 && site["tenant"] == .null)
    var query = ListQuery(sites)
    query.filters = [
      .compare(FieldPath("region"), .equal, .word("4")), .compare(FieldPath("status"), .equal, .word("active")),
    ]
    #expect(try await backend.plan(query).filters == [.superset, .superset])
    #expect(try await backend.page(query).records.map { $0.id?.text } == ["1"])
    let changed = try await backend.update(
      "1", in: sites, changes: [.set("region", 5), .set("status", "planned")], revision: nil)
    #expect(changed.altered.isEmpty && changed.record?.fields["region"] == 5)
    let log = try await server.log()
    #expect(log.contains { $0.contains("region_id=4") && $0.contains("status=active") }, "\(log)")
    #expect(log.last == #"PATCH /netbox/dcim/sites/1/ {"region":5,"status":"planned"}"#, "\(log)")
  }

  @Test func `Vault lists names, and each is read by itself`() async throws {
    let (server, backend) = try await started("vault")
    let policies = ResourcePath(name: "policies")
    let listed = try await backend.page(ListQuery(policies)).records
    #expect(listed.map(\.fields) == [["name": "default"], ["name": "root"]] && listed[0].unloaded == ["policy"])
    #expect(try await backend.get("root", from: policies).fields == ["name": "root", "policy": "path"])
    let secrets = ResourcePath(name: "secrets")
    #expect(try await backend.page(ListQuery(secrets)).records.map { $0.id?.text } == ["app/", "db"])
    let secret = try await backend.get("db", from: secrets)
    #expect(secret.fields["path"] == "db" && secret.fields["data"] == ["user": "u"])
    #expect(
      try await server.log() == [
        "LIST /vault/sys/policies/acl", "GET /vault/sys/policies/acl/root", "LIST /vault/secret/metadata",
        "GET /vault/secret/data/db",
      ])
  }

  @Test func `a label of GitLab is written below its project, and nowhere else`() async throws {
    let (server, backend) = try await started("gitlab")
    let labels = try #require(ResourcePath(parts: ["projects", "4", "labels"]))
    #expect(try await backend.page(ListQuery(labels)).records.map { $0.id?.text } == ["7"])
    let changed = try await backend.update("7", in: labels, changes: [.set("color", "#00ff00")], revision: nil)
    #expect(changed.record?.fields["color"] == "#00ff00" && changed.altered.isEmpty)
    _ = try await backend.delete(.one("7"), from: labels)
    let foreign = try #require(ResourcePath(parts: ["projects", "5", "labels"]))
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.delete(.one("7"), from: foreign)
    }
    #expect(error?.code == .notFound)
    #expect(
      try await server.log().filter { !$0.hasPrefix("GET") } == [
        ##"PUT /gitlab/projects/4/labels/7 {"color":"#00ff00"}"##, "DELETE /gitlab/projects/4/labels/7",
      ])
  }

  @Test func `Docker says by 304 that a container is so already`() async throws {
    let (_, backend) = try await started("docker")
    let receipt = try await backend.act("start", on: nil, in: ResourcePath(name: "containers"), with: ["id": "a"])
    #expect(receipt.notes == ["the server reports that this is already the case (status 304)"])
    let error = await failure { () async throws(BackendError) in
      _ = try await backend.act("pause", on: nil, in: ResourcePath(name: "containers"), with: ["id": "a"])
    }
    #expect(error?.code == .conflict && error?.message == "conflict (409): a is not running")
  }

  @Test(
    "usual responses do not break a preset",
    arguments: [
      ("postgrest", 416, ["Content-Range": "*/0"], #"{"code":"PGRST103"}"#, []),
      ("postgrest", 416, ["Content-Range": "*/0"], #"{""#, []),
      ("spring-data-rest", 200, [:], #"{"page":{"totalElements":0}}"#, []),
      ("spring-data-rest", 200, [:], #"{"_embedded":{},"page":{"totalElements":0}}"#, []),
      (
        "spring-data-rest", 200, [:],
        #"{"_embedded":{"thing":{"_links":{"self":{"href":"/things/7"}}}},"page":{"totalElements":1}}"#, [7]
      ),
      (
        "spring-data-rest", 200, [:],
        #"{"_embedded":{"about":{},"things":[{"_links":{"self":{"href":"/things/7"}}}]},"page":{"totalElements":1}}"#,
        [7]
      ),
      ("jsonapi", 200, [:], #"{"data":[{"id":"7","type":"things"}],"links":{"next":null}}"#, [7]),
      ("jsonapi", 200, [:], #"{"data":[{"id":"7","type":"things"}],"links":{"next":{"href":""}}}"#, [7]),
    ] as [(String, Int, [String: String], String, [Int])])
  func usual(preset: String, status: Int, headers: [String: String], body: String, ids: [Int]) async throws {
    let server = try SocketServer(
      SocketServer.answer(
        status, [("Content-Type", "application/json")] + headers.map { ($0.key, $0.value) }, body))
    let text = "preset: \(preset)\nresources: {things: {}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let client = Client(name: "s", backend: RESTBackend(service, over: try ServerExchange(server)))
    let (found, summary) = try await client.all(ListQuery(things))
    #expect(found == ids && !summary.isCutShort)
    #expect(try await client.count(ListQuery(things), maximumScan: 100).total == ids.count)
  }

  @Test("a link to the next page may be an object with its address") func linked() async throws {
    func page(_ id: Int, _ next: String) -> [UInt8] {
      SocketServer.answer(
        200, [("Content-Type", "application/json")],
        #"{"data":[{"id":"\#(id)","type":"things"}],"links":{"next":\#(next)}}"#)
    }
    let server = try SocketServer(page(1, #"{"href":"/things?page=2","meta":{}}"#), page(2, "null"))
    let text = "preset: jsonapi\nresources: {things: {}}"
    let service = try Description(reading: Array(text.utf8), file: "api.yaml").service()
    let client = Client(name: "s", backend: RESTBackend(service, over: try ServerExchange(server)))
    #expect(try await client.all(ListQuery(things)).ids == [1, 2])
  }
}
