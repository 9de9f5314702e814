import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Records and identifiers that commands take from files and from standard input.
@Suite("Records from files and standard input") struct GivenRecordTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await DemoProcess.start(["--memory", "--seed", "20"])
    config = try demo.configuration(in: home)
  }

  private func run(_ commands: String..., input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + commands.flatMap { ["-c", $0] }, input: input, in: home)
  }

  @Test(
    "what one list prints, the next commands take: identifiers, objects one by one, a list",
    arguments: [
      "id", "ndjson", "json",
    ])
  func formats(format: String) async throws {
    let listed = try await run("list --all --fields id,title --limit 7 -o \(format)")
    let got = try await run("get --from - --input \(format) -o id", input: listed.output)
    #expect((got.status, got.errors) == (0, ""))
    #expect(got.output == (1...7).map { "\($0)\n" }.joined())
    let changed = try await run("update --from - --input \(format) title=same -o ndjson", input: listed.output)
      .succeeded()
    #expect(changed.output.split(separator: "\n").count { $0.contains(#""title":"same""#) } == 7)
    let deleted = try await run("delete --from - --input \(format) --yes", "count", input: listed.output)
    #expect(deleted.output.hasSuffix("deleted announcements/7\n7 deleted\n13\n"), "\(deleted.errors)")
  }

  @Test("records go from one backend to another, one write each, and are printed as one document") func move()
    async throws
  {
    let listed = try await run("list --limit 3 --fields title --sort -id -o ndjson")
    let titles = listed.output
    let made = try await run("create --from - body=kept -o json", input: titles)
    #expect((made.status, made.errors) == (0, ""))
    let records = try made.rows()
    #expect(records.compactMap { $0["id"] as? Int } == [21, 22, 23])
    #expect(records.compactMap { $0["body"] as? String } == ["kept", "kept", "kept"])
    try await run(
      "update --from - body=changed", "expect $last.count = 2", "expect $last[1].id = 22", input: "21\n22\n"
    ).succeeded()
    let titled = try await run("get 21 22 23 -o ndjson")
    let expected = try titles.jsonLines().map { $0["title"] as? String }
    #expect(try titled.output.jsonLines().map { $0["title"] as? String } == expected)
  }

  static let damaged: [(command: String, input: String, says: String)] = [
    ("create --from -", #"[{"title":"a"},\#n{"titel":"b"}]"#, "stdin:2: create intranet/announcements: "),
    ("create --from -", #"{"title":"a"}\#n{"title":"#, "stdin:2:1: the record is not a valid JSON object"),
    (
      "create --from -", "[{\"title\":\"a\"},\n {\"title\":\n  \"é\" x}]",
      "stdin:3:7: the record is not a valid JSON object"
    ), ("create --from -", #"[{"title":"a"}"#, "stdin:1: the list is not closed"),
    ("create --from -", #"[{"title":"a"},]"#, #"stdin:1:16: "]" is unexpected"#),
    ("create --from -", #"[{"title":"a"}]]"#, #"stdin:1:16: "]" is unexpected"#),
    ("create --from -", #"[{"title":"a"}{"title":"b"}]"#, #"stdin:1:15: "{" is unexpected"#),
    ("create --from -", "{\"title\":\"a\"}\n7\n", #"stdin:2:1: "7" is unexpected"#),
    ("create --from -", "", "stdin contains no record"),
    ("update --from - title=x", "{\"title\":\"a\"}\n", "stdin:1: the identifier is missing"),
    ("update --from -", "7\n", "stdin:1: nothing to change"),
    (
      "update --from -", #"{"id":7,"title":"a"}\#n{"id":"x","title":"b"}"#,
      #"stdin:2: invalid identifier "x": expected a whole number"#
    ),
    (
      "get --from -", "7\n9223372036854775808\n",
      #"stdin:2: invalid identifier "9223372036854775808": expected a whole number of 64 bits"#
    ),
    ("get --from -", "7\n\n\nx\n", #"stdin:4: invalid identifier "x": expected a whole number"#),
    ("get --from -", "[7]", "stdin:1: a line that begins with [ is not an identifier"),
    ("get 3 --from -", "7\n", "\"3\" cannot be combined with --from"),
    ("delete --from -", "7\n", "needs --yes"),
    ("delete --all --yes --from -", "7\n", "--all and --from cannot be combined"),
    ("delete --from nothing --yes", "", "cannot read nothing: No such file"),
    ("create --from data --from data", "", "--from is given twice"),
  ]

  @Test("nothing is sent where one of them is wrong, and it is said where", arguments: damaged)
  func damage(_ example: (command: String, input: String, says: String)) async throws {
    let before = try await demo.requests()
    let run = try await run(example.command, input: example.input)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains(example.says), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count <= 3)
    #expect(try await demo.requests() == before)
  }

  @Test("one that fails leaves the others done, and is named by its line") func failing() async throws {
    let run = try await run(
      "update --from -", "count title=done",
      input: "{\"id\":3,\"title\":\"done\"}\n{\"id\":99,\"title\":\"done\"}\n{\"id\":4,\"title\":\"done\"}\n")
    #expect((run.status, run.output) == (5, "updated announcements/3: title\nupdated announcements/4: title\n"))
    #expect(run.errors.contains("error: stdin:2: update intranet/announcements 99: not found"))
    #expect(run.errors.contains("2 updated, 1 failed"))
  }

  @Test(
    "where all were tried, those that were done are a whole document; the status tells of the others",
    arguments: ["get 1 99 3", "delete 1 99 3 --yes", "update --from - title=x"])
  func wholeDocument(command: String) async throws {
    let run = try await run("\(command) -o json", input: "1\n99\n3\n")
    #expect(run.status == 5)
    #expect(try run.rows().compactMap { $0["id"] as? Int } == [1, 3])
  }

  @Test(
    "where some were not tried, the document is left open", arguments: ["get 1 2 3 --jobs 1", "get --from - --jobs 1"])
  func openDocument(command: String) async throws {
    let server = try SocketServer([
      SocketServer.json(200, #"{"id": 1, "title": "one"}"#), SocketServer.answer(503, [], ""),
    ])
    let run = try await ConsoleRun.run(
      ["-c", "use jsonplaceholder:\(server.address)/posts", "-c", "\(command) -o json"], input: "1\n2\n3\n", in: home)
    #expect(run.status == 5, "\(run.errors)")
    #expect(run.errors.contains("not tried: "), "\(run.errors)")
    #expect(run.output.hasPrefix("[") && !run.output.contains("]"))
  }

  @Test("standard input is a value after @-, is read once, and never where it is the script") func values() async throws
  {
    let made = try await run("create title=x body=@- -o json", input: "one\ntwo")
    #expect(made.output.contains(#""body": "one\ntwo""#), "\(made.errors)")
    let twice = try await run("get --from - -o id", "get --from - -o id", input: "3\n")
    #expect((twice.status, twice.output) == (2, ""))
    #expect(twice.errors.contains("standard input has already been read"))
    let script = try await ConsoleRun.run(["--config", config], input: "get --from -\n3\n", in: home)
    #expect((script.status, script.output) == (2, ""))
    #expect(script.errors.contains("standard input is the script"))
  }

  @Test("a script says whether a value that begins with @ is a file beside it or a text") func files() async throws {
    for name in ["ana", "ana.txt"] { _ = try home.write("content", to: name) }
    for command in ["create title=@ana body=x", "update 1 title=@ana", "create title=x body=x\nupdate 1 title=@ana"] {
      let run = try await ConsoleRun.run(["--config", config], input: command + "\n", in: home)
      run.failed(2, saying: "title=@ana may mean the file ana or the text \"@ana\"", "title=@./ana")
      #expect(run.output.isEmpty, "\(run.output)")
    }
    for (value, title) in [
      ("'@ana'", "@ana"), (#"\@ana"#, "@ana"), ("@./ana", "content"), ("@ana.txt", "content"), ("'@none'", "@none"),
    ] {
      let made = try await run("create title=\(value) body=x -o ndjson").succeeded()
      #expect(made.output.contains(#""title":"\#(title)""#), "\(value) \(made.output)")
    }
    try await run("create title=@none body=x").failed(2)
  }

  @Test("data are data: commands in them are none") func data() async throws {
    let run = try await run("get --from -", "count", input: "3\ndelete --all --yes\n")
    #expect(run.status == 2)
    let titles = "{\"title\":\"x\\ndelete --all --yes\"}\n{\"title\":\"$env.HOME ; quit\"}\n"
    let made = try await self.run("create --from - -o ndjson", "count", input: titles)
    #expect(made.output.hasSuffix("22\n"), "\(made.errors)")
    #expect(made.output.contains(#""title":"$env.HOME ; quit""#))
  }

  @Test("a script reads what it has written itself") func written() async throws {
    let run = try await run("list --limit 2 -o id --to ids", "delete --from ids --yes", "count")
    #expect((run.status, run.errors.contains("nothing was sent")) == (0, false), "\(run.errors)")
    #expect(run.output == "deleted announcements/1\ndeleted announcements/2\n2 deleted\n18\n")
  }

  @Test("an interruption ends the wait for standard input") func interrupted() async throws {
    let console = try ConsoleRun.start(["--config", config, "-c", "create --from -"], in: home)
    // More than the pipe holds: it has begun to read.
    try console.type(String(repeating: "{\"title\":\"never\"}\n", count: 5000))
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, ""))
    #expect(run.errors == "-c:1: error: interrupted while reading standard input; nothing was sent\n")
    #expect(try await self.run("count title=never").output == "0\n")
  }

  @Test("an interruption ends the wait for a pipe, whoever opens it", arguments: [false, true])
  func interruptedPipe(isOpened: Bool) async throws {
    let pipe = home.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let console = try ConsoleRun.start(["--config", config, "-c", "show output", "-c", "create --from pipe"], in: home)
    let writer = isOpened ? try await blocking { open(pipe, O_WRONLY) } : -1
    defer { close(writer) }
    try await console.expect("auto\n")
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, "auto\n"))
  }

  @Test("an interruption says of which record outcome unknown, and which were not tried") func interruptedBulk()
    async throws
  {
    let late = try await DemoProcess.late()
    _ = try home.write("{\"title\":\"a\"}\n{\"title\":\"b\"}\n{\"title\":\"c\"}\n", to: "three")
    let console = try ConsoleRun.start(
      ["--config", try late.configuration(in: home), "-c", "create --from three"], in: home)
    try await late.waitForRequests()
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, ""))
    #expect(run.errors.contains("error: three:1: create intranet/announcements: stopped; outcome unknown"))
    #expect(run.errors.contains("outcome unknown"))
    #expect(run.errors.contains("interrupted after 0 created, 1 unknown; not tried: three:2, three:3"))
  }

  @Test("a backend that cannot be reached is asked once, and it is said what was not tried") func unreachable()
    async throws
  {
    let run = try await run("get grails:http://127.0.0.1:9/ --from -", input: "3\n4\n5\n")
    #expect((run.status, run.output) == (4, ""))
    #expect(run.errors.contains("0 read, 1 failed; not tried: 4, 5"), "\(run.errors)")
  }

  @Test("what was done is reported at once, and all rows are written though nobody listens") func brokenPipe()
    async throws
  {
    _ = try home.write((1...500).map { "{\"title\":\"made \($0)\"}\n" }.joined(), to: "many")
    let run = try await ConsoleRun.runProgram(
      [
        "-c", "\"$0\" --config \"$1\" -c 'create --from many' | head -n 1; echo ${PIPESTATUS[0]}",
        ConsoleRun.executable.path, config,
      ], bytes: [], in: home, executable: "/bin/bash")
    #expect(run.output == "created announcements/21\n141\n" && run.errors.isEmpty, "\(run.errors)")
    let made = try await self.run("count")
    #expect(made.output == "520\n")
  }
}
