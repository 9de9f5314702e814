import TerminalSupport
import TestSupport

/// The program under test in a terminal, its prompt being `probe> `.
enum Probe {
  static func start(
    _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      BuiltFolder.ofTests.file("LineEditorProbe"), arguments: arguments, environment: environment, columns: columns,
      rows: rows
    )
    try terminal.expectPrompt()
    return terminal
  }
}

extension PseudoTerminal {
  /// Waits for an empty line to be edited; the terminal is in editing mode then, and keys are no longer echoed.
  func expectPrompt() throws {
    try wait("the prompt") { $0.cursorLine.hasSuffix(">") && $0.modes.contains(2004) }
  }
}

extension PseudoTerminal.Modes {
  /// While a line is edited.
  static let editing = Self(isLineMode: false, echoes: false, sendsSignals: false)
}

extension TemporaryFolder {
  /// The path of a file in it, there or not.
  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// The keys that send more than one byte.
enum Key {
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"
  static let end = "\u{1B}OF"
  static let delete = "\u{1B}[3~"
  static let controlLeft = "\u{1B}[1;5D"
  static let controlRight = "\u{1B}[1;5C"
  static let backspace = "\u{7F}"
  static let escape = "\u{1B}"
  static let interrupt = "\u{3}"
  static let endOfFile = "\u{4}"
  static let cancel = "\u{7}"
  static let search = "\u{12}"
  static let suspend = "\u{1A}"

  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}

extension TmuxTerminal {
  /// The program under test on a terminal of tmux, waiting for its first line.
  static func probe(
    _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> TmuxTerminal {
    let terminal = try TmuxTerminal(
      BuiltFolder.ofTests.file("LineEditorProbe"), arguments: arguments, environment: environment, columns: columns,
      rows: rows
    )
    try terminal.expectPrompt()
    return terminal
  }

  /// Waits for an empty line to be edited.
  func expectPrompt() throws { try expectCursorLine("probe>", column: 7) }
}
