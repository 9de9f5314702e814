import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// The screens that guides show, typed into the console anew. RECORD_SESSIONS=1 writes into the guide what it shows.
///
/// A comment before each one has the command, the keys as words, and the end of a row that is there once the last key is
/// shown. That must be the lowest row that this key changes, since rows are written from the top:
///
///     <!-- screen: browse todolist
///     keys: Right e Ctrl-U "Another title" Enter
///     until: shows the plan  ? keys -->
@Suite("Screens in documents") struct DocumentScreenTests {
  private static let rows = 16
  private static let keys = [
    "Up": Key.up, "Down": "\u{1B}[B", "Left": Key.left, "Right": "\u{1B}[C", "Home": Key.home, "End": "\u{1B}[F",
    "Enter": "\r", "Tab": "\t", "Space": " ", "Backspace": "\u{7F}", "Ctrl-U": "\u{15}",
  ]

  @Test func `a screen in a guide is what the terminal shows`() throws {
    let folder = ConsoleRun.root.appending(path: "docs/guide")
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).filter({ $0.hasSuffix(".md") }) {
      let file = folder.appending(path: name)
      let document = try String(contentsOf: file, encoding: .utf8)
      var found = 0
      let shown = try document.replacing(
        #/(?<head><!-- screen: (?<command>.+)\nkeys: (?<keys>.+)\nuntil: (?<end>.+) -->\n+```text\n)[\s\S]*?```/#
      ) { block in
        found += 1
        let rows = try Self.screen(String(block.command), keys: block.keys, until: String(block.end))
        return "\(block.head)\(rows.map { $0 + "\n" }.joined())```"
      }
      #expect(found == document.components(separatedBy: "<!-- screen:").count - 1, "\(name)")
      count += found
      if document != shown, ProcessInfo.processInfo.environment["RECORD_SESSIONS"] != nil {
        try shown.write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(document == shown, "\(name)")
    }
    #expect(count > 1)
  }

  /// The rows after a command and some keys.
  private static func screen(_ command: String, keys: Substring, until end: String) throws -> [String] {
    let typed = try keys.matches(of: #/"[^"]*"|\S+/#).map { try text(of: $0.output) }.joined()
    let home = try ConsoleRun.Home()
    defer { withExtendedLifetime(home) {} }
    let terminal = try ConsoleTerminal.start(in: home, columns: 80, rows: rows)
    terminal.send(command + "\r")
    try terminal.wait("the end of the list") { screen in
      screen.modes.contains(1049) && screen.lines.count == rows && screen.lines[rows - 2].contains(/^\d[\d,]* record/)
    }
    func isShown(_ screen: Screen) -> Bool { screen.lines.contains { $0.hasSuffix(end) } }
    try #require(!isShown(terminal.screen), "\"\(end)\" is there before the keys")
    terminal.send(typed)
    try terminal.wait("a row that ends with \"\(end)\"", until: isShown)
    return terminal.screen.lines.map(DocumentSessionTests.settled)
  }

  /// The bytes of a key: by its name, by its character, or of a text in quotes.
  private static func text(of word: Substring) throws -> String {
    if word.count > 1, word.first == "\"" { return String(word.dropFirst().dropLast()) }
    return word.count == 1 ? String(word) : try #require(keys[String(word)], "there is no key \(word)")
  }
}
