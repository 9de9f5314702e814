import ConsoleSupport
import Foundation
import Testing

@Suite("Wrong words") struct WrongWordTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test(
    "a word that names nothing is reported with what was probably meant",
    arguments: [
      ("list todolst", "unknown backend, resource or condition \"todolst\" (did you mean todolist?)"),
      (
        "list anouncements",
        "unknown backend, resource or condition \"anouncements\" (did you mean announcements?)"
      ),
      (
        "list title ~ x",
        "unknown backend, resource or condition \"title\" (backends: intranet, todolist, placeholder, baasic; a condition is FIELD=VALUE, without spaces)"
      ),
      ("describe todolst", "unknown backend or resource \"todolst\" (did you mean todolist?)"),
      (
        "ping zzzzzz", "unknown backend or resource \"zzzzzz\" (backends: intranet, todolist, placeholder, baasic)"
      ),
      ("describe intranet todolist", "describe takes one target, not \"todolist\" too (describe [TARGET] [~WORD])"),
      ("use anouncements", "unknown backend or resource \"anouncements\" (did you mean announcements?)"),
      (
        "list intrnet/announcements",
        "unknown backend or resource \"intrnet/announcements\" (did you mean intranet/announcements?)"
      ),
      (
        "get todolst 3",
        "intranet/announcements: invalid identifier \"todolst\": expected a whole number (did you mean todolist?)"
      ),
      ("set intrnet.apiVersion 2.0", "unknown backend \"intrnet\" (did you mean intranet?)"),
      ("set intranet.apiVersoin 2.0", "unknown option \"apiVersoin\" of intranet (did you mean intranet.apiVersion?)"),
      ("show intranet.nope", "unknown option \"nope\" of intranet (options: apiVersion)"),
      ("list todolist/todo", "todolist/todo: unknown resource \"todo\" (did you mean todos?)"),
      ("list intranet/nope", "intranet/nope: unknown resource \"nope\" (resources: announcements)"),
      (
        "list --help",
        "unknown option --help (help list shows the options; put a word that begins with - after --, or in quotes)"
      ),
      (
        "list --page 2 --limit 3",
        "--page cannot be combined with --all or --limit (--page N --per-page M shows one page)"
      ),
      ("whoami", "whoami intranet: this backend has no login"),
      ("next", "there is no list to page through (run list without --all and --limit first)"),
    ])
  func wrong(command: String, expected: String) async throws {
    #expect(try await console.complaint(command) == "2 \(expected)\n")
  }

  @Test("who is not logged in is reported where") func whoami() async throws {
    let config = ConsoleRun.root.appending(path: "config.json").path
    let run = try await ConsoleRun.runProgram(["--config", config, "-c", "whoami baasic"], in: console.home)
    #expect((run.status, run.output) == (1, ""))
    #expect(run.errors.contains("error: whoami baasic: not logged in at"), "\(run.errors)")
  }

  @Test("an option of a command that stands beside it is told how all options are shown") func outer() async throws {
    let run = try await console.run("-c", "list", "-o", "json")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.hasPrefix("error: unknown option -o (switchboard --help shows the options; "))
  }

  @Test("an empty path on the outer command line is reported", arguments: ["--config", "-f", "--plugin-path"])
  func empty(option: String) async throws {
    let run = try await ConsoleRun.run([option, ""], in: console.home)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.hasSuffix(": empty path\n"))
  }
}
