import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Discovery by `add` of services that are not laid out for it; one bad resource does not spoil the others.
@Suite("Finding resources") struct FindingTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("finding") }

  @Test func `resources that are no lists, break off or fail are reported, and the others are added`() async throws {
    let run = try await server.add("uneven uneven", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.resources == ["things", "others"], "\(run.errors)")
    for name in ["apps", "broken", "page", "failing"] {
      #expect(run.errors.contains(": \(name): "), "\(name): \(run.errors)")
    }
    let some = try await server.add("uneven some", "--yes -o json --only failing --only things --only apps")
    #expect(some.status == 0)
    #expect(try some.resources == ["things"], "\(some.errors)")
  }

  @Test func `roots within roots are followed two levels down, and their lists have names of their own`() async throws {
    let run = try await server.add("deep deep", "--yes -o json --max-requests 400")
    #expect(run.status == 0, "\(run.errors)")
    #expect(Set(try run.resources) == ["devices", "dcim-items", "ipam-items", "racks"], "\(run.errors)")
    #expect(run.errors.contains("at most 67 × GET /deep/dcim/devices/\n"), "\(run.errors)")
    let log = try server.log()
    #expect(!log.contains { $0.contains("logout") || $0.contains("/far") || $0.contains("elsewhere") })
    let counted = try await server.run("count deep/dcim-items", "count deep/racks", "get deep/ipam-items 7 -o json")
    #expect(counted.output.hasPrefix("30\n30\n"), "\(counted.output)\(counted.errors)")
    #expect(counted.output.contains("\"row 7\""))
  }

  @Test func `a list at the root itself is added`() async throws {
    let server = try await StyleServer("finding", ["root"])
    let run = try await server.add("", "rooted --yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.resources == ["records"], "\(run.errors)")
    #expect(try server.description("rooted").contains("collection: /\n"))
    let listed = try await server.run("count rooted", "list rooted --page 2 --per-page 3 -o id")
    #expect(listed.output == "30\n4\n5\n6\n", "\(listed.output)\(listed.errors)")
  }

  @Test(
    "documents are found where services keep them, and where a page for people names them",
    arguments: ["linked", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"])
  func documents(_ address: String) async throws {
    let run = try await server.add("\(address) found", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.resources == ["things"], "\(run.errors)")
    #expect(try run.claims.contains { $0["fact"] == "document" })
  }

  @Test func `a large document is read whole`() async throws {
    let run = try await server.add("large large", "--yes -o json --only things")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.resources == ["things"], "\(run.errors)")
  }

  @Test func `parameters that the document has are tried, whatever they are called`() async throws {
    let paged = try await server.claims("paged paged")
    #expect(paged["size.parameter"]?["value"] == "results_per_page")
    #expect(paged["page.parameter"]?["value"] == "currentPage")
    #expect(paged["page.style"]?["grade"] == "proved")
    let cursed = try await server.claims("cursed cursed")
    #expect(cursed["size.parameter"]?["value"] == "batch")
    #expect(cursed["page.style"]?["value"] == "cursor")
    #expect(cursed["page.parameter"]?["value"] == "cursor")
    let counted = try await server.run("list paged --all -o id", "list cursed --all -o id")
    let all = (1...30).map { "\($0)\n" }.joined()
    #expect(counted.output == all + all, "\(counted.errors)")
  }

  @Test func `conditions are tried on the fields that the document has parameters for`() async throws {
    let claims = try await server.claims("choosy choosy")
    #expect(claims["filter.equal"]?["value"]?.object?["fields"] == ["status", "type"], "\(claims)")
    #expect(claims["unknown"]?["value"] == "refused")
  }

  @Test func `a path for one record is tried with every field that tells records apart`() async throws {
    let run = try await server.add("single single", "--yes -o json")
    let got = try await server.run("get single/silences s003 -o json", "get single/books 978-0004 -o json")
    #expect(got.status == 0, "\(run.errors)\(got.errors)")
    #expect(got.output.contains("\"comment 3\"") && got.output.contains("\"book 4\""), "\(got.output)")
  }

  @Test func `the address stands for the variables in the paths of a document`() async throws {
    let claims = try await server.claims("bound/servers/one bound")
    #expect(claims["create.method"]?["value"] == "POST", "\(claims)")
    #expect(claims["delete.method"]?["value"] == "DELETE")
    #expect(claims["paths.item"]?["value"] == "/bound/servers/one/things/{id}")
  }

  @Test func `a number that is that of the whole list is its total, and the number of pages is not`() async throws {
    let claims = try await server.claims("totalled/things totalled")
    #expect(claims["total"]?["value"] == ["member": "recordsInAll"])
    #expect(claims["total"]?["grade"] == "proved")
  }

  @Test func `the methods of a document count before OPTIONS, and those for browsers do not`() async throws {
    let claims = try await server.claims("methods methods")
    #expect(claims["create.method"]?["value"] == "POST")
    #expect(claims["update.method"]?["value"] == "PATCH")
    #expect(claims["delete.method"]?["value"] == "DELETE")
    let open = try await server.claims("open/things open")
    #expect(open["create"]?["grade"] == "untested")
    #expect(open["update"]?["grade"] == "untested")
  }

  @Test
  func `a Django service without pages is known by OPTIONS, and its file has how it says what is wrong`() async throws {
    #expect(try await server.claims("plainly/things plainly")["preset"]?["value"] == "django-rest")
    let text = try server.description("plainly")
    #expect(text.contains("errors:\n") && text.contains("non_field_errors"), "\(text)")
  }

  @Test func `the collections of a json-server are found in its database`() async throws {
    let run = try await server.add("stored stored", "--yes -o json")
    #expect(try run.resources == ["things", "others"], "\(run.errors)")
  }

  @Test func `what is used up says which limit`() async throws {
    let run = try await server.add("deep deep", "--yes --max-requests 60")
    #expect(run.errors.contains("the 60 requests of the run were used up (--max-requests)"), "\(run.errors)")
  }

  @Test func `the summary fits on a screen, and --evidence shows the rest`() async throws {
    let run = try await server.add("deep deep")
    #expect(run.output.split(separator: "\n").count < 10, "\(run.output)")
    #expect(run.output.contains("devices") && run.output.contains("list, get"), "\(run.output)")
    #expect(!run.output.contains("→"))
    let whole = try await server.add("deep again", "--yes --evidence")
    #expect(whole.output.contains("→") && whole.output.contains("switchboard: 1"))
  }

  @Test func `a second service at the same address extends the first, and each line of that stays`() async throws {
    #expect(try await server.add("uneven shop", "--yes --only things").status == 0)
    let before = try server.description("shop") + "# a remark\n"
    try before.write(to: server.file("services/shop.yaml"), atomically: true, encoding: .utf8)
    let run = try await server.add("uneven", "--yes --extend --only things --only others")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("added others to shop"), "\(run.errors)")
    #expect(try server.description("shop").hasPrefix(before.replacing("# a remark\n", with: "")))
    let counted = try await server.run("count shop/things", "count shop/others")
    #expect(counted.output == "30\n30\n", "\(counted.output)\(counted.errors)")
    let again = try await server.add("uneven", "--yes --extend --only others")
    #expect(again.errors.contains("has all of these already"), "\(again.errors)")
    let other = try await server.add("choosy", "shop --yes --extend")
    #expect(other.status != 0 && other.errors.contains("is not below"), "\(other.errors)")
  }

  @Test func `the question counts all requests, and the new backend is then the current one`() async throws {
    let shown = try await server.type("add \(server.address)/choosy choosy", "y")
    #expect(shown.contains("Send up to 83 reads to \(server.address) (2 sent so far)?"), "\(shown)")
    #expect(shown.contains("choosy"), "\(shown)")
    let again = try await server.type("add \(server.address)/choosy", "y", "y")
    #expect(
      again.contains("choosy is already configured at \(server.address). Add the resources found to it?"), "\(again)")
    #expect(again.contains("has all of these already"), "\(again)")
  }

  @Test func `the configuration that --config names gets the backend`() async throws {
    let file = server.home.folder.appending(path: "mine.json")
    try #"{"switchboard": 1, "backends": {}}"#.write(to: file, atomically: true, encoding: .utf8)
    let run = try await server.run(
      "add \(server.address)/uneven mine --yes --only things", options: ["--config", file.path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\"mine\""))
    #expect(FileManager.default.fileExists(atPath: server.home.folder.path + "/services/mine.yaml"))
    #expect(!FileManager.default.fileExists(atPath: server.file().path))
    let counted = try await server.run("count mine", options: ["--config", file.path])
    #expect(counted.output == "30\n", "\(counted.errors)")
  }
}
