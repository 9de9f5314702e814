import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// `--restricted`: reads from the backends of the configuration, and nothing else.
@Suite("Restricted runs") struct RestrictionTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("reading is what a restricted script can do") func reading() async throws {
    let script =
      "list -n 2 -o id\nget 3 -o id\ncount\nuse todolist\nset output json\ncount\ndescribe\nshow perPage\nhelp get\nping\n"
    let file = try home.write(script, to: "a.sb")
    let run = try await home.runShipped("--restricted", "-f", file)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("1\n2\n3\n6\n8\n{"))
    let suite = try await home.runShipped("--restricted", "-c", "conformance --read-only --only 'end of list'")
    #expect(suite.status == 0, "\(suite.errors)")
    #expect(suite.output.contains("\nintranet/announcements: 1 law: 0 failed, 1 passed"), "\(suite.output)")
  }

  private static let refused = [
    "create title=x", "create title=@secret.txt", "update 3 title=x", "delete 3", "delete 3 4 --yes",
    "delete --all --yes",
    "conformance", "conformance --sweep --yes", "conformance --sandbox --yes", "login ana --password-file secret.txt",
    "login baasic ana --password-file=secret.txt", "logout baasic", "get 3 --to out.txt", "get 3 --to=out.txt",
    "list --append out.txt", "get 3 --to /dev/stdout", "tee out.txt", "source other.sb", "!touch out.txt",
    "list | tee out.txt", "config trust", "config migrate config.json", "open 1", "get grails:http://127.0.0.1:1/ 3",
    "use grails:http://127.0.0.1:1/",
    "list jsonplaceholder:demo:jsonplaceholder", "include other.sb", "capture n = create title=x",
    "for row in (list)\n  delete $row.id\nend", "try\n  source other.sb\nend", "if count id>0\n  !touch out.txt\nend",
    "set @f out.txt\nhelp get --to $f", "plugin new notes", "get --from secret.txt",
    "stats title grails:http://127.0.0.1:1/",
  ]

  @Test("everything else is refused in one sentence before anything is sent", arguments: refused)
  func refusal(command: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "intranet", "backends": {
          "intranet": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "baasic": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"}}}
        """)
    _ = try home.write("correct horse\n", to: "secret.txt")
    _ = try home.write("count\n", to: "other.sb")
    let before = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted()
    let run = try await home.run(
      "", ["--restricted", "-c", command], variables: ["SWITCHBOARD_PASSWORD": "correct horse"])
    #expect((run.status, run.output) == (2, ""), "\(run.errors)")
    #expect(run.errors.contains("restricted") || run.errors.contains("terminal only"), "\(run.errors)")
    #expect(run.errors.matches(of: /-c:1:/).count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).sorted() == before)
    let counts = try await demo.send("GET", "/_demo/requests").object()
    #expect(counts.allSatisfy { $0.value as? Int ?? 0 == 0 }, "\(counts)")
  }

  @Test("nothing in a script lifts it") func lifting() async throws {
    for line in ["set restricted off", "set allowShell on", "set errors text"] {
      let run = try await home.runShipped(
        "--restricted", "--stream", "--on-error", "continue", input: "\(line)\ndelete 3\ncount\n")
      #expect((run.status, run.output) == (2, "6\n"))
    }
  }

  @Test("it contradicts --allow-shell, and is for scripts") func options() async throws {
    let both = try await ConsoleRun.run(["--restricted", "--allow-shell", "-c", "help"], in: home)
    #expect((both.status, both.output) == (2, ""))
    let terminal = try ConsoleTerminal.open(
      ["--config", ConsoleTerminal.config, "--restricted"], in: home, columns: 100)
    try terminal.expect("--restricted requires a script")
    #expect(try terminal.waitForExit() == .exited(2))
  }

  @Test(
    "a variable of the environment is read only where the operator allows it",
    arguments: ["list title~$env.HIDDEN", "get $env.HIDDEN", "set @x $env.HIDDEN", "count title~\"${env.HIDDEN:-x}\""])
  func environment(command: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    func run(_ options: String...) async throws -> ConsoleRun {
      try await ConsoleRun.run(
        ["--config", config] + options + ["-c", command], in: home, variables: ["HIDDEN": "3", "OTHER": "4"])
    }
    let refused = try await run("--restricted", "--allow-env", "OTHER")
    #expect((refused.status, refused.output) == (2, ""))
    #expect(refused.errors.contains("not allowed with --restricted: reading $env.HIDDEN"), "\(refused.errors)")
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
    let allowed = try await run("--restricted", "--allow-env", "OTHER,HIDDEN")
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try await run("--allow-env", "HIDDEN").status == 2)
    #expect(try await run("--restricted", "--allow-env", "A,,B").status == 2)
  }

  @Test("a replay is restricted, too") func replay() async throws {
    let run = try RecordedRun()
    _ = try await run.record("get 3\ndelete 3\n")
    let replayed = try await run.replay("get 3\ndelete 3\n", ["--restricted"])
    #expect(replayed.status == 2)
    #expect(replayed.errors.contains("restricted"))
  }
}
