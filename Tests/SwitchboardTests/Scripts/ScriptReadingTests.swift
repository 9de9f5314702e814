import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Scripts are read and checked before any part of them is run.
@Suite("Scripts are read first") struct ScriptReadingTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private static let writing = """
    set @title "a title"
    capture made = create title=$title
    update $made.id title="$title, again"
    for row in (list title~room --all)
      delete $row.id
    end
    if count id>3 > 2
      delete 1 2 --yes
    else
      try
        create title=other
      end
    end
    source more.sb
    include also.sb
    """

  @Test("--check sends nothing, whatever the script would write") func check() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    _ = try home.write("delete 1\n", to: "more.sb")
    _ = try home.write("delete 2\n", to: "also.sb")
    let file = try home.write(Self.writing, to: "s.sb")
    for arguments in [
      ["--check", "-f", file], ["--check", "--on-error", "continue", "-f", file], ["--check", "-f", "-"],
    ] {
      let run = try await ConsoleRun.run(["--config", config] + arguments, input: Self.writing, in: home)
      #expect((run.status, run.output, run.errors) == (0, "", ""))
    }
    #expect(try await demo.requests() == 0)
  }

  @Test("what comes through a pipe is left to the run: a check would take it away") func pipes() async throws {
    let script = "source /dev/fd/3\ncreate title=@/dev/fd/4 -o id\ncreate --from /dev/stdin\nsource named\n"
    let file = try home.write(script, to: "s.sb")
    let pipe = home.folder.appending(path: "named").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let line =
      "echo show output > named & \"$0\" --config \"$1\" -f \"$2\" 3< <(echo count todolist) 4< <(printf 'a title')"
    let run = try await ConsoleRun.runProgram(
      ["-c", line, ConsoleRun.executable.path, ConsoleTerminal.config, file], bytes: Array(#"{"title":"x"}"#.utf8),
      in: home, executable: "/bin/bash")
    #expect((run.status, run.output, run.errors) == (0, "8\n7\ncreated announcements/8\nauto\n", ""))
  }

  @Test("one wrong line anywhere, and nothing of the whole is sent", arguments: ["more.sb", "also.sb", "s.sb"])
  func wrong(file name: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    for file in ["more.sb", "also.sb", "s.sb"] {
      let text = file == "s.sb" ? Self.writing : "delete 1"
      _ = try home.write("\(text)\n\(file == name ? "\ttry\n  delet 3\n end\n" : "")", to: file)
    }
    let path = name == "also.sb" || name == "s.sb" ? "\(home.folder.path)/\(name)" : name
    let run = try await ConsoleRun.run(
      ["--config", try demo.configuration(in: home), "-f", "\(home.folder.path)/s.sb"], in: home)
    let line = name == "s.sb" ? 17 : 3
    #expect((run.status, run.output) == (2, ""))
    #expect(
      run.errors
        == "\(path):\(line):3: error: unknown command \"delet\"\n    delet 3\n    ^\nhint: did you mean delete?\n")
    #expect(try await demo.requests() == 0)
  }

  @Test("a producer that waits for each answer is served with --stream, and not before its end without it")
  func producer() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let console = try ConsoleRun.start(["--stream", "--config", config], in: home)
    for number in 7...30 {
      try console.type("create title=\"number \(number)\" -o id\n")
      try await console.expect("\(number)\n")
    }
    // A block is run where it ends.
    try console.type("for row in (list id>28 --all)\n")
    try console.type("  get $row.id -o tsv --no-header\nend\n")
    try await console.expect("29\tnumber 29\t\\N\n30\tnumber 30\t\\N\n")
    try console.type("get 99\n")
    let ending = try await console.end()
    #expect(ending.status == 1)
    #expect(ending.errors.contains("stdin:28: error: get intranet/announcements 99: not found"))

    let whole = try ConsoleRun.start(["--config", config], in: home)
    try whole.type("create title=x -o id\n")
    try await demo.waitForRequests(atLeast: 24)
    let before = try await demo.requests()
    try whole.type("lst\n")
    let refused = try await whole.end()
    #expect((refused.status, refused.output) == (2, ""))
    #expect(try await demo.requests() == before)
  }

  @Test("standard input of more than 16 MiB is refused, one of 16 MiB is run") func limit() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let limit = 16 << 20
    func run(_ size: Int, _ arguments: String...) async throws -> ConsoleRun {
      let row = Array("# a comment that is sixty-four bytes long with the end of its row.".utf8.prefix(63)) + [0x0A]
      var bytes = Array("count\n".utf8)
      while bytes.count + row.count <= size { bytes += row }
      bytes += [UInt8](repeating: 0x20, count: size - bytes.count)
      return try await ConsoleRun.run(["--config", config] + arguments, bytes: bytes, in: home)
    }
    try await run(limit).succeeded(printing: "6\n")
    let before = try await demo.requests()
    let more = try await run(limit + 1)
    #expect((more.status, more.output) == (2, ""))
    #expect(more.errors == "error: stdin is longer than 16 MiB\nhint: --stream runs it line by line\n")
    #expect(try await demo.requests() == before)
    try await run(limit + 1, "--stream").succeeded(printing: "6\n")
  }
}
