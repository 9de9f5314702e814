import ConsoleSupport
import TestSupport
import Testing

/// A service that does not do what its description says.
@Suite("Claims that a service refutes") struct ClaimTests {
  private let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/claims.py")
    self.server = server
    home = try ConsoleRun.Home(
      [DescribedBackend("it", server.address, by: "things", more: #", "resource": "things""#)], default: "it",
      describing: [
        "things": """
        records: {listPath: items}
        page: {style: offset, parameter: offset}
        size: {parameter: limit, default: 8, maximum: 50}
        total: {member: total}
        sort: {parameter: sort, exactFields: [id]}
        create: {}
        identifier: {type: integer}
        resources:
          things:
            filter: {fields: [done], conditions: {"=": {template: "{field}", accuracy: exact}}}
            fields: {id: {type: integer, readOnly: true}, name: text, done: boolean}
          boxed:
            records: {listPath: items, recordPath: data}
            fields: {id: {type: integer, readOnly: true}, name: text, done: boolean}
          capped:
            total: null
            size: {parameter: limit, default: 100, maximum: 100}
            end: {when: [shortPage]}
            fields: {id: {type: integer, readOnly: true}, name: text, done: boolean}
        """
      ])
  }

  private static let warning = "the server did not sort as it was asked to, so the list was sorted locally"

  @Test(arguments: ["--limit 1", "--limit 3", "--per-page 3", "--all"])
  func `an order that the first records refute is made by the console, with a warning`(pages: String) async throws {
    let run = try await home.run(commands: "list --sort -id \(pages) -o id").succeeded()
    #expect(run.output.hasPrefix("20\n"), "\(run.output)")
    #expect(run.errors.contains(Self.warning), "\(run.errors)")
  }

  @Test func `the order of the server is taken if that is asked for, and one that holds is left to it`() async throws {
    let own = try await home.run(commands: "list --sort -id --server-order --limit 2 -o id").succeeded()
    #expect(own.output == "1\n2\n" && !own.errors.contains(Self.warning), "\(own.errors)")
    let run = try await home.run(commands: "list --sort id --limit 2 -o id").succeeded()
    #expect(run.output == "1\n2\n" && !run.errors.contains(Self.warning), "\(run.errors)")
  }

  @Test func `a total that conditions do not change is not believed`() async throws {
    let run = try await home.run(commands: "list done=true --all -o id", "count done=true").succeeded()
    #expect(run.output == "4\n8\n12\n16\n20\n5\n", "\(run.output)\(run.errors)")
    let page = try await home.run(commands: "list done=true --per-page 2").succeeded()
    #expect(!(page.output + page.errors).contains("of 20"), "\(page.output)\(page.errors)")
    #expect(try await home.run(commands: "count").succeeded().output == "20\n")
  }

  @Test func `an error in an envelope is told, and not that the envelope has no record`() async throws {
    let run = try await home.run(commands: "get it/boxed 3 -o json", "get it/boxed 99")
    #expect(run.status == 1 && run.output.contains("thing 3"), "\(run.output)")
    #expect(run.errors.contains("the server reports a failure: E404"), "\(run.errors)")
  }

  @Test func `a page that may have been cut does not end a list`() async throws {
    let run = try await home.run(commands: "count it/capped", "list it/capped --all -o id").succeeded()
    #expect(run.output.hasPrefix("20\n1\n") && run.output.hasSuffix("\n20\n"), "\(run.output)\(run.errors)")
  }

  @Test func `--strict fails for a new record without what was sent`() async throws {
    let rows = try home.write("name\na\nb\n", to: "rows.csv")
    let loose = try await home.run(commands: "import it/things \(rows)")
    #expect(loose.status == 0 && loose.output.contains("2 created (2 of them not stored as sent)"), "\(loose.output)")
    let run = try await home.run(commands: "set strict on", "create name=a")
    #expect(run.status == 1 && run.errors.contains("created without name: not stored"), "\(run.errors)")
  }
}
