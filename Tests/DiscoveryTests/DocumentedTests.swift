import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Resources that only the document of a service describes.
@Suite("Documented resources") struct DocumentedTests {
  private let server: StyleServer

  init() async throws {
    server = try await StyleServer("documented")
    let run = try await server.add("v1", "svc --only customers --yes")
    #expect(run.status == 0, "\(run.errors)")
  }

  private func list(_ words: String) async throws -> (names: [String], run: ConsoleRun) {
    let run = try await server.run("list \(words) --all -o json")
    let records = (try? JSONReader.read(run.output))?.array ?? []
    return (records.compactMap { $0.object?["name"]?.text }, run)
  }

  private func requests(after count: Int) throws -> [String] { Array(try server.log().dropFirst(count)) }

  @Test func `what was not read has its names and its facts in a file beside the description`() throws {
    let description = try server.description("svc")
    #expect(description.contains("documented:"))
    #expect(!description.contains("events"), "\(description)")
    let file = try String(contentsOf: server.file("services/svc.documented.ndjson"), encoding: .utf8)
    let index = try JSONReader.read(String(file.prefix { $0 != "\n" })).object?["resources"]?.array ?? []
    let names = index.compactMap { $0.object?["name"]?.text }
    #expect(
      Set(names) == [
        "invoices", "events", "tags", "plans", "drafts", "notes", "me", "customers/invoices", "repos", "issues",
        "comments", "policies", "usage", "actions", "user-repos",
      ])
    #expect(try !server.log().contains { $0.contains("/events") || $0.contains("/repos") })
  }

  @Test(
    "the first list proves its end by its walk",
    arguments: [
      (
        "invoices", 23,
        ["/v1/invoices", "/v1/invoices?page=1", "/v1/invoices?page=2", "/v1/invoices?page=3", "/v1/invoices?page=4"]
      ),
      ("events", 25, ["/v1/events?size=100"] + (1...3).map { "/v1/events?size=100&page=\($0)" }),
      ("actions", 25, (0...3).map { "/v1/actions?offset=\($0 == 3 ? 25 : $0 * 10)" }),
      ("tags", 30, ["/v1/tags?limit=100"] + (1...3).map { "/v1/tags?limit=100&offset=\($0)0" }),
    ])
  func walk(name: String, count: Int, paths: [String]) async throws {
    let sent = try server.log().count
    let (names, run) = try await list("svc/\(name)")
    #expect(run.status == 0 && !run.errors.contains("not verified"), "\(run.errors)")
    #expect(names == (1...count).map { "\(name.dropLast()) \($0)" }, "\(run.errors)")
    #expect(try requests(after: sent) == paths.map { "GET \($0)" })
  }

  @Test func `a parameter that shows the same records again refutes the pages of the document`() async throws {
    let run = try await list("svc/plans").run
    #expect(run.status == 5, "\(run.errors)")
    #expect(run.errors.contains("the end of the list is not verified"), "\(run.errors)")
  }

  @Test func `lists below records of any depth, and records of several variables`() async throws {
    #expect(try await list("svc/customers/2/invoices").names == (1...4).map { "invoice \($0)" })
    #expect(try await list("svc/repos/octo/hello/issues").names == (1...3).map { "issue \($0)" })
    #expect(try await list("svc/repos/octo/team%2Fapp/issues").names == ["app issue 1", "app issue 2"])
    #expect(try await list("svc/repos/octo/hello/issues/1/comments").names == ["comment 1", "comment 2"])
    let run = try await server.run("get svc/repos/octo/hello/issues 2 -o json")
    #expect(run.output.contains("issue 2") && run.status == 0, "\(run.errors)")
  }

  @Test func `records that own lists have the short name, and a list of another path the longer one`() async throws {
    #expect(try await list("svc/user-repos").names == (1...3).map { "repository \($0)" })
    let run = try await server.add("v1", "other --only user/repos --yes")
    #expect(run.status == 0 && run.output.contains("user-repos"), "\(run.output)\(run.errors)")
    #expect(try await list("other/repos/octo/hello/issues").names == (1...3).map { "issue \($0)" })
  }

  @Test func `what is printed refers to no file that is not there`() async throws {
    let run = try await server.add("v1", "other --only customers --yes --print")
    #expect(run.status == 0 && run.output.contains("resources:"), "\(run.output)")
    #expect(!run.output.contains("documented:"), "\(run.output)")
    #expect(run.errors.contains("not printed: 15 resources that only the document describes"), "\(run.errors)")
  }

  @Test func `a required parameter is filled from the document, or given`() async throws {
    let (names, run) = try await list("svc/policies")
    #expect(names == ["policy 2", "policy 4", "policy 6"] && run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the service's document requires kind=a; --param kind=VALUE lists other records"))
    let other = try await list("svc/policies --param kind=b")
    #expect(other.names == ["policy 1", "policy 3", "policy 5"], "\(other.run.errors)")
    #expect(!other.run.errors.contains("document requires"), "\(other.run.errors)")
    let sent = try server.log().count
    let bare = try await list("svc/usage").run
    #expect(bare.status == 2 && bare.errors.contains("requires the parameter region"), "\(bare.errors)")
    #expect(bare.errors.contains("--param region=VALUE"), "\(bare.errors)")
    #expect(try requests(after: sent).isEmpty)
    #expect(try await list("svc/usage --param region=eu").names == ["use of eu 1", "use of eu 2"])
    let described = try await server.run("describe svc/usage")
    #expect(described.output.contains("a list requires --param region=VALUE"), "\(described.output)")
  }

  @Test(
    "a parameter that cannot be given is refused before anything is sent",
    arguments: [
      ("list svc/invoices --param page=2", "page cannot be given as a parameter"),
      ("list svc/invoices --param page", "--param takes NAME=VALUE, not \"page\""),
      ("list svc/policies --param kind=a --param kind=b", "--param gives kind more than once"),
      ("list svc/invoices --param _method=DELETE", "it would turn this into a different request"),
    ])
  func parameter(command: String, message: String) async throws {
    let sent = try server.log().count
    let run = try await server.run(command)
    #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
    #expect(try requests(after: sent).isEmpty)
  }

  @Test func `a sole record is a list of one`() async throws {
    let (names, run) = try await list("svc/me name=ann --sort name")
    #expect(names == ["ann"] && run.status == 0, "\(run.errors)")
    #expect(try await list("svc/me name=bob").names.isEmpty)
    #expect(try await server.run("count svc/me").output == "1\n")
  }

  @Test func `one record without an identifier, and the first write of a resource`() async throws {
    #expect(try await server.run("get svc/me -o json").output.contains("\"ann\""))
    let sent = try server.log().count
    let run = try await server.run("create svc/notes name=new -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try requests(after: sent) == ["POST /v1/notes", "GET /v1/notes/5"])
  }

  @Test func `a file that is not the one that add wrote is not used`() async throws {
    let file = server.file("services/svc.documented.ndjson")
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacingOccurrences(of: "\"offset\"", with: "\"skip\"  ").write(
      to: file, atomically: true, encoding: .utf8)
    let run = try await server.run("list svc/tags")
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("is not the file that this description was written with"), "\(run.errors)")
    #expect(try await server.run("list svc/notes").status == 0)
  }

  @Test(
    "a name that there is not is answered with what may be meant",
    arguments: [
      ("list svc/invoics", "unknown resource \"invoics\"", "did you mean invoices or customers/invoices?"),
      ("list svc/repos/octo/hello/isues", "unknown resource \"isues\" below repos", "did you mean issues?"),
      ("list svc/issues", "cannot list issues without", "write svc/repos/OWNER/REPO/issues"),
      ("list svc/repos/octo/issues", "is a record, not a resource", "svc/repos octo/issues"),
      ("sql select * from svc.issues", "its columns _owner, _repo need values", "_owner = ID AND _repo = ID"),
    ])
  func mistaken(command: String, message: String, hint: String) async throws {
    let sent = try server.log().count
    let run = try await server.run(command)
    #expect(run.status == 2 && run.errors.contains(message) && run.errors.contains(hint), "\(run.errors)")
    #expect(try requests(after: sent).isEmpty)
  }

  @Test func `a record is named as one word, and an identifier with a slash in quotes`() async throws {
    let run = try await server.run("get svc/repos/octo/hello/issues/2 -o json")
    #expect(run.output.contains("issue 2") && run.status == 0, "\(run.errors)")
    #expect(try await list(#"svc/repos/octo/"team/app"/issues"#).names == ["app issue 1", "app issue 2"])
  }

  @Test func `describe groups them, and finds them by a word`() async throws {
    let sent = try server.log().count
    let all = try await server.run("describe svc")
    #expect(all.status == 0 && all.output.contains(/billing +2 +invoices, customers\/invoices/), "\(all.output)")
    let found = try await server.run("describe svc ~BILL")
    #expect(found.output.contains(/customers\/invoices +billing +customers\/ID\/invoices/), "\(found.output)")
    #expect(!found.output.contains("issues"))
    let facts = try JSONReader.read(try await server.run("describe svc ~comment -o json").output).object
    let documented = facts?["documented"]?.array?.compactMap(\.object) ?? []
    #expect(documented.map { $0["name"] } == ["comments"] && documented[0]["owners"] == ["issues"], "\(documented)")
    let one = try await server.run("describe svc/repos")
    #expect(one.output.contains(/below one +repos\/OWNER\/REPO\/issues/), "\(one.output)")
    let below = try await server.run("describe svc/comments")
    #expect(below.output.contains("repos/OWNER/REPO/issues/ID/comments"), "\(below.output)")
    #expect(try !requests(after: sent).contains { $0.contains("invoices") || $0.contains("repos") })
  }

  @Test func `a table below records has a column for each part of their identifiers`() async throws {
    let condition = "where _owner = 'octo' and _repo = 'team/app'"
    let run = try await server.run("sql -o csv select name, _repo from svc.issues \(condition) order by name")
    #expect(run.output == "name,_repo\napp issue 1,team/app\napp issue 2,team/app\n", "\(run.errors)")
    let deep = try await server.run(
      "sql -o csv select count(*) as n from svc.comments where _owner = 'octo' and _repo = 'hello' and _issues = 1")
    #expect(deep.output == "n\n2\n", "\(deep.errors)")
  }

  @Test func `what follows a command is not read ahead from them`() async throws {
    let script = try server.home.write("get svc/invoices 99\nget svc/invoices 1\n", to: "script.sb")
    let sent = try server.log().count
    let run = try await server.home.run("", ["-f", script])
    #expect(run.status != 0, "\(run.errors)")
    let requests = try requests(after: sent)
    #expect(requests.contains("GET /v1/invoices/99") && !requests.contains("GET /v1/invoices/1"), "\(requests)")
  }
}
