import BackendKit
import ConsoleSupport
import Testing

/// Discovery by `add` of services in operation: pages of two parameters, records created by PUT, paths in the singular.
@Suite("Services that operators have") struct OperatedTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("operated") }

  private func expect(
    _ claims: [String: Object], _ facts: [String: Value], _ grade: Value = "proved", _ line: Int = #line
  ) {
    let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
    for (fact, value) in facts {
      let claim = claims[fact]
      #expect(claim?["value"] == value, "\(fact): \(String(describing: claim))", sourceLocation: place)
      #expect(claim?["grade"] == grade, "\(fact): \(String(describing: claim))", sourceLocation: place)
    }
  }

  @Test func `pages whose number and size work only together are found, and an end without a list`() async throws {
    let claims = try await server.claims("domains/things domains")
    expect(
      claims,
      [
        "page.style": "number", "page.parameter": "page", "page.first": 1, "size.parameter": "count",
        "total": ["member": "total_size"], "end.emptyPage": true, "records.nullIsEmpty": true,
        "identifier.field": "host", "paths.item": "/domains/things/{id}",
      ])
    #expect(claims["fields.self_link"]?["value"]?.object?["readOnly"] == true)
    let read = try await server.run(
      "count domains", "list domains --page 3 --per-page 5 -o id", "get domains host7 -o id")
    #expect(read.output == "13\nhost11\nhost12\nhost13\nhost7\n", "\(read.errors)")
  }

  @Test func `pages that come in another form than the whole list are read, filtered and sorted`() async throws {
    let claims = try await server.claims("hosts/things hosts")
    expect(
      claims,
      [
        "records.listPath": ["items", "$"], "page.style": "number", "size.parameter": "page_size",
        "size.whenTooLarge": "refuse", "total": ["member": "filtered_count"], "sort.parameter": "sort",
        "sort.directionParameter": "sort_reverse", "projection.parameter": "columns",
      ])
    expect(claims, ["size.default": 100, "size.maximum": 500], "likely")
    let contains = claims["filter.contains"]?["value"]?.object
    #expect(
      contains?["parameter"] == "{field}" && contains?["fields"] == ["name"], "\(claims["filter.contains"] ?? Object())"
    )
    let read = try await server.run(
      "count hosts", "list hosts --sort=-number -o id -n 2",
      "list hosts --where 'name ~ \"t1\"' --sort name -o id")
    #expect(read.output == "13\nhost09\nhost05\nhost10\nhost11\nhost12\n", "\(read.errors)")
  }

  @Test func `records that are made by PUT are tried with a name of the trial, and none is replaced`() async throws {
    for (path, name) in [("hosts/things hosts", "hosts"), ("queues/queues queues", "queues")] {
      let claims = try await server.claims(path, "--yes --try-writes")
      expect(
        claims,
        [
          "create.method": "PUT", "create.identifier": "client", "update.method": "PUT", "delete.method": "DELETE",
          "notFound": "404",
        ])
      expect(claims, ["update.merges": false], "likely")
      #expect(claims["fields.number"]?["value"]?.object?["required"] == true, "\(claims["fields.number"] ?? Object())")
      #expect(try server.read("\(name)/left") == "[]")
    }
    let written = try await server.run(
      "create hosts name=one number=3 text=x", "update hosts one text=y", "get hosts one -o json",
      "delete hosts one --yes")
    #expect(written.status == 0 && written.output.contains("\"y\""), "\(written.output)\(written.errors)")
  }

  @Test func `two fields that name a record together are found`() async throws {
    let claims = try await server.claims("queues/queues queues")
    expect(
      claims,
      ["identifier.fields": ["vhost", "name"], "paths.item": "/queues/queues/{vhost}/{name}", "notFound": "404"])
    let read = try await server.run("get queues /,queue3 -o json")
    #expect(read.output.contains("\"text 3\""), "\(read.errors)")
  }

  @Test func `a path in the singular is found, a refusal of OPTIONS counts, and POST to the list changes a record`()
    async throws
  {
    let added = try await server.add("silences/silences silences", "--yes --try-writes -o json")
    // It stays in the list.
    #expect(added.status == 1 && added.errors.contains("not deleted: silences/s-13"), "\(added.errors)")
    let claims = try added.facts()
    expect(
      claims,
      [
        "paths.item": "/silences/silence/{id}", "create.method": "POST", "create.returns": "identifier",
        "create.identifierPath": "silence", "update.method": "POST", "update.atCollection": true,
        "delete.method": "DELETE", "delete.soft": true,
      ])
    // The fields sent at first were never refused.
    for name in ["comment", "ends"] {
      #expect(claims["fields.\(name)"]?["value"]?.object?["required"] == true, "\(name)")
    }
    let written = try await server.run(
      "update silences s-3 comment=other", "get silences s-3 -o json", "count silences --trust-end")
    #expect(written.status == 0 && written.output.contains("\"other\""), "\(written.output)\(written.errors)")
    #expect(written.output.contains("\"person 3\""), "\(written.output)")
  }

  @Test func `what no path leads to is neither changed nor deleted, and its list seems whole`() async throws {
    let claims = try await server.claims("alerts/things alerts")
    expect(
      claims,
      [
        "identifier.field": "fingerprint", "paths.item": .null, "create.method": "POST", "update": .null,
        "delete": .null,
        "page.style": "none",
      ], "likely")
    #expect(try server.description("alerts").contains("style: untested"))
  }

  @Test func `a parameter that holds the whole query is used as the document has it`() async throws {
    let claims = try await server.claims("held held")
    expect(
      claims,
      [
        "listRequest.parameter": "q", "listRequest.encoding": "rison", "page.style": "number", "page.parameter": "page",
        "page.first": 0, "size.parameter": "page_size", "size.default": 10, "size.maximum": 20,
        "total": ["member": "count"], "sort.parameter": "order_column",
      ])
    #expect(claims["filter.equal"]?["value"]?.object?["parameter"] == "q", "\(claims["filter.equal"] ?? Object())")
    let read = try await server.run(
      "count held", "list held --where 'name = \"thing 07\"' -o id", "list held --sort=-n -n 1 -o id --page 2")
    #expect(read.output == "30\n7\n13\n", "\(read.errors)")
  }
}
