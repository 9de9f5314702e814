import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// Pastes, the editor, the history and commands of several rows, with the console behind them.
@Suite("Entering commands", .serialized) struct CommandEntryTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func start(_ environment: [String: String] = [:], columns: Int = 80) throws -> TmuxTerminal {
    try ConsoleTmux(in: home, environment: environment, columns: columns).terminal
  }

  /// Enters a command on a clear screen, behind what the line holds already, and waits for a text and the next prompt.
  private func enter(_ command: String, _ terminal: TmuxTerminal, until text: String) throws {
    try terminal.press("C-l")
    let before = try terminal.wait("a clear screen") { $0.cursor.row < 2 && $0.lines.count < 3 }.cursor.row
    try terminal.enter(command)
    try terminal.wait("\(text) and the prompt") { picture in
      picture.lines.contains { $0.contains(text) } && picture.cursorLine.hasSuffix(">") && picture.cursor.row > before
    }
  }

  private var historyText: String {
    (try? String(contentsOfFile: home.folder.path + "/state/switchboard/history", encoding: .utf8)) ?? ""
  }

  // MARK: Pastes

  private static let script = (1...500).map { "get \($0 % 6 + 1) -o id # \($0)" }.joined(separator: "\n") + "\n"

  @Test("a pasted script of 500 lines is one edit, asked about, run, and each line kept") func script() throws {
    let terminal = try start()
    try terminal.paste(Self.script)
    try terminal.wait("the mark") { $0.cursorLine.hasSuffix("> [paste 1: 500 lines]") }
    try terminal.press("Enter")
    let picture = try terminal.wait("the question") {
      $0.cursorLine == "Run these 500 commands (500 lines)? [y/n/e to edit]"
    }
    #expect(
      picture.lines.suffix(7).dropLast() == [
        "  get 2 -o id # 1", "  get 3 -o id # 2", "  get 4 -o id # 3", "  get 5 -o id # 4", "  get 6 -o id # 5",
        "  and 495 more",
      ])
    try terminal.press("y", "Enter")
    try terminal.wait("the end") {
      $0.cursorLine.hasSuffix(">") && $0.lines.suffix(3).dropLast() == ["2", "3"]
    }
    try terminal.press("Up")
    try terminal.wait("the last line") { $0.cursorLine.hasSuffix("> get 3 -o id # 500") }
    try terminal.press("Up")
    try terminal.wait("the line before") { $0.cursorLine.hasSuffix("> get 2 -o id # 499") }
    #expect(historyText.split(separator: "\n").count == 500)
  }

  @Test("a no runs none of it and keeps none", arguments: ["n", "", "C-c", "Escape"]) func refused(answer: String)
    throws
  {
    let terminal = try start()
    try terminal.paste("create title=a\ncreate title=b\n")
    try terminal.press("Enter")
    try terminal.wait("the question") { $0.cursorLine == "Run these 2 commands (2 lines)? [y/n/e to edit]" }
    try terminal.press(answer.count > 1 ? [answer] : answer.isEmpty ? ["Enter"] : [answer, "Enter"])
    try terminal.wait("the prompt") { $0.lines.contains("nothing was run") && $0.cursorLine.hasSuffix(">") }
    try enter("count", terminal, until: "6")
    #expect(historyText == "count\n")
  }

  @Test("an e has it edited first, and asks again") func edited() throws {
    let terminal = try start(["VISUAL": "sed -i s/title/body=x/"])
    try terminal.paste("get 1 -o id\nget 2 -o id\ncreate title=a\n")
    try terminal.press("Enter")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/n/e to edit]") }
    try terminal.press("e", "Enter")
    try terminal.wait("the text, changed") { $0.cursorLine == "create body=x=a" }
    try terminal.press("Enter")
    try terminal.wait("the question again") {
      $0.cursorLine.hasSuffix("[y/n/e to edit]") && $0.lines.contains("  create body=x=a")
    }
  }

  @Test("a failure stops the rest of it, as in a script") func failing() throws {
    let terminal = try start()
    try terminal.paste("create title=a\nget 99\ncreate title=b\ncreate title=c\n")
    try terminal.press("Enter")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/n/e to edit]") }
    try terminal.press("y", "Enter")
    try terminal.wait("the failure") {
      $0.lines.contains("2 more commands were not run") && $0.cursorLine.hasSuffix(">")
    }
    try enter("count", terminal, until: "7")
  }

  // MARK: Several rows

  @Test("a quote reaches over rows, whose ends belong to the value", arguments: [20, 80])
  func rows(columns: Int) throws {
    let terminal = try start(columns: columns)
    for row in ["create title='two", "rows' body=\"and"] {
      try terminal.enter(row)
      try terminal.expectCursorLine("...>", column: 5)
    }
    try terminal.enter("more\"")
    try terminal.wait("the record") { $0.text.replacing("\n", with: "").contains("created announcements/7") }
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    try enter("get 7 -o json", terminal, until: "two\\nrow")
    try terminal.press("Up", "Up")
    try terminal.wait("all rows again") { $0.cursorLine == "more\"" }
  }

  // MARK: The editor

  @Test(
    "\\e and Ctrl-X Ctrl-E take the line or the last command into the user's editor", arguments: ["VISUAL", "EDITOR"])
  func editor(variable: String) throws {
    let terminal = try start([variable: "sed -i s/6/2/"])
    try enter("get 6 -o id", terminal, until: "6")
    try terminal.enter("\\e")
    try terminal.wait("the last command, changed") { $0.cursorLine.hasSuffix("> get 2 -o id") }
    try terminal.press("C-u")
    try terminal.type("get 66")
    try terminal.press("C-x", "C-e")
    try terminal.wait("the line, changed") { $0.cursorLine.hasSuffix("> get 26") }
    #expect(historyText == "get 6 -o id\n")
  }

  @Test("the editor's file is the user's alone, and gone afterwards") func file() throws {
    let seen = home.folder.path + "/seen"
    let script = try home.write("stat -c '%a %U' \"$1\" \"${1%/*}\" > \(seen); echo \"$1\" >> \(seen)\n", to: "look")
    let terminal = try start(["VISUAL": "sh \(script)"])
    try terminal.type("count")
    try terminal.press("C-x", "C-e")
    var lines: [Substring] = []
    try terminal.wait("the editor's look") { _ in
      lines = (try? String(contentsOfFile: seen, encoding: .utf8))?.split(separator: "\n") ?? []
      return lines.count == 3
    }
    #expect(lines[0].hasPrefix("600 ") && lines[1].hasPrefix("700 "))
    try enter("", terminal, until: "6")
    #expect(!FileManager.default.fileExists(atPath: String(lines[2])))
  }

  @Test("an editor that fails or is not there leaves the line", arguments: ["false", "/nonexistent/editor"])
  func failingEditor(editor: String) throws {
    let terminal = try start(["VISUAL": editor], columns: 200)
    try terminal.type("count")
    try terminal.press("C-x", "C-e")
    try terminal.expect("the line is unchanged")
    try terminal.wait("the line") { $0.cursorLine.hasSuffix("> count") }
    try enter("", terminal, until: "6")
  }

  // MARK: The history

  @Test("history shows the lines, !! and !n run them again, shown first") func again() throws {
    let terminal = try start()
    try enter("count", terminal, until: "6")
    try enter("get 1 -o id", terminal, until: "1")
    try enter("history", terminal, until: "3  history")
    #expect(try terminal.picture.lines.contains("1  count"))
    #expect(try terminal.picture.lines.contains("2  get 1 -o id"))
    try enter("!2", terminal, until: "get 1 -o id")
    try terminal.wait("the line and its result") {
      $0.lines.dropLast().suffix(2) == ["get 1 -o id", "1"]
    }
    try enter("!! --no-header", terminal, until: "get 1 -o id --no-header")
    try enter("!77", terminal, until: "the history has no such line")
    try enter("history COUNT", terminal, until: "1  count")
    #expect(try terminal.picture.lines.dropFirst().dropLast().allSatisfy { $0.lowercased().contains("count") })
  }

  @Test("history clear asks, and a yes forgets the file too") func clearing() throws {
    let terminal = try start()
    try enter("count", terminal, until: "6")
    try terminal.enter("history clear")
    try terminal.expectCursorLine("Clear 2 lines? [y/N]")
    try terminal.press("n", "Enter")
    try terminal.expect("nothing was cleared")
    #expect(historyText == "count\nhistory clear\n")
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    try enter("history clear --yes", terminal, until: "the history is empty")
    #expect(historyText == "")
    try terminal.press("Up")
    try enter("count", terminal, until: "6")
    #expect(historyText == "count\n")
  }

  @Test("lines with a secret or a space in front are not kept") func secrets() throws {
    let terminal = try start()
    try enter(" count", terminal, until: "6")
    try enter("login baasic ana hunter2", terminal, until: "login takes at most")
    try enter("ping --token abc", terminal, until: "--token")
    try enter("count # kept", terminal, until: "6")
    #expect(historyText == "count # kept\n")
    try terminal.press("Up", "Up")
    try terminal.wait("the only line kept") { $0.cursorLine.hasSuffix("> count # kept") }
  }

  @Test("two sessions at once both keep their lines, and a third has them") func sessions() throws {
    let one = try start()
    let two = try start()
    try enter("count # one", one, until: "6")
    try enter("count # two", two, until: "6")
    try enter("count # three", one, until: "6")
    let third = try start()
    for line in ["three", "two", "one"] {
      try third.press("Up")
      try third.wait("the line") { $0.cursorLine.hasSuffix("> count # \(line)") }
    }
  }

  @Test("Ctrl-Z stops the console under a shell, and fg brings the line back") func stopping() throws {
    let shell = try TmuxTerminal(
      "bash", arguments: ["--norc", "-i"], environment: home.variables.merging(["PS1": "shell$ "]) { $1 },
      directory: home.folder.path)
    try shell.expectCursorLine("shell$")
    try shell.enter("\(ConsoleRun.executable.path) --config \(ConsoleTerminal.config)")
    try shell.wait("the prompt") { $0.cursorLine.hasSuffix(">") && $0.cursorLine.hasPrefix("intranet") }
    try shell.type("coun")
    try shell.wait("the line") { $0.cursorLine.hasSuffix("> coun") }
    try shell.press("C-z")
    try shell.wait("the shell") { $0.text.contains("Stopped") && $0.cursorLine == "shell$" }
    try shell.enter("stty -a | grep -o ' echo ' | tr -d ' '")
    try shell.wait("a usable terminal") { $0.lines.contains("echo") && $0.cursorLine == "shell$" }
    try shell.enter("fg")
    try shell.wait("the line again") { $0.cursorLine.hasSuffix("> coun") }
    try shell.enter("t")
    try shell.wait("the result") { $0.lines.contains("6") }
  }

  @Test(
    "a shell finds its terminal as it was, however the console ends",
    arguments: ["TERM", "HUP", "QUIT", "SEGV", "ABRT"])
  func ends(signal: String) throws {
    let shell = try TmuxTerminal(
      "sh",
      arguments: [
        "-c", "stty -g >before; \"$@\"; stty -g >after; cmp before after && echo same; read x", "sh",
        ConsoleRun.executable.path, "--config", ConsoleTerminal.config,
      ], environment: home.variables, directory: home.folder.path)
    try shell.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    try shell.type("half a line")
    try shell.wait("the line") { $0.cursorLine.hasSuffix("> half a line") }
    let pid = try #require(Int32(try shellChild(of: shell.process)))
    #expect(kill(pid, try #require(Self.signals[signal])) == 0)
    try shell.expect("same")
  }

  private static let signals = ["TERM": SIGTERM, "HUP": SIGHUP, "QUIT": SIGQUIT, "SEGV": SIGSEGV, "ABRT": SIGABRT]

  private func shellChild(of process: Int32) throws -> String {
    let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return text.split(separator: " ").first.map(String.init) ?? ""
  }
}
