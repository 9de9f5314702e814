import AdapterSupport
import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Hostile text at every place where text can come in, at a pipe and at a terminal.
@Suite("Text from outside") struct HostileTextTests {
  static let entries: [Entry] =
    [
      // The outer command line.
      .command("-f", "X"), .command("--config", "X"), .command("--log", "X/x", "count"),
      .command("--record", "X/x", "count"), .command("--replay", "X", "count"), .command("--plugin-path", "X", "count"),
      .command("--report", "tap:X/x", "count"), .command("--report", "X"), .command("--on-error", "X"),
      .command("--errors", "X"), .command("--errors", "json", "-f", "X"), .command("--X"), .command("-X"),
      .command("--summary", "X"), .command("--check", "-f", "X"), .command("-c", "X"), .command("-c", "count", "X"),
      .command("--stream", "-f", "X"), .command("--stream", "-c", "X"), .command("--errors", "json", "-c", "X"),
      // Words of commands.
      .command("X"), .command("get", "X"), .command("get", "1", "X"), .command("list", "X"), .command("list", "X=1"),
      .command("list", "id>X"), .command("list", "--sort", "X"), .command("list", "--where", "X"),
      .command("list", "--where", "id = 'X' and X"), .command("list", "--fields", "X"), .command("list", "-o", "X"),
      .command("list", "--X"), .command("list", "--count-by", "X"), .command("list", "--native", "X"),
      .command("list", "X/X"), .command("X:X", "list"), .command("list", "grails:X"),
      .command("count", "--search", "X"),
      .command("explain", "list", "--where", "title = 'X'"), .command("explain", "list", "X=1", "--search", "X"),
      .command("create", "X=1"), .command("create", "X:=1"), .command("create", "title=@X"),
      .command("create", "title:=X"), .command("create", "X"), .command("update", "X", "title=1"),
      .command("update", "1", "--unset", "X"), .command("delete", "X"), .command("delete", "X", "X"),
      .command("delete", "--from", "X"), .command("create", "--from", "X"), .command("list", "--to", "X/x"),
      .command("list", "--append", "X/x"), .command("use", "X"), .command("source", "X"), .command("help", "X"),
      .command("describe", "X"), .command("show", "X"), .command("show", "@X"), .command("set", "X", "1"),
      .command("set", "prompt", "%X"), .command("set", "output", "X"), .command("set", "intranet.X", "1"),
      .command("tee", "X/x"), .command("login", "ana", "--password-file", "X"),
      .command("login", "baasic", "--", "X").asking("Password of "),
      .command("conformance", "--only", "X"), .command("conformance", "X"), .command("completion", "X"),
      .command("open", "X"), .command("config", "trust", "X"), .command("config", "X"), .command("history", "X"),
      .command("watch", "X"), .command("stats", "X"), .command("ping", "X"), .command("X", "?"),
      .command("list", "X", "?"),
      // Scripts, looked at before they are run and while they are run.
      .script("X"), .script("get X"), .script("get 'X"), .script("list X=1 | X"), .script("capture X = list"),
      .script("capture a = X"), .script("for X in (list)\nend"), .script("for a in (list X)\nX\nend"),
      .script("if X\nend"),
      .script("expect $X = 1"), .script("expect error X count"), .script("include X"), .script("source X"),
      .script("try\nX"), .script("set @a 'X'\nshow @a\nexpect $a = 1"), .script("set @a 'X'\nget $a"),
      .script("set @a 'X'\nlist $a"), .script("set @a 'X'\nlist --to $a/x"), .script("set @a 'X'\nshow @a -o json"),
      .script("set @a 'X'\ntry get $a\nend\nshow @error"), .script("exit X"), .script("on-error X"),
      .script("set @a 'X'\nupdate 1 title=$a\nget 1\nlist --fields title\nlist -o json --where \"title = $a\""),
      .script("get 1\n\n\"X"), .script("count\nlst \"X\" X X X X X X X"),
      Entry("the name of a script", files: { ["\($0).sb": "lst\nget\n"] }) { ["-f", "\($0).sb"] },
      Entry("the name of a script, as JSON", files: { ["\($0).sb": "lst\n"] }) {
        ["--errors", "json", "-f", "\($0).sb"]
      },
      Entry("the name of a script that fails", files: { ["\($0).sb": "get 99\n"] }) {
        ["--errors", "json", "-f", "\($0).sb"]
      },
      Entry("the name of a file of records", files: { [$0: "{"] }) { ["create", "--from", $0] },
      Entry("a file of records", files: { ["r": "{\"\($0)\": 1}\n\($0)\n"] }) { _ in ["create", "--from", "r"] },
      Entry("a file of identifiers", files: { ["r": "\($0)\n"] }) { _ in ["delete", "--yes", "--from", "r"] },
      Entry("tap", files: { ["\($0).sb": "set @a '\($0)'\nexpect $a = 1\nexpect count = '\($0)'\nget \($0)\n"] }) {
        ["--report", "tap", "-f", "\($0).sb"]
      },
      Entry("junit", files: { ["\($0).sb": "set @a '\($0)'\nexpect $a = 1\nget \($0)\n"] }) {
        ["--report", "junit", "-f", "\($0).sb"]
      },
      Entry("the summary", files: { ["s.sb": "get '\($0)'\n"] }) { _ in ["--summary", "json", "-f", "s.sb"] },
      // Configurations.
      .configuration(#"{"switchboard": 1, "X": 1}"#, "count"), .configuration(#"{"switchboard": "X"}"#, "count"),
      .configuration(#"{"switchboard": 1, "default": "X", "backends": {}}"#, "count"),
      .configuration(#"{"switchboard": 1, "settings": {"X": 1, "output": "X"}}"#, "count"),
      .configuration(#"{"switchboard": 1, "settings": {"output": "X"}}"#, "count"),
      .configuration(#"{"switchboard": 1, "settings": {"errors": "json"}, "backends": {"X": 1}}"#, "count"),
      .configuration(#"{"switchboard": 1, "backends": {"X": {"plugin": "grails", "url": "demo:grails"}}}"#, "backends"),
      .configuration(#"{"switchboard": 1, "backends": {"a": {"plugin": "X", "url": "demo:grails"}}}"#, "list", "a/b"),
      .configuration(#"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "X"}}}"#, "list", "a/b"),
      .configuration(#"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "http://X"}}}"#, "list", "a/b"),
      .configuration(
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "http://127.0.0.1:1/X"}}}"#, "list", "a/b"),
      .configuration(
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "demo:grails", "label": "X"}}}"#, "backends"),
      .configuration(
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "demo:grails", "X": "X"}}}"#, "backends"),
      .configuration(
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "demo:grails", "resource": "X"}}}"#, "list",
        "a"),
      .configuration(
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "demo:grails", "headers": {"X": "X"}}}}"#,
        "list", "a/announcements"),
    ]

  @Test("it reaches no output as it stands, from whatever place", arguments: entries)
  func places(entry: Entry) async throws {
    var generator = HostileText(seed: 7)
    // A file's name is not as long as a text may be.
    let text = generator.text()
    try await check(entry, text)
  }

  private func check(_ entry: Entry, _ text: String) async throws {
    let home = try ConsoleRun.Home()
    for (name, content) in entry.files(text) { _ = try home.write(content, to: name) }
    let given = entry.arguments(text)
    let arguments = (given.contains("--config") ? [] : ["--config", ConsoleTerminal.config]) + given
    let run = try await ConsoleRun.run(arguments, in: home)
    // Output for a program is left as it is.
    let isData = entry.testDescription.contains("-o json")
    for (name, output) in [("output", isData ? "" : run.output), ("errors", run.errors)] {
      let harm = HostileText.harm(in: Array(output.utf8), isTerminal: false)
      #expect(harm.isEmpty, "\(name) at a pipe: \(output.debugDescription)")
    }
    let shown = try Self.atTerminal(ConsoleRun.executable.path, arguments, home, answering: entry.question)
    let harm = HostileText.harm(in: shown, isTerminal: true)
    #expect(harm.isEmpty, "\(harm) at a terminal: \(String(decoding: shown, as: UTF8.self).debugDescription)")
  }

  /// Returns the output of a run at a terminal.
  private static func atTerminal(
    _ program: String, _ arguments: [String], _ home: ConsoleRun.Home, answering question: String? = nil
  ) throws -> [UInt8] {
    let terminal = try PseudoTerminal(
      program, arguments: arguments, environment: home.variables, directory: home.folder.path, columns: 100, rows: 500)
    if let question {
      try terminal.expectOutput(question)
      terminal.send(Key.interrupt)
    }
    // A program that still reads from the terminal gets the end of its input.
    terminal.send("\u{4}")
    try terminal.waitForExit()
    return terminal.output
  }

  @Test("bytes that are not text do not reach it, either") func invalidBytes() async throws {
    for option in ["-f", "--config", "--replay", "--log", "--record", "--plugin-path", "-c"] {
      let home = try ConsoleRun.Home()
      let script = try home.write(
        "exec '\(ConsoleRun.executable.path)' \(option) \"$(printf 'a\\377\\233b/c.sb')\" count\n", to: "s.sh")
      let run = try await ConsoleRun.runProgram([script], bytes: [], in: home, executable: "/bin/sh")
      #expect(HostileText.harm(in: Array((run.output + run.errors).utf8), isTerminal: false).isEmpty, "\(run.errors)")
      let shown = try Self.atTerminal("/bin/sh", [script], home)
      #expect(HostileText.harm(in: shown, isTerminal: true).isEmpty, "\(option)")
    }
  }

  /// Possible responses of a server, and the commands that receive them. X is the text as JSON writes it.
  static let answers: [(status: Int, body: String, commands: [[String]])] = [
    (
      200,
      #"[{"id": "X", "X": "X", "title": "X", "list": ["X"], "object": {"X": "X"}, "html": "<p>X</p><a href='X'>X</a>"}]"#,
      [
        ["list", "a/b"], ["list", "a/b", "-x"], ["list", "a/b", "--wrap"], ["list", "a/b", "--count-by", "title"],
        ["stats", "a/b", "title"], ["list", "a/b", "--sort", "title"], ["list", "a/b", "title~x"], ["describe", "a/b"],
        ["-c", "capture r = list a/b\nshow @r\nshow @\nexpect $r[0].title = 1\nlist $r[0].title\nget $r[0].title"],
        ["--report", "tap", "-c", "capture r = list a/b\nexpect $r[0].title = 1"],
        ["--errors", "json", "-c", "capture r = list a/b\nexpect $r[0].title = 1"],
        ["get", "a/b", "1"], ["update", "a/b", "1", "title=x"], ["delete", "a/b", "1", "2"],
      ]
    ),
    (200, #"{"id": "X", "X": "X"}"#, [["get", "a/b", "1"], ["create", "a/b", "title=x"], ["list", "a/b"]]),
    (
      400, #"{"message": "X", "error": "X", "errors": [{"message": "X", "field": "X"}]}"#,
      [
        ["get", "a/b", "1"], ["create", "a/b", "title=x"], ["--errors", "json", "create", "a/b", "title=x"],
        ["list", "a/b"],
      ]
    ),
    (422, #"{"errors": [{"message": "X", "field": "X"}]}"#, [["update", "a/b", "1", "title=x"]]),
    (500, "X", [["get", "a/b", "1"], ["list", "a/b"], ["create", "a/b", "title=x"]]),
    (404, "X", [["get", "a/b", "1"], ["--errors", "json", "get", "a/b", "1"]]),
    (200, "X", [["get", "a/b", "1"], ["list", "a/b"], ["ping", "a/b"]]),
    (200, #"[{"id": 1, "title": "#, [["list", "a/b"]]),
    (200, #"{"X": "#, [["get", "a/b", "1"]]),
  ]

  @Test("a server's text reaches no output as it stands", arguments: ["grails", "kitura", "jsonplaceholder"])
  func server(plugin: String) async throws {
    var generator = HostileText(seed: 11)
    let text = generator.text()
    let encoded = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).dropFirst(2).dropLast(2)
    for answer in Self.answers {
      // A body that is not JSON has the text in it raw.
      let body = answer.body.replacing("X", with: answer.body.count == 1 ? text : String(encoded))
      let server = try SocketServer(SocketServer.json(answer.status, body))
      for words in answer.commands {
        let home = try ConsoleRun.Home(
          configuration:
            #"{"switchboard": 1, "backends": {"a": {"plugin": "\#(plugin)", "url": "\#(server.address)"}}}"#)
        let run = try await home.run("", words)
        for output in [run.output, run.errors] {
          #expect(
            HostileText.harm(in: Array(output.utf8), isTerminal: false).isEmpty,
            "\(words) with \(answer.body): \(output.debugDescription)")
        }
        var formats = [words]
        if words == ["list", "a/b"] || words == ["get", "a/b", "1"] {
          formats += ["json", "ndjson", "yaml", "csv", "tsv", "id"].map { words + ["-o", $0] }
        }
        for words in formats {
          // A question is drawn by the line editor; the plan above it is what the server's text could reach.
          let preview = words.first == "delete" ? ["--dry-run"] : []
          let arguments = ["--config", try #require(home.config)] + words + preview
          let shown = try Self.atTerminal(ConsoleRun.executable.path, arguments, home)
          // The columns of tsv are separated by tabs there, too.
          let harm = HostileText.harm(in: shown, isTerminal: true).filter { words.last != "tsv" || $0 != "U+9" }
          #expect(
            harm.isEmpty,
            "\(harm): \(words) with \(answer.body): \(String(decoding: shown, as: UTF8.self).debugDescription)")
        }
      }
    }
  }
}
