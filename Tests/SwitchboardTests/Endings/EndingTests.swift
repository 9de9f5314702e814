import AdapterSupport
import BackendKit
import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// SIGTERM and SIGHUP, which do what SIGINT does and then end the process.
@Suite("Signals that ask for the end") struct EndingTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("a run that waits for a command ends by each signal with its status", arguments: KillTests.signals)
  func waitingFor(signal: (number: Int32, status: Int)) async throws {
    let console = try home.startShipped("--stream")
    try console.type("show output\n")
    try await console.expect("auto\n")
    let run = try await console.end(by: signal.number)
    // A signal that nobody takes gives a shell the same status.
    #expect((run.status, run.signal, run.errors) == (signal.status, nil, ""))
  }

  @Test("a reader that takes nothing does not keep SIGTERM from ending the run") func unread() async throws {
    let file = try home.write(String(repeating: "show output\n", count: 50_000), to: "busy.sb")
    let pipe = home.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    // Held open from both ends, and never read.
    let reader = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    let console = try home.startShell("exec \"$0\" \"$@\" > pipe", "--config", ConsoleTerminal.config, "-f", file)
    // It has more to write than the pipe takes: once that is full and no thread has anything to do, it waits for the pipe.
    try await blocking {
      let deadline = ContinuousClock.now + .seconds(180)
      var looks = 0
      while looks < 3, ContinuousClock.now < deadline {
        var room = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
        looks = try poll(&room, 1, 0) == 0 && ProcessTable.isAsleep(console.id) ? looks + 1 : 0
        poll(nil, 0, 10)
      }
      #expect(looks == 3, "the pipe was not filled in three minutes")
    }
    console.signal(SIGTERM)
    let run = try await console.end()
    #expect((run.status, run.signal) == (143, nil))
    #expect(run.errors.contains("the rest of the output is lost"))
  }

  @Test("at a terminal, a signal that asks for the end while a command waits has its effect reported")
  func endedWrite() async throws {
    let demo = try await DemoProcess.late("fault.on=writes")
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home), columns: 250)
    terminal.send("create title=x\r")
    try await demo.waitForRequests()
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(143))
    #expect(terminal.screen.fullText.contains("outcome unknown"))
    #expect(terminal.modes == .cooked)
  }

  static let waits: [(keys: String, shown: String)] = [
    ("half", "half"), ("try\r", "..."), ("delete 1 2\r", "[y/N]"),
  ]

  @Test(
    "at a terminal, each of them ends the console at the prompt, within a block and at a question", arguments: waits,
    KillTests.signals.filter { $0.number != SIGINT })
  func endedWaiting(typed: (keys: String, shown: String), signal: (number: Int32, status: Int)) throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send(typed.keys)
    try terminal.wait("what was typed") { $0.cursorLine.contains(typed.shown) }
    terminal.signal(signal.number)
    #expect(try terminal.waitForExit() == .exited(Int32(signal.status)))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
    #expect(!terminal.screen.fullText.contains("deleted announcements"))
  }

  @Test("asked a second time, the process ends at once") func askedTwice() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    // It ends with the console, whatever it is sent.
    terminal.send("!trap 'echo to''ok it' TERM; echo sta''rted; while kill -0 $PPID; do sleep 0.1; done 2> /dev/null\r")
    try terminal.expect("started")
    terminal.signal(SIGTERM)
    try terminal.expect("took it")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .signaled(SIGTERM))
  }

  @Test("a terminal that is closed may send SIGHUP twice: the end goes on") func closedTwice() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    let end = home.folder.appending(path: "end")
    terminal.send("!trap 'echo to''ok it' HUP; echo sta''rted; while [ ! -e \(end.path) ]; do sleep 0.1; done\r")
    try terminal.expect("started")
    terminal.signal(SIGHUP)
    try terminal.expect("took it")
    terminal.signal(SIGHUP)
    try Data().write(to: end)
    #expect(try terminal.waitForExit() == .exited(129))
  }

  @Test("SIGTERM reaches the shell command that the console waits for, and ends both") func endedShell() async throws {
    let console = try home.startShipped(
      "--allow-shell", "-c", "!echo started; sleep 600; echo late", "-c", "show output")
    try await console.expect("started\n")
    let run = try await console.end(by: SIGTERM)
    #expect((run.status, run.signal, run.output) == (143, nil, "started\n"))
    #expect(run.errors == "-c:1: error: the shell command was interrupted\n")
  }

  @Test("started by nohup, the console outlives the terminal") func nohup() async throws {
    let console = try home.startShell(
      "trap '' HUP; exec \"$0\" --stream --config \"$1\"", ConsoleTerminal.config, with: "/bin/bash")
    try console.type("count\n")
    try await console.expect("6\n")
    console.signal(SIGHUP)
    try console.type("help quit\n")
    try await console.expect("End the console")
    #expect(try await console.end().status == 0)
  }

  /// The files that are edited.
  private var drafts: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/tmp") }
  }

  /// A terminal at which an editor has begun.
  private func editing(with editor: String) throws -> PseudoTerminal {
    let folder = home.folder.appending(path: "tmp")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let terminal = try ConsoleTerminal.start(
      in: home, environment: ["VISUAL": editor, "TMPDIR": folder.path, "XDG_RUNTIME_DIR": folder.path])
    terminal.send("\\e\r")
    try terminal.expect("editing")
    #expect(try drafts.count == 1)
    return terminal
  }

  @Test("SIGTERM ends the user's own editor, too, and leaves no file", arguments: ["", "trap '' TERM; "])
  func endedEditor(trap: String) throws {
    let editor = try home.writeProgram("#!/bin/sh\n\(trap)echo edi''ting; sleep 600\n", to: "editor")
    let terminal = try editing(with: editor)
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(143))
    #expect(try drafts == [])
    #expect(terminal.modes == .cooked)
  }

  @Test("a second SIGTERM while the user's own editor runs leaves no file, either") func editorAskedTwice() throws {
    // It ends with the console, and has a file of its own beside the one that it edits.
    let editor = try home.write(
      """
      #!/bin/sh
      trap 'echo to''ok it' TERM
      : > "$1.swp"
      echo edi''ting
      while kill -0 $PPID; do sleep 0.1; done 2> /dev/null

      """, to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
    let terminal = try editing(with: editor)
    terminal.signal(SIGTERM)
    try terminal.expect("took it")
    terminal.signal(SIGTERM)
    // An editor that goes on for two seconds is killed, and the console then ends by itself.
    #expect([.signaled(SIGTERM), .exited(143)].contains(try terminal.waitForExit()))
    #expect(try drafts == [])
  }

  @Test(
    "what there is of a result by then is kept and its file is named, and the old file is as it was",
    arguments: KillTests.signals, ["json", "ndjson"])
  func draft(signal: (number: Int32, status: Int), format: String) async throws {
    // A record comes that is written at once since it is long, and nothing after it.
    let title = String(repeating: "one ", count: 50_000)
    let server = try SocketServer(
      Array(
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n"
          + #"[{"id":1,"title":"\#(title)"},"#).utf8),
      holdsOpen: true)
    let result = try home.write("old\n", to: "result")
    let console = try ConsoleRun.start(
      ["list", "jsonplaceholder:\(server.address)/posts", "--all", "-o", format, "--to", "result"], in: home)
    try await blocking {
      let deadline = ContinuousClock.now + .seconds(180)
      while ContinuousClock.now < deadline {
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
        let draft = names.first { $0.hasPrefix("result.") }
        if let draft, try !text(of: draft).isEmpty { break }
        var pause = pollfd(fd: -1, events: 0, revents: 0)
        poll(&pause, 1, 10)
      }
    }
    let run = try await console.end(by: signal.number)
    #expect((run.status, run.output) == (signal.status, ""))
    let note = /result is unchanged; the incomplete result is in (\S+)/
    let kept = try #require(run.errors.firstMatch(of: note)?.1, "\(run.errors)")
    #expect(kept.hasSuffix(".partial"))
    #expect(try text(of: String(kept)).contains(title))
    #expect(try String(contentsOfFile: result, encoding: .utf8) == "old\n")
    // A reader refuses what is not whole.
    if format == "json" {
      #expect(throws: (any Error).self) { try JSONReader.read(Array(text(of: String(kept)).utf8)) }
    }
  }

  private func text(of name: String) throws -> String {
    let path = name.hasPrefix("/") ? name : home.folder.appending(path: name).path
    return try String(contentsOfFile: path, encoding: .utf8)
  }
}
