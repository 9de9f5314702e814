import ConsoleSupport
import Testing

@Suite("Options") struct OptionTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("--version prints the version, the stamp that plugins are held against, and what sends requests") func version()
    async throws
  {
    let run = try await ConsoleRun.run(["--version"], in: home)
    #expect((run.status, run.errors) == (0, ""))
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(lines.first?.wholeMatch(of: /switchboard [0-9]+\.[0-9]+(\.[0-9]+)?/) != nil)
    #expect(
      lines.dropFirst().first?.wholeMatch(
        of:
          /switchboard_stamp\.kit\.[0-9a-f]{16}\.swift_.+ switchboard_stamp\.client\.[0-9a-f]{16} switchboard_stamp\.transport\.[0-9a-f]{16}/
      ) != nil)
    #expect(lines.dropFirst(2).first?.hasPrefix("libcurl/") == true && run.output.contains("SSL/"))
  }

  @Test("--help shows the options and how the program is called", arguments: ["--help", "-h"])
  func help(option: String) async throws {
    let run = try await home.run("", [option])
    #expect((run.status, run.errors) == (0, ""))
    #expect(run.output.contains("usage: switchboard "))
    for option in ["-c", "-f", "--config", "--plugin-path", "--on-error", "--version"] {
      #expect(run.output.contains(option))
    }
  }

  @Test(
    "what is not an option ends with 2 and nothing on standard output",
    arguments: [["--nope"], ["word"], ["--on-error", "x"], ["-c"], ["-c", "count", "list"]])
  func wrong(arguments: [String]) async throws {
    let run = try await ConsoleRun.run(arguments, in: home)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.matches(of: #/(?m)^error: /#).count == 1)
  }

  @Test("a command may follow the options in words, as a shell took them apart") func words() async throws {
    let found = try await home.runShipped("list", "title~new data", "-o", "id")
    #expect((found.status, found.output) == (0, "4\n"))
    let none = try await home.runShipped("get", "99")
    #expect((none.status, none.output) == (1, ""))
    #expect(none.errors.hasPrefix("error: get intranet/announcements 99: not found (404, "))
    let odd = try await home.runShipped("count", "")
    #expect(
      (odd.status, odd.errors) == (
        2, "error: \"\" is not a condition or a resource\nhint: write FIELD=VALUE without spaces\n"
      ))
  }
}
