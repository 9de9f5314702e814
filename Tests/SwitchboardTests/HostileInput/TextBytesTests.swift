import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Bytes that are not UTF-8, wherever they come from: nothing of them is repaired and sent.
@Suite("Bytes that are not text") struct TextBytesTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await DemoProcess.start(["--memory"])
    config = try demo.configuration(in: home)
  }

  /// Runs the console from a shell, `"$@"` being the console with its configuration.
  private func shell(_ line: String) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["-c", line, "bash", ConsoleRun.executable.path, "--config", config], bytes: [], in: home,
      executable: "/bin/bash")
  }

  static let examples: [(line: String, says: String)] = [
    (#""$@" create title=$'caf\xe9'"#, "error: argument 4 is not valid UTF-8 at byte 10 ("),
    (#""$@" -c $'create title=caf\xe9'"#, "error: argument 4 is not valid UTF-8 at byte 17 ("),
    (
      #"echo 'create title=$1' > s.sb; "$@" -f s.sb -- $'\xff'"#,
      "error: argument 6 is not valid UTF-8 at byte 1 ("
    ),
    (#""$@" create title=x body=@$'caf\xe9'"#, "error: argument 5 is not valid UTF-8 at byte 10 ("),
    (
      #""$@" --errors json list --to $'caf\xe9'"#,
      #"{"level":"error","code":"usage","message":"argument 7 is"#
    ),
    (#"X=$'caf\xe9' "$@" -c 'create title=$env.X'"#, "-c:1: error: the environment variable X is not valid UTF-8"),
    (
      #"X=$'caf\xe9' "$@" -c 'create title=${env.X:-x}'"#,
      "-c:1: error: the environment variable X is not valid UTF-8"
    ),
    (
      #"X=$'caf\xe9' "$@" -c 'set @x 1' -c 'create title=$env.X'"#,
      "-c:2:14: error: the environment variable X is not valid UTF-8"
    ),
    (
      #"SWITCHBOARD_CONFIG=$'caf\xe9' "$1" create title=x"#,
      "error: the environment variable SWITCHBOARD_CONFIG is not valid UTF-8"
    ),
    (
      #"printf 'count\n create title=\303\251\351\n' | "$@""#,
      "stdin:2:16: error: the line is not valid UTF-8 at column 16\n"
    ),
    (#"printf 'create title=\351\n' | "$@" --stream"#, "stdin:1: error: the line is not valid UTF-8 at column 14\n"),
    (
      #"printf 'set @x "a\nb\351"\ncreate title=x\n' > s.sb; "$@" -f s.sb"#,
      "s.sb:2:2: error: the line is not valid UTF-8 at column 2\n"
    ),
    (
      #"printf 'create title=\351\n' > s.sb; "$@" -c 'source s.sb'"#,
      "s.sb:1:14: error: the line is not valid UTF-8 at column 14\n"
    ),
    (
      #"printf '{"title":"a"}\n{"title":"\351"}\n' | "$@" create --from -"#,
      "stdin:2:12: the record is not a valid JSON object"
    ),
    (
      #"printf '1\n5\351\n' | "$@" delete --yes --from -"#,
      "stdin:2: the identifier is not valid UTF-8 at byte 2"
    ),
    (#"printf 'caf\351' | "$@" create title=@-"#, "the file for title is not valid UTF-8 at byte 4\n"),
    (#"printf '"\351"' | "$@" create title:=@-"#, "the file for title is not valid JSON"),
  ]

  @Test("nothing is sent, the status is 2, and it is said where they stand", arguments: examples)
  func refused(_ example: (line: String, says: String)) async throws {
    let run = try await shell(example.line)
    #expect((run.status, run.output) == (2, ""), "\(run.errors)")
    #expect(run.errors.contains(example.says), "\(run.errors)")
    #expect(!run.errors.contains("\u{FFFD}"))
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
  }

  @Test(
    "a folder whose name is not valid UTF-8 is taken for no other one",
    arguments: [
      #"cd $'caf\xe9'; "$@" count --to out"#, #"cd $'caf\xe9'; "$@" --log out -c count"#,
      #"ln -s $'caf\xe9/out' link; "$@" count --to link"#, #"cd $'caf\xe9'; "$@" --record out -c count"#,
    ])
  func folders(line: String) async throws {
    let run = try await shell(#"mkdir $'caf\xe9' $'caf\xef\xbf\xbd'; "# + line)
    #expect((run.status, run.output) == (2, ""), "\(run.errors)")
    #expect(run.errors.contains("not valid UTF-8"), "\(run.errors)")
    let twin = home.folder.appending(path: "caf\u{FFFD}").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: twin).isEmpty)
  }

  @Test("a variable that is not used may hold what it likes") func unused() async throws {
    let run = try await shell(#"X=$'caf\xe9' "$@" -c 'show output'"#)
    #expect((run.status, run.output, run.errors) == (0, "auto\n", ""))
  }

  @Test("what is typed is refused, too, and nothing of it runs") func typed() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 200)
    terminal.send(bytes: Array("create title=caf".utf8) + [0xE9] + Array("e".utf8))
    let lines = try terminal.run("")
    #expect(lines.contains { $0.hasPrefix("error: the line is not valid UTF-8 at column 17") }, "\(lines)")
    #expect(try terminal.run("count") == ["6"])
    #expect(try terminal.run(#"create title="a\u{fffd}b""#) == ["created announcements/7"])
  }
}
