import ConsoleSupport
import DemoServerSupport
import Testing

@Suite("Output of a run") struct RunOutputTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test(
    "output that cannot be written is a failure with a sentence",
    arguments: [
      ("$SB -c 'get 3' >/dev/full", "No space left on device"), ("$SB -c 'get 3' >&-", "Bad file descriptor"),
      ("$SB -c 'get 3' <&- >&-", "Bad file descriptor"),
    ])
  func unwritable(line: String, reason: String) async throws {
    let run = try await console.shell(line)
    let lost = "error: cannot write: \(reason); the rest of the output is lost; earlier changes are kept\n"
    #expect((run.status, run.output, run.errors) == (1, "", lost))
  }

  /// A text without the port of a server, which differs from run to run.
  private func masked(_ text: String) -> String { text.replacing(/127\.0\.0\.1:[0-9]+/, with: "SERVER") }

  @Test("closed standard error takes nothing of the output") func closedErrors() async throws {
    let run = try await console.shell("$SB -c 'get 3 -o id' -c 'get 99' 2>&-")
    #expect((run.status, run.output, run.errors) == (1, "3\n", ""))
  }

  @Test("a page behind the end says so") func behind() async throws {
    let run = try await console.run("-c", "list --page 9 -o id", "-c", "list -n 4 -o id", "-c", "page 3")
    #expect((run.status, run.output) == (0, "1\n2\n3\n4\n"))
    let behind = "no records: this page is past the end of the list\n"
    #expect(run.errors == behind + "1–4, more: next\n" + behind)
  }

  @Test("a list whose answer ends in the middle was printed in part: 5", arguments: ["table", "json", "id"])
  func truncated(format: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "90", "--set", "fault=truncate"])
    let run = try await console.run("-c", "use grails:\(demo.base("grails"))", "-c", "list --all -o \(format)")
    #expect(run.status == 5)
    let whole = try await DemoProcess.start(["--memory", "--seed", "90"])
    let all = try await console.run("-c", "use grails:\(whole.base("grails"))", "-c", "list --all -o \(format)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == ["table": 46, "json": 181, "id": 45][format], "\(run.output)")
    // Columns are as wide as what has come, and a comma stands before what is still to come.
    func bare(_ line: Substring) -> String {
      line.split(separator: " ").joined(separator: " ").replacing("},", with: "}")
    }
    #expect(lines.map(bare) == all.output.split(separator: "\n").prefix(lines.count).map(bare))
    #expect(all.status == 0)
    #expect(
      masked(run.errors)
        == "-c:2: error: list grails:http://SERVER/grails/announcements: the response is not a JSON list: the text ends"
        + " unexpectedly (byte 2572) (http://SERVER); grails:http://SERVER/grails is read as the address of a service,"
        + " since \"grails\" is not a known resource of grails:http://SERVER; the result is incomplete\n")
  }

  @Test("several of which none was done are a failure: 1", arguments: ["get 98 99", "delete 98 99 --yes"])
  func none(command: String) async throws {
    let run = try await console.run("-c", command)
    #expect((run.status, run.output) == (1, ""))
    let what = "\(command.prefix { $0 != " " }) intranet/announcements"
    let done = command.hasPrefix("get") ? "read" : "deleted"
    #expect(
      masked(run.errors)
        == "error: \(what) 98: not found (404, http://SERVER)\n"
        + "error: \(what) 99: not found (404, http://SERVER)\n-c:1: error: \(what): 0 \(done), 2 failed\n")
  }

  @Test("a record that does not exist has the list of those that do as its hint", arguments: ["get 99", "delete 99"])
  func absent(command: String) async throws {
    let run = try await console.run("-c", command)
    #expect((run.status, run.output) == (1, ""))
    #expect(run.errors.hasSuffix("\nhint: list intranet/announcements shows the records\n"), "\(run.errors)")
  }

  @Test("several of which some were done are done in part: 5") func some() async throws {
    let run = try await console.run("-c", "get 3 99 4 -o id")
    #expect((run.status, run.output) == (5, "3\n4\n"))
    #expect(
      masked(run.errors)
        == "error: get intranet/announcements 99: not found (404, http://SERVER)\n"
        + "-c:1: error: get intranet/announcements: 2 read, 1 failed\n")
  }

  @Test("a list of which nothing came is not a part of one: 4 where the server asks to wait")
  func nothing() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=toomany", "--set", "fault.delay=1"])
    let run = try await console.run("-c", "list grails:\(demo.base("grails")) -o json")
    #expect((run.status, run.output) == (4, ""))
    #expect(
      masked(run.errors)
        == "-c:1: error: list grails:http://SERVER/grails/announcements: rate limited (429): "
        + "Too many requests (http://SERVER)\nhint: retry after 1 s\n")
  }

  @Test("no answer in time is a backend that cannot be reached: 4") func late() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=delay", "--set", "fault.delay=600000"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "late", "backends": {
          "late": {"plugin": "grails", "url": "\(demo.base("grails"))", "timeouts": {"total": 0.3}}}}
        """)
    let run = try await home.run(commands: "get 3")
    #expect((run.status, run.output) == (4, ""))
    #expect(
      masked(run.errors) == "-c:1: error: get late/announcements 3: no response from http://SERVER within 300 ms\n")
  }

  @Test("an error names the server's address once, and says once what to look at") func once() async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=hangup"])
    let run = try await console.run("-c", "use grails:\(demo.base("grails"))", "-c", "create title=x")
    #expect((run.status, run.output) == (6, ""))
    #expect(
      masked(run.errors)
        == "-c:2: error: create grails:http://SERVER/grails/announcements: http://SERVER closed the connection"
        + " before it responded; outcome unknown\nhint: check whether the record was created before retrying: journal check looks for it\n"
    )
  }

  @Test("a backend given by its address that has several resources is used by their names") func adHoc() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let address = "jsonplaceholder:\(demo.base("jsonplaceholder"))"
    let refused = try await console.complaint("list \(address)")
    let names = ["todos", "posts", "comments", "albums", "photos", "users"].map { "\(address)/\($0)" }
    #expect(
      refused
        == "1 \(address) is read as the address of a service, since \"jsonplaceholder\" is not a known resource; "
        + "it has several resources (choose one: \(names.joined(separator: ", ")))\n")
    let run = try await console.run("-c", "use \(address)", "-c", "list users -n 1 -o id", "-c", "get posts 2 -o id")
    #expect((run.status, run.output, run.errors) == (0, "1\n2\n", "1–1 of 10, more: next\n"))
    let typo = try await console.run("-c", "use \(address)", "-c", "list usres")
    #expect((typo.status, typo.output) == (1, ""))
    #expect(
      typo.errors.contains("unknown resource \"usres\" of \(address)\nhint: did you mean users?"),
      "\(typo.errors)")
    // One that only the server may know is asked for.
    let missing = try await console.run("-c", "use \(address)", "-c", "list customers")
    #expect((missing.status, missing.output) == (1, ""))
    #expect(
      missing.errors.hasPrefix("-c:2: error: list \(address)/customers: not found (404, http://")
        && !missing.errors.contains("is read as"), "\(missing.errors)")
  }
}
