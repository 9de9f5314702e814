import ConsoleSupport
import Testing

/// Backends that are marked as dangerous or as not to be written to.
@Suite("Marked backends") struct BackendMarkTests {
  private let home: ConsoleRun.Home

  init() throws {
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "live", "backends": {
          "live": {"plugin": "grails", "url": "demo:grails", "resource": "announcements", "label": "production"},
          "loud": {"plugin": "grails", "url": "demo:grails", "resource": "announcements", "label": "Production"},
          "old": {"plugin": "grails", "url": "demo:grails", "resource": "announcements", "readOnly": true}}}
        """)
  }

  @Test(
    "a script says --yes before it writes to a production system, and the number before it deletes",
    arguments: ["create title=x", "update 3 title=x", "delete 3", "update loud 3 title=x"])
  func production(command: String) async throws {
    let option = command.hasPrefix("delete") ? "--yes=1" : "--yes"
    let run = try await home.run(commands: command)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("(production) needs \(option); nothing was sent"))
    let sure = try await home.run(commands: "\(command) \(option)")
    #expect((sure.status, sure.errors) == (0, ""))
  }

  @Test(
    "nothing is written to a backend that is read only, whatever is said",
    arguments: ["create old title=x --yes", "update old 3 title=x --yes", "delete old 3 4 --yes", "delete old 3 --yes"])
  func readOnly(command: String) async throws {
    let run = try await home.run(commands: command, "get old 3 -o id")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("old is read only, as"))
    #expect(run.errors.contains("backends.old.readOnly"))
  }

  @Test("reading needs nothing") func reading() async throws {
    let run = try await home.run(commands: "list -o id", "get old 3 -o id")
    #expect((run.status, run.output) == (0, "1\n2\n3\n4\n5\n6\n3\n"))
  }
}
