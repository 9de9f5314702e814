import BackendKit
import ConsoleSupport
import Testing

/// The claims of `add` about the end of a list: it is complete only if something proves it or the operator says so.
@Suite("Ends of lists") struct EndTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer() }

  @Test(
    "a list without a way to a second page is untested, and named; one of no usual size is likely to be whole",
    arguments: [("whole", "untested"), ("few", "likely"), ("capped", "untested")])
  func untested(_ style: String, _ grade: String) async throws {
    let run = try await server.add("\(style)/things \(style)", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("no paging was found for things"), "\(run.errors)")
    let claims = try run.claims
    #expect(claims.first { $0["fact"] == "page.style" }?["grade"] == .string(grade))
    #expect(try server.description(style).contains("page:\n  style: untested\n"))
  }

  @Test func `a number that is that of the records on a page of a usual size is no total`() async throws {
    #expect(try await server.claims("capped/things")["total"]?["grade"] == "untested")
    #expect(try !server.description("capped").contains("\ntotal:"))
  }

  @Test func `a list that a larger size shows whole is not one without pages`() async throws {
    for style in ["tokened", "larger"] {
      #expect(try await server.add("\(style)/things \(style)").status == 0)
      let text = try server.description(style)
      let page = style == "tokened" ? "style: cursor\n  parameter: from\n" : "style: untested\n"
      #expect(text.contains("page:\n  \(page)"), "\(text)")
      let count = try await server.run("count \(style)")
      #expect(style == "tokened" ? count.output == "30\n" : count.status == 5, "\(count.output)\(count.errors)")
    }
  }

  @Test func `a total that stays the same when a part is asked for proves that a list came whole`() async throws {
    let run = try await server.add("counted/things counted")
    #expect(!run.errors.contains("no paging was found"), "\(run.errors)")
    #expect(try !server.description("counted").contains("page:"))
    let count = try await server.run("count counted")
    #expect(count.status == 0 && count.output == "30\n", "\(count.output)\(count.errors)")
  }

  @Test func `a parameter for pages that a document names and that does nothing is written down`() async throws {
    #expect(try await server.add("deaf deaf").status == 0)
    let text = try server.description("deaf")
    #expect(text.contains("style: untested\n  parameter: page\n"), "\(text)")
  }

  @Test func `a script is asked nothing, and counts an untested list only where it trusts its end`() async throws {
    #expect(try await server.add("whole/things whole").status == 0)
    let count = try await server.run("count whole")
    #expect(count.status == 5, "\(count.output)\(count.errors)")
    let trusted = try await server.run("count whole --trust-end")
    #expect(trusted.status == 0 && trusted.output == "30\n", "\(trusted.output)\(trusted.errors)")
  }

  @Test func `a yes at the terminal declares the list whole`() async throws {
    let shown = try await server.type("add \(server.address)/whole/things whole", "y", "y")
    #expect(shown.contains("No paging was found for things."), "\(shown)")
    let text = try server.description("whole")
    #expect(text.contains("page:\n  style: none\n  source:\n    from: operator\n"), "\(text)")
    let count = try await server.run("count whole")
    #expect(count.status == 0 && count.output == "30\n", "\(count.output)\(count.errors)")
  }

  @Test func `any other answer leaves the list untested`() async throws {
    let shown = try await server.type("add \(server.address)/whole/things whole", "y", "")
    #expect(shown.contains("No paging was found for things."), "\(shown)")
    #expect(try server.description("whole").contains("style: untested"))
  }

  @Test(
    "a check says where a description without pages is doubtful",
    arguments: [("", true), ("page: {style: none}", false)])
  func doubt(_ page: String, _ isDoubted: Bool) async throws {
    #expect(try await server.add("whole/things whole").status == 0)
    _ = try server.home.write(
      "switchboard: 1\n\(page)\nresources: {things: {additionalFields: true}}\n",
      to: "config/switchboard/services/whole.yaml")
    let run = try await server.run("backends check whole --yes")
    let words =
      "things: the description has no page, so nothing says that a response has the whole list; the response has exactly 30"
    #expect(run.errors.contains("facts proved"), "\(run.errors)")
    #expect(run.errors.contains(words) == isDoubted, "\(run.errors)")
  }

  @Test func `a check says which fields lists show otherwise than single records`() async throws {
    #expect(try await server.add("masked/things masked").status == 0)
    let text = try server.description("masked")
    let lines = text.split(separator: "\n").map { $0.contains("omit:") ? "  omit: [other]" : String($0) }
    _ = try server.home.write(lines.joined(separator: "\n") + "\n", to: "config/switchboard/services/masked.yaml")
    let run = try await server.run("backends check masked --yes")
    #expect(run.status == 1)
    #expect(run.output.contains("things: lists do not show key, but single records do"), "\(run.output)\(run.errors)")
  }

  @Test func `a page without records that leads to another one is not the end`() async throws {
    let claims = try await server.claims("holed/things holed")
    #expect(claims["end.emptyPage"]?["grade"] == "contradicted", "\(claims)")
    let count = try await server.run("count holed")
    #expect(count.status == 0 && count.output == "25\n", "\(count.output)\(count.errors)")
  }

  @Test func `paging that fails when the description is run is left out`() async throws {
    let claim = try #require(try await server.claims("stepped/things stepped")["page.style"])
    #expect(claim["grade"] == "contradicted", "\(claim)")
    #expect(claim["evidence"]?.text?.contains("repeats 2 records") == true, "\(claim)")
    #expect(try server.description("stepped").contains("page:\n  style: untested\n"))
  }
}
