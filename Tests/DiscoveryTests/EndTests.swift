import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The claims of `add` about the end of a list: it is complete only if something proves it or the operator says so.
@Suite("Ends of lists") struct EndTests {
  /// The description that was written of a style.
  private func description(_ style: String, _ server: StyleServer) throws -> String {
    try String(
      contentsOf: server.home.folder.appending(path: "config/switchboard/services/\(style).yaml"), encoding: .utf8)
  }

  /// Adds a style at a terminal, with answers to the questions, and returns what was shown.
  private func add(_ style: String, _ server: StyleServer, _ answers: String...) async throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Server/terminal.py")
    let run = try await ConsoleRun.runProgram(
      [script.path, ConsoleRun.executable.path, "add \(server.address)/\(style)/things \(style)"] + answers,
      bytes: [], in: server.home, executable: "/usr/bin/python3")
    return run.output
  }

  @Test(
    "a list without a way to a second page is untested, and named; one of no usual size is likely to be whole",
    arguments: [("whole", "untested"), ("few", "likely"), ("capped", "untested")])
  func untested(_ style: String, _ grade: String) async throws {
    let server = try await StyleServer()
    let run = try await server.add("\(style)/things \(style)", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("no paging was found for things"), "\(run.errors)")
    let claims = try JSONReader.read(run.output).array?.compactMap(\.object) ?? []
    #expect(claims.first { $0["fact"] == "page.style" }?["grade"] == .string(grade))
    #expect(try description(style, server).contains("page:\n  style: untested\n"))
  }

  @Test func `a number that is that of the records on a page of a usual size is no total`() async throws {
    let server = try await StyleServer()
    #expect(try await server.claims("capped/things")["total"]?["grade"] == "untested")
    #expect(try !description("capped", server).contains("\ntotal:"))
  }

  @Test func `a total that stays the same when a part is asked for proves that a list came whole`() async throws {
    let server = try await StyleServer()
    let run = try await server.add("counted/things counted")
    #expect(!run.errors.contains("no paging was found"), "\(run.errors)")
    #expect(try !description("counted", server).contains("page:"))
    let count = try await ConsoleRun.run(["-c", "count counted"], in: server.home)
    #expect(count.status == 0 && count.output == "30\n", "\(count.output)\(count.errors)")
  }

  @Test func `a parameter for pages that a document names and that does nothing is written down`() async throws {
    let server = try await StyleServer()
    #expect(try await server.add("deaf deaf").status == 0)
    let text = try description("deaf", server)
    #expect(text.contains("style: untested\n  parameter: page\n"), "\(text)")
  }

  @Test func `a script is asked nothing, and counts an untested list only where it trusts its end`() async throws {
    let server = try await StyleServer()
    #expect(try await server.add("whole/things whole").status == 0)
    let count = try await ConsoleRun.run(["-c", "count whole"], in: server.home)
    #expect(count.status == 5, "\(count.output)\(count.errors)")
    let trusted = try await ConsoleRun.run(["-c", "count whole --trust-end"], in: server.home)
    #expect(trusted.status == 0 && trusted.output == "30\n", "\(trusted.output)\(trusted.errors)")
  }

  @Test func `a yes at the terminal declares the list whole`() async throws {
    let server = try await StyleServer()
    let shown = try await add("whole", server, "y", "y")
    #expect(shown.contains("No paging was found for things."), "\(shown)")
    let text = try description("whole", server)
    #expect(text.contains("page:\n  style: none\n  source:\n    from: operator\n"), "\(text)")
    let count = try await ConsoleRun.run(["-c", "count whole"], in: server.home)
    #expect(count.status == 0 && count.output == "30\n", "\(count.output)\(count.errors)")
  }

  @Test func `any other answer leaves the list untested`() async throws {
    let server = try await StyleServer()
    let shown = try await add("whole", server, "y", "")
    #expect(shown.contains("No paging was found for things."), "\(shown)")
    #expect(try description("whole", server).contains("style: untested"))
  }

  @Test(
    "a check says where a description without pages is doubtful",
    arguments: [("", true), ("page: {style: none}", false)])
  func doubt(_ page: String, _ isDoubted: Bool) async throws {
    let server = try await StyleServer()
    #expect(try await server.add("whole/things whole").status == 0)
    _ = try server.home.write(
      "switchboard: 1\n\(page)\nresources: {things: {additionalFields: true}}\n",
      to: "config/switchboard/services/whole.yaml")
    let run = try await ConsoleRun.run(["-c", "backends check whole --yes"], in: server.home)
    let words =
      "things: the description has no page, which means that one response has the whole list; the response has exactly 30"
    #expect(run.errors.contains("facts proved"), "\(run.errors)")
    #expect(run.errors.contains(words) == isDoubted, "\(run.errors)")
  }

  @Test func `a check says which fields lists show otherwise than single records`() async throws {
    let server = try await StyleServer()
    #expect(try await server.add("masked/things masked").status == 0)
    let text = try description("masked", server)
    let lines = text.split(separator: "\n").map { $0.contains("omit:") ? "  omit: [other]" : String($0) }
    _ = try server.home.write(
      lines.joined(separator: "\n") + "\n", to: "config/switchboard/services/masked.yaml")
    let run = try await ConsoleRun.run(["-c", "backends check masked --yes"], in: server.home)
    #expect(run.status == 1)
    #expect(run.output.contains("things: lists do not show key, but single records do"), "\(run.output)\(run.errors)")
  }

  @Test func `a page without records that leads to another one is not the end`() async throws {
    let server = try await StyleServer()
    let claims = try await server.claims("holed/things holed")
    #expect(claims["end.emptyPage"]?["grade"] == "contradicted", "\(claims)")
    let count = try await ConsoleRun.run(["-c", "count holed"], in: server.home)
    #expect(count.status == 0 && count.output == "25\n", "\(count.output)\(count.errors)")
  }

  @Test func `paging that fails when the description is run is left out`() async throws {
    let server = try await StyleServer()
    let claim = try #require(try await server.claims("stepped/things stepped")["page.style"])
    #expect(claim["grade"] == "contradicted", "\(claim)")
    #expect(claim["evidence"]?.text?.contains("repeats 2 records") == true, "\(claim)")
    #expect(try description("stepped", server).contains("page:\n  style: untested\n"))
  }
}
