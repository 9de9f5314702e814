import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Bodies, pages and names as a document has them: of resources that were read, and of those that were not.
@Suite("Bodies as documented") struct BodyTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("bodies") }

  /// Adds the service with one resource read, and returns the number of requests.
  private func add(_ name: String) async throws -> Int {
    let run = try await server.add("v1", "svc --only \(name) --yes")
    #expect(run.status == 0, "\(run.errors)")
    return try server.log().count
  }

  private static let writes: [(resource: String, commands: [String], sent: [String])] = [
    (
      "firewalls", ["create svc/firewalls name=a", "update svc/firewalls 1 note=b"],
      [#"POST /v1/firewalls {"name":"a"}"#, #"PUT /v1/firewalls/1 {"name":"wall 1","note":"b"}"#]
    ),
    (
      "products", ["create svc/products name=a", "update svc/products 1 price=5"],
      [
        #"POST /v1/products {"product":{"name":"a"}}"#,
        #"PUT /v1/products/1 {"product":{"name":"product 1","price":5}}"#,
      ]
    ),
    ("users", ["create svc/users username=zoe quota=3"], [#"POST /v1/users {"username":"zoe","quota":3}"#]),
    ("rooms", ["create svc/rooms name=a"], ["POST /v1/rooms name=a"]),
    (
      "roles", [#"create svc/roles name=a 'permissions:=["read","write"]'"#],
      ["POST /v1/roles name=a&permissions=read&permissions=write"]
    ),
    ("checks", ["update svc/checks 1 name=b"], [#"PUT /v1/checks/1 {"name":"b"}"#]),
    (
      "instances", ["create svc/instances region=eu password=p label=x", "update svc/instances 1 label=y"],
      [
        #"POST /v1/instances {"region":"eu","password":"p","label":"x"}"#,
        #"PUT /v1/instances/1 {"label":"y","owner":"o1"}"#,
      ]
    ),
    (
      "apps", ["update svc/apps 1 note=b", "delete svc/apps 2 --yes"],
      [#"PUT /v1/apps/1 {"name":"app 1","note":"b"}"#, "DELETE /v1/apps/2"]
    ),
    (
      "notes", ["create svc/notes name=a", "update svc/notes 1 name=b"],
      [#"POST /v1/notes {"name":"a"}"#, #"PUT /v1/notes/1 {"note":{"name":"b"}}"#]
    ),
    // The member that holds the fields describes none of them.
    (
      "sheets", ["create svc/sheets name=a", "update svc/sheets 1 name=b"],
      [#"POST /v1/sheets {"data":{"name":"a"}}"#, #"PATCH /v1/sheets/1 {"data":{"name":"b"}}"#]
    ),
    ("goals", ["update svc/goals 1 name=b"], [#"PUT /v1/goals/1 {"name":"b","lead":"o1","team":null}"#]),
    ("members", ["update svc/members 1 admin=true"], [#"POST /v1/members/1 {"admin":true}"#]),
  ]

  @Test("a write has the body that the document describes", arguments: writes, [true, false])
  func body(_ write: (resource: String, commands: [String], sent: [String]), isRead: Bool) async throws {
    let before = try await add(isRead ? write.resource : "plain")
    for command in write.commands {
      let run = try await server.run(command)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let sent = try server.log().dropFirst(before).filter { !$0.hasPrefix("GET ") }
    #expect(sent == write.sent)
  }

  @Test(
    "pages that an object, a header field or a minimum decides",
    arguments: ["tasks", "jobs", "pods", "domains"], [true, false])
  func pages(name: String, isRead: Bool) async throws {
    _ = try await add(isRead ? name : "plain")
    let run = try await server.run("list svc/\(name) --all -o id", "list svc/\(name) --limit 2 -o id")
    #expect(run.status == 0, "\(run.errors)")
    let count = name == "domains" ? 109 : 29
    #expect(run.output == ((1...count).map { "\($0)\n" } + ["1\n", "2\n"]).joined(), "\(run.errors)")
    let sizes = try server.log().filter { $0.contains("/\(name)?") }.compactMap {
      $0.firstMatch(of: /page_size=([0-9]+)/).flatMap { Int($0.1) }
    }
    #expect(sizes.allSatisfy { $0 >= 25 }, "\(sizes)")
  }

  @Test("names among the facts about a record, and paths with an ending", arguments: [true, false])
  func names(isRead: Bool) async throws {
    _ = try await add(isRead ? "applications --only Accounts" : "plain")
    let run = try await server.run("get svc/applications app-2 -o json", "list svc/Accounts/AC1/Calls -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("p2") && run.output.contains("call 2"), "\(run.output)")
  }

  @Test("a list is read whose records have no path of their own", arguments: ["files", "visits"], [true, false])
  func identifiers(name: String, isRead: Bool) async throws {
    _ = try await add(isRead ? name : "plain")
    let run = try await server.run("list svc/\(name) --all -o ndjson")
    #expect(run.status == 0 && run.output.split(separator: "\n").count == 3, "\(run.errors)")
    if isRead, name == "files" { #expect(try server.description("svc").contains("field: file_name")) }
  }

  @Test("the records of an envelope are not its errors", arguments: [true, false])
  func notices(isRead: Bool) async throws {
    _ = try await add(isRead ? "checks" : "plain")
    let run = try await server.run("list svc/checks -o id", "get svc/checks 2 -o json")
    #expect(run.status == 0 && run.output.hasPrefix("1\n2\n3\n"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("check 2") && !run.output.contains("success"), "\(run.output)")
  }

  @Test func `a sole record is that in the envelope, not a list in it, and is changed at its path`() async throws {
    let before = try await add("plain")
    let run = try await server.run(
      "list svc/profile -o ndjson", "update svc/profile city=Wien", "get svc/profile -o json")
    #expect(run.status == 0 && run.output.contains("Graz") && run.output.contains("Wien"), "\(run.output)\(run.errors)")
    #expect(!run.output.contains("success"), "\(run.output)")
    let sent = try server.log().dropFirst(before).filter { !$0.hasPrefix("GET ") }
    #expect(sent == [#"PATCH /v1/profile {"city":"Wien"}"#])
    let below = try await server.run("get svc/checks/2/health -o json")
    #expect(below.output == "{\n  \"up\": true\n}\n", "\(below.output)\(below.errors)")
    let described = try await server.run("describe svc/profile")
    #expect(described.output.contains("city") && described.output.contains("teams"), "\(described.output)")
  }

  @Test("a list of plain texts has records", arguments: [true, false])
  func texts(isRead: Bool) async throws {
    _ = try await add(isRead ? "names" : "plain")
    let run = try await server.run("list svc/names -o id")
    #expect(run.output == "ann\nbob\neve\n", "\(run.errors)")
  }

  @Test func `an index is no list, and leads to its resources`() async throws {
    for (name, resources) in [("index", ["things", "names"]), ("routes", ["things"])] {
      let run = try await server.add("\(name) \(name) --yes -o json", "")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try run.resources == resources, "\(run.errors)")
    }
    let listed = try await server.run("list index/names -o id")
    #expect(listed.output == "ann\nbob\neve\n", "\(listed.errors)")
  }

  @Test("a schema beside a list describes its fields", arguments: ["press", "schema", "hydra"])
  func schema(kind: String) async throws {
    let run = try await server.add("\(kind)/things svc", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    let facts = try run.facts()
    func field(_ name: String) -> Object? { facts["fields.\(name)"]?["value"]?.object }
    #expect(field("name")?["required"] == true && field("made")?["readOnly"] == true, "\(facts)")
    guard kind != "hydra" else { return }
    #expect(field("state")?["values"] == ["open", "done"] && field("name")?["maximumLength"] == 40, "\(facts)")
  }

  @Test func `an address below the list identifies its record, whatever it is called`() async throws {
    let run = try await server.add("own/pages own", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try server.description("own").contains(/link: ["']?@at/))
    #expect(try await server.run("get own/pages page-3 -o json").output.contains("\"text\""))
  }
}
