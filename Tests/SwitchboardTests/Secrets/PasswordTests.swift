import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// `login` asks for the password at a terminal, and shows it nowhere.
@Suite("Passwords at a terminal", .serialized) struct PasswordTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private static let question = "Password of ana for baasic: "

  private func ask(_ console: ConsoleTmux) throws {
    try console.clear()
    try console.terminal.enter("login baasic ana")
    try console.terminal.wait("the question") {
      $0.cursorLine == Self.question.dropLast() || $0.cursorLine == Self.question
    }
  }

  /// A terminal at which a command in the words of a shell has asked.
  private func asked() throws -> PseudoTerminal {
    let terminal = try ConsoleTerminal.open(["--config", ConsoleTerminal.config, "login", "baasic", "ana"], in: home)
    // The blank at its end is not reported from the empty rest of the row.
    try terminal.expect(String(Self.question.dropLast()))
    try terminal.expectModes(.init(isLineMode: false, echoes: false, sendsSignals: false))
    return terminal
  }

  @Test("what is typed is not shown, can be corrected, and is in no history") func typed() throws {
    let console = try ConsoleTmux(in: home)
    try ask(console)
    try console.terminal.type("wrong")
    try console.terminal.press("C-u")
    try console.terminal.type("correct horsé")
    try console.terminal.press("BSpace")
    try console.terminal.enter("e")
    let picture = try console.terminal.wait("the login") {
      $0.cursorLine.hasSuffix(">") && $0.lines.contains("logged in to baasic as ana")
    }
    #expect(!picture.lines.contains { $0.contains("wrong") || $0.contains("horse") })
    #expect(picture.lines.contains { $0.contains("it is stored for this run only") })
    // The terminal echoes as before.
    #expect(try console.run("whoami baasic -o json").lines.joined().contains("\"ana\""))
    let backends = try console.run("backends").lines
    #expect(backends.contains { $0.hasPrefix("baasic") && $0.contains(" ana") })
    let history = try String(contentsOfFile: home.folder.path + "/state/switchboard/history", encoding: .utf8)
    #expect(history.contains("login baasic ana") && !history.contains("horse") && !history.contains("wrong"))
  }

  @Test("Ctrl-C and Ctrl-D give the login up; the next command runs", arguments: ["C-c", "C-d"])
  func givenUp(key: String) throws {
    let console = try ConsoleTmux(in: home)
    try ask(console)
    if key == "C-c" { try console.terminal.type("half") }
    try console.terminal.press(key)
    let picture = try console.terminal.wait("the prompt") {
      $0.cursorLine.hasSuffix(">") && $0.lines.joined().contains("login cancelled; nothing was sent")
    }
    #expect(!picture.lines.joined().contains("half"))
    #expect(try console.run("count").lines.contains("6"))
  }

  @Test(
    "a command in the words of a shell asks, too, and leaves the terminal as it was, whatever ends it",
    arguments: [("correct horse\r", 0), ("\u{3}", 130), ("", SIGTERM), ("", SIGHUP)])
  func words(keys: String, ending: Int32) throws {
    let terminal = try asked()
    if keys.isEmpty { terminal.signal(ending) } else { terminal.send(keys) }
    let end = try terminal.waitForExit()
    #expect(end == (keys.isEmpty ? .signaled(ending) : .exited(ending)) || end == .exited(128 + ending))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.fullText.contains("horse"))
    #expect(terminal.screen.fullText.contains("logged in to baasic as ana") == (ending == 0))
  }

  @Test("a password that is not text is refused, not sent as another") func bytes() throws {
    let terminal = try asked()
    terminal.send(bytes: Array("caf".utf8) + [0xE9, 0x0D])
    #expect(try terminal.waitForExit() == .exited(2))
    #expect(terminal.screen.fullText.contains("the password is not valid UTF-8; nothing was sent"))
  }

  @Test("a file or a variable comes first, and in a script nobody is asked") func scripts() throws {
    let file = try home.write("login baasic ana\n", to: "login.sb")
    let terminal = try ConsoleTerminal.open(["--config", ConsoleTerminal.config, "-f", file], in: home)
    try terminal.expect("login needs a password")
    #expect(try terminal.waitForExit() == .exited(2))
    let session = try ConsoleTerminal.start(in: home, environment: ["SWITCHBOARD_PASSWORD": "correct horse"])
    #expect(try session.run("login baasic ana").first == "logged in to baasic as ana")
  }
}
