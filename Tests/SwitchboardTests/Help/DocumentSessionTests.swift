import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// The sessions that documents show, typed into the console anew. RECORD_SESSIONS=1 writes into the document what the console shows.
@Suite("Sessions in documents") struct DocumentSessionTests {
  /// The documents with sessions: the README, and the guides that show one.
  private static let documents: [String] = {
    let guides = try? FileManager.default.contentsOfDirectory(
      atPath: ConsoleRun.root.appending(path: "docs/guide").path)
    let names = ["README.md"] + (guides ?? []).sorted().map { "docs/guide/\($0)" }
    return names.filter { name in
      let text = try? String(contentsOf: ConsoleRun.root.appending(path: name), encoding: .utf8)
      return text?.contains(#/```text\n\S+(?: [0-9.]+)?> /#) == true
    }
  }()

  @Test("a session in a document is what the terminal shows", arguments: documents)
  func sessions(_ name: String) throws {
    #expect(Self.documents.count > 2)
    let file = ConsoleRun.root.appending(path: name)
    let document = try String(contentsOf: file, encoding: .utf8)
    let home = try ConsoleRun.Home()
    defer { withExtendedLifetime(home) {} }
    let terminal = try ConsoleTerminal.start(in: home, columns: 100, rows: 40)
    var shown = document
    var count = 0
    for block in document.matches(of: /```text\n(?<session>\S+(?: [0-9.]+)?> [\s\S]*?)```/) {
      let commands = block.session.matches(of: /(?m)^(?<prompt>\S+(?: [0-9.]+)?> )(?<command>.*)$/)
      var session = ""
      for command in commands {
        count += 1
        session += "\(command.prompt)\(command.command)\n"
        for row in try typed(String(command.command), into: terminal) { session += Self.settled(row) + "\n" }
      }
      shown = shown.replacing(block.session, with: session)
    }
    try #require(count > 0)
    if ProcessInfo.processInfo.environment["RECORD_SESSIONS"] != nil {
      try shown.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(document == shown)
  }

  @Test("the script in the README does what it says") func script() async throws {
    let readme = try String(contentsOf: ConsoleRun.root.appending(path: "README.md"), encoding: .utf8)
    let block = try #require(readme.firstMatch(of: /## A script\n\n```sh\n(?<script>[\s\S]*?)```/))
    let home = try ConsoleRun.Home()
    let script = try home.write(String(block.script), to: "close.sb")
    let run = try await home.runShipped("-f", script, "-c", "count todolist user=ana completed=true", "--", "ana")
    #expect(run.status == 0, "\(run)")
    #expect(run.output.hasSuffix("\n2\n"), "\(run.output)")
    let exported = try String(contentsOf: home.folder.appending(path: "todos.csv"), encoding: .utf8)
    #expect(exported.contains(",ana,"))
  }

  /// The rows that a command shows; a question is answered with yes.
  private func typed(_ command: String, into terminal: PseudoTerminal) throws -> [String] {
    func rows() -> [String] { terminal.screen.fullText.components(separatedBy: "\n") }
    let above = rows().count
    var keys = command
    while true {
      let seen = rows().count
      terminal.send(keys + "\r")
      try terminal.wait("the next prompt") { screen in
        let isBelow = screen.fullText.components(separatedBy: "\n").count > seen
        return isBelow && (screen.cursorLine.hasSuffix("[y/N]") || Self.isPrompt(screen))
      }
      if Self.isPrompt(terminal.screen) { break }
      keys = "y"
    }
    return Array(rows()[above...].dropLast())
  }

  private static func isPrompt(_ screen: Screen) -> Bool {
    screen.cursorLine.wholeMatch(of: /\S+(?: [0-9.]+)?>/) != nil && screen.modes.contains(2004)
  }

  /// A row without what differs from run to run.
  static func settled(_ row: String) -> String {
    row.replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:8080").replacing(/\d\d:\d\d:\d\d/, with: "09:30:00")
      .replacing(/\d{4}-\d\d-\d\dT09:30:00\.\d+Z/, with: "2026-11-25T09:30:00.000Z")
      .replacing(#/ +\([0-9.]+ m?s\)$/#, with: "")
      .replacing(/[0-9a-f]{64}/, with: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945")
  }
}
