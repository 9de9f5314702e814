import ConsoleSupport
import Foundation
import TerminalSupport

/// The built console in a terminal of tmux.
struct ConsoleTmux {
  let terminal: TmuxTerminal

  /// Starts it with a configuration, the shipped one unless another is given, and waits for the first prompt.
  init(
    in home: ConsoleRun.Home, config: String? = nil, environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 24
  ) throws {
    terminal = try Self.open(
      ["--config", config ?? ConsoleTerminal.config], in: home, environment: environment, columns: columns, rows: rows)
    try terminal.wait("the first prompt") { $0.cursorLine.hasSuffix(">") }
  }

  /// Starts it with arguments, and waits for nothing.
  static func open(
    _ arguments: [String], in home: ConsoleRun.Home, environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 24
  ) throws -> TmuxTerminal {
    try TmuxTerminal(
      ConsoleRun.executable.path, arguments: arguments, environment: home.variables.merging(environment) { $1 },
      directory: home.folder.path, columns: columns, rows: rows)
  }

  /// Runs a command on a clear screen and returns the picture with the next prompt: the command's line, what it printed,
  /// and the prompt.
  func run(_ command: String) throws -> TmuxPicture {
    let before = try clear()
    try terminal.enter(command)
    return try terminal.wait("the prompt after \(command)") {
      !$0.isAlternate && $0.cursorLine.hasSuffix(">") && $0.cursor.row > before
    }
  }

  /// Clears the screen; returns the row of the cursor then.
  @discardableResult
  func clear() throws -> Int {
    try terminal.press("C-l")
    // A prompt of two rows in a narrow window is reported from one below the banner or a command by what stands above.
    return try terminal.wait("a clear screen") { picture in
      let isBelow = picture.lines.first.map { $0.contains(">") || $0.hasPrefix("Switchboard") } ?? true
      return picture.cursorLine.hasSuffix(">") && (picture.cursor.row == 0 || picture.cursor.row == 1 && !isBelow)
    }.cursor.row
  }
}

extension TmuxTerminal {
  /// Types a line and its end.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }
}

extension TmuxPicture {
  /// Returns true if a row has a text with these color parameters, as tmux writes them.
  func hasStyle(_ parameters: String, _ text: String) -> Bool {
    styled.contains { $0.contains("\u{1B}[\(parameters)m\(text)") }
  }
}
