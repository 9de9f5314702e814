import ConsoleSupport
import DemoServerSupport
import TestSupport
import Testing

@Suite("Exit statuses") struct ExitStatusTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("0: all was done") func success() async throws {
    let run = try await home.runShipped("-c", "count")
    #expect((run.status, run.output, run.errors) == (0, "6\n", ""))
  }

  @Test("1: a command failed") func failure() async throws {
    let run = try await home.runShipped("-c", "get 99")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("-c:1: error: get intranet/announcements 99: not found (404, "))
  }

  @Test("2: wrong usage", arguments: ["lst", "get", "list nope=1", "delete 1 2", "get x"])
  func usage(command: String) async throws {
    let run = try await home.runShipped("-c", command)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("-c:1: "))
  }

  @Test("2: a file of commands that is not there, or is a folder", arguments: ["/nonexistent", "/"])
  func missingFile(path: String) async throws {
    let run = try await home.runShipped("-f", path)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("error: cannot read \(path): "))
  }

  @Test("3: no such plugin") func plugin() async throws {
    let run = try await home.runShipped("-c", "list nope:http://127.0.0.1:1")
    #expect(run.status == 3)
    #expect(run.errors.contains("unknown plugin \"nope\""))
  }

  @Test("3: a configuration that cannot be read as one") func configuration() async throws {
    let file = try home.write("{\n  \"switchboard\": 1,\n  \"backends\": {]\n}\n", to: "broken.json")
    let run = try await ConsoleRun.run(["--config", file, "-c", "help"], in: home)
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("error: \(file):3: "))
    #expect(run.output == "")
  }

  @Test("3: a configuration that is not there") func missingConfiguration() async throws {
    let run = try await ConsoleRun.run(["--config", "/nonexistent.json", "-c", "help"], in: home)
    #expect(run.status == 3)
    #expect(run.errors.contains("/nonexistent.json"))
  }

  @Test("3: credentials of a folder's configuration that is not trusted; 0 after it is") func trust() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    _ = try home.write(
      """
      {"switchboard": 1, "default": "intranet", "backends": {"intranet": {
        "plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements",
        "credentials": {"username": "ana", "password": {"env": "PASSWORD"}}}}}
      """, to: "config.json")
    let refused = try await home.run(commands: "count intranet")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("config trust"))
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)

    let trusting = try await home.run(commands: "config trust")
    #expect(trusting.status == 0)
    let allowed = try await ConsoleRun.run(["-c", "count"], in: home, variables: ["PASSWORD": "geheim"])
    #expect((allowed.status, allowed.output, allowed.errors) == (0, "6\n", ""))
  }

  @Test("4: nothing listens at the port") func unreachable() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let address = demo.base("grails")
    demo.stop()
    let run = try await home.runShipped("-c", "list grails:\(address)/announcements")
    #expect(run.status == 4)
    #expect(run.errors.contains("connection refused"))
    #expect(run.output == "")
  }

  @Test("5: a list that was cut short") func partial() async throws {
    let run = try await home.runShipped("-c", "list title~e --max-scan 2 -o id")
    #expect(run.status == 5)
    #expect(run.output == "1\n2\n")
    #expect(run.errors.contains("--max-scan"))
  }

  @Test("5: a deletion that was made in part") func partialDeletion() async throws {
    let run = try await home.runShipped("-c", "delete 1 99 --yes")
    #expect(run.status == 5)
    #expect(run.output == "deleted announcements/1\n")
  }

  @Test("6: a write whose answer was lost") func unknown() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=hangup", "--set", "fault.on=writes"])
    let run = try await ConsoleRun.run(
      ["--config", try demo.configuration(in: home), "-c", "create title=x"], in: home)
    #expect(run.status == 6)
    #expect(run.errors.contains("check whether the record was created"))
  }

  @Test("0: a deletion whose answer was lost, where a look finds the record gone") func lostDeletion() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=hangup", "--set", "fault.on=writes"])
    let config = try demo.configuration(in: home)
    let run = try await ConsoleRun.run(["--config", config, "-c", "delete 1", "-c", "count"], in: home)
    #expect((run.status, run.output) == (0, "deleted announcements/1\n5\n"))
    #expect(run.errors.hasSuffix("closed the connection before it responded; a read shows that the record is gone\n"))
  }

  @Test("141: whoever reads the output goes away", arguments: ["table", "ndjson"])
  func brokenPipe(format: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "3000"])
    let script =
      "\"$0\" --config \"$1\" -c \"list --all -o $2\" -c count | head -c 10 > /dev/null; echo ${PIPESTATUS[0]}"
    let run = try await home.shell(script, try demo.configuration(in: home), format)
    #expect(run.output == "141\n")
    #expect(run.errors == "")
  }

  @Test("the worst status counts where a run goes on after errors") func worst() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let address = demo.base("grails")
    demo.stop()
    let one = try await home.runShipped("--on-error", "continue", "-c", "get 99", "-c", "count")
    #expect((one.status, one.output) == (1, "6\n"))
    let four = try await home.runShipped(
      "--stream", "--on-error", "continue", "-c", "lst", "-c", "list grails:\(address)", "-c", "get 99", "-c", "count")
    #expect((four.status, four.output) == (4, "6\n"))
    let five = try await home.runShipped(
      "--on-error", "continue", "-c", "list title~e --max-scan 1 -o id", "-c", "list grails:\(address)")
    #expect(five.status == 5)
  }
}
