import ConsoleSupport
import TestSupport
import Testing

/// The pages of a list that others change meanwhile.
@Suite struct PageTurnTests {
  private let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/browse.py", ["30"])
    self.server = server
    home = try ConsoleRun.Home(
      [DescribedBackend("it", server.address, by: "things", more: #", "resource": "things""#)], default: "it",
      describing: [
        "things": """
        records: {listPath: items}
        page: {style: offset, parameter: offset}
        size: {parameter: limit, default: 20, maximum: 50}
        total: {member: total}
        delete: {}
        identifier: {type: integer}
        resources:
          things:
            fields: {id: {type: integer, readOnly: true}, name: text, done: boolean}
        """
      ])
  }

  private static let warning =
    "warning: the total fell from 30 to 29, so 1 record may have been missed; first reads the list again"

  @Test(arguments: ["", " --sort -done"])
  func `next warns if the total has fallen, since a record may have moved to the page before`(
    words: String
  ) async throws {
    let list = "list it/things --per-page 4\(words)"
    let run = try await home.run(commands: list, "delete it/things 2 --yes", "next", "next", "prev").succeeded()
    #expect(!run.output.contains("thing 5 "))
    #expect(run.errors.split(separator: "\n").filter { $0.contains("the total fell") }.count == 1, "\(run.errors)")
    #expect(run.errors.contains(Self.warning), "\(run.errors)")
  }

  @Test func `a total that falls between other commands is none of next`() async throws {
    let run = try await home.run(
      commands: "list it/things --per-page 4", "next", "delete it/things 2 --yes", "prev", "first", "next", "page 3"
    ).succeeded()
    #expect(!run.errors.contains("the total fell"), "\(run.errors)")
  }
}
