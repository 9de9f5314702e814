import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// `backends check` examines resources that only the document of a service describes, and adds them to the description.
@Suite("Check of documented resources") struct DocumentedCheckTests {
  private let server: StyleServer

  init() async throws {
    server = try await StyleServer("documented")
    let run = try await server.add("v1", "svc --only customers --yes")
    #expect(run.status == 0, "\(run.errors)")
  }

  private var companion: Data { get throws { try Data(contentsOf: server.file("services/svc.documented.ndjson")) } }

  private func names(of list: String) async throws -> [String] {
    let run = try await server.run("list \(list) --all -o json")
    #expect(run.status == 0, "\(run.errors)")
    return try run.claims.compactMap { $0["name"]?.text }
  }

  @Test func `the probes of one resource say what is proved, and change nothing`() async throws {
    let (before, sent) = (try server.description("svc"), try server.log().count)
    let run = try await server.run("backends check svc/invoices --yes")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("invoices: page.style is number, proved (GET /v1/invoices"), "\(run.output)")
    #expect(run.output.contains("invoices: identifier.field is id, proved"), "\(run.output)")
    #expect(run.errors.contains(/svc\/invoices: \d+ requests, \d+ facts proved; --update adds it/), "\(run.errors)")
    let requests = try server.log().dropFirst(sent)
    #expect(requests.allSatisfy { ["GET", "HEAD", "OPTIONS"].contains($0.prefix { $0 != " " }) }, "\(requests)")
    #expect(requests.contains("GET /v1/invoices?page=2"), "\(requests)")
    #expect(!requests.contains { $0.contains("/tags") || $0.contains("/customers") }, "\(requests)")
    #expect(try server.description("svc") == before)
    let facts = try await server.run("backends check svc/tags --yes -o json").claims
    let style = facts.first { $0["path"] == "resources.tags.page.style" }
    #expect(style?["after"] == "offset" && style?["proved"] == true && style?["grade"] == "proved", "\(facts)")
  }

  @Test func `what was proved moves into the description, and the rest of both files stays`() async throws {
    let file = server.file("services/svc.yaml")
    let before = "# Mine.\n" + (try server.description("svc"))
    try before.write(to: file, atomically: true, encoding: .utf8)
    let documented = try companion
    let dry = try await server.run("backends check svc/invoices --update --dry-run --yes")
    #expect(dry.status == 0 && dry.output.contains("\n+  invoices:\n"), "\(dry.output)\(dry.errors)")
    #expect(dry.errors.contains("svc/invoices would be described in services/svc.yaml"), "\(dry.errors)")
    #expect(try server.description("svc") == before)
    let run = try await server.run("backends check svc/invoices --update --yes")
    #expect(run.status == 0 && run.errors.contains("changed \(file.path): 1 change"), "\(run.output)\(run.errors)")
    let after = try server.description("svc")
    let lines = Set(after.split(separator: "\n"))
    #expect(after.hasPrefix("# Mine.\n") && before.split(separator: "\n").allSatisfy(lines.contains), "\(after)")
    #expect(try companion == documented)
    let facts = try JSONReader.read(try await server.run("describe svc -o json").output).object
    #expect(facts?["resources"] == ["customers", "invoices"], "\(facts ?? Object())")
    let others = facts?["documented"]?.array?.compactMap { $0.object?["name"]?.text } ?? []
    #expect(!others.contains("invoices") && others.contains("customers/invoices"), "\(others)")
    let sent = try server.log().count
    #expect(try await names(of: "svc/invoices") == (1...23).map { "invoice \($0)" })
    // The number of the first page is known.
    #expect(try !server.log().dropFirst(sent).contains("GET /v1/invoices"))
    #expect(try await names(of: "svc/customers/2/invoices").count == 4)
    let again = try await server.run("backends check svc --yes")
    #expect(again.errors.contains("svc matches services/svc.yaml"), "\(again.output)\(again.errors)")
    #expect(
      again.errors.contains(
        "\(others.count) resources only described by the document: backends check svc/RESOURCE examines one"),
      "\(again.errors)")
  }

  @Test func `one below records is examined below one of them, and owns others as before`() async throws {
    let bare = try await server.run("backends check svc/issues --yes")
    #expect(bare.status == 2 && bare.errors.contains("write svc/repos/OWNER/REPO/issues"), "\(bare.errors)")
    let run = try await server.run("backends check svc/repos/octo/hello/issues --update --yes")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("GET /v1/repos/{id}/{id}/issues"), "\(run.output)")
    let description = try server.description("svc")
    #expect(description.contains("  issues:\n") && !description.contains("octo"), "\(description)")
    #expect(try await names(of: "svc/repos/octo/hello/issues") == (1...3).map { "issue \($0)" })
    #expect(try await names(of: "svc/repos/octo/team%2Fapp/issues") == ["app issue 1", "app issue 2"])
    #expect(try await names(of: "svc/repos/octo/hello/issues/1/comments") == ["comment 1", "comment 2"])
    let below = try await server.run("describe svc/comments")
    #expect(below.output.contains("repos/OWNER/REPO/issues/ID/comments"), "\(below.output)")
    let one = try await server.run("get svc/repos/octo/hello/issues 2 -o json")
    #expect(one.status == 0 && one.output.contains("issue 2"), "\(one.errors)")
  }

  @Test func `what cannot be proved stays, and a restricted run writes nothing`() async throws {
    let before = try server.description("svc")
    let run = try await server.run("backends check svc/drafts --update --yes")
    #expect(run.status != 0 && run.errors.contains("drafts stays as the document describes it"), "\(run.errors)")
    let restricted = try await server.run("backends check svc/invoices --update --yes", options: ["--restricted"])
    #expect(restricted.status == 2 && !restricted.errors.contains("at most"), "\(restricted.errors)")
    let tried = try await server.run("backends check svc/notes --try-writes --yes")
    #expect(tried.status == 2 && tried.errors.contains("only the document describes notes"), "\(tried.errors)")
    #expect(try server.description("svc") == before)
    #expect(try !server.log().contains { $0.hasPrefix("POST") })
  }

  @Test(
    "the notes on a list name the command that examines its resource",
    arguments: [
      ("list svc/plans --all", "backends check svc/plans --update, or accept this list as complete with --trust-end"),
      ("sql select * from svc.plans", "backends check svc/plans --update examines it, --trust-end accepts it"),
      ("list svc/invoices name=none --all", "examine it with backends check svc/invoices --update"),
      ("explain list svc/invoices name=none", "examine it with backends check svc/invoices --update"),
    ])
  func advised(command: String, text: String) async throws {
    let run = try await server.run(command)
    #expect((run.output + run.errors).contains(text), "\(run.output)\(run.errors)")
    let described = command.replacing("plans", with: "customers").replacing("invoices", with: "customers")
    let other = try await server.run(described)
    #expect(!(other.output + other.errors).contains("backends check"), "\(other.output)\(other.errors)")
  }
}
