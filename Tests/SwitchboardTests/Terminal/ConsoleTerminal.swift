import ConsoleSupport
import Foundation
import TerminalSupport

/// The built console in a terminal of its own.
enum ConsoleTerminal {
  static let config = ConsoleRun.root.appending(path: "config.json").path

  /// Starts it with the shipped configuration or another one, and waits for the first prompt.
  static func start(
    in home: ConsoleRun.Home, config: String? = nil, environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 24, directory: String? = nil, prompt: String = " 2.0>"
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      ConsoleRun.executable.path, arguments: ["--config", config ?? Self.config],
      environment: home.variables.merging(environment) { $1 }, directory: directory ?? home.folder.path,
      columns: columns, rows: rows)
    try terminal.expectPrompt(prompt)
    return terminal
  }

  /// Starts it with arguments, and waits for nothing.
  static func open(_ arguments: [String], in home: ConsoleRun.Home, columns: Int = 120) throws -> PseudoTerminal {
    try PseudoTerminal(
      ConsoleRun.executable.path, arguments: arguments, environment: home.variables, directory: home.folder.path,
      columns: columns, rows: 24)
  }
}

extension PseudoTerminal {
  /// Waits for an empty line to be edited; keys are no longer echoed by the terminal then.
  func expectPrompt(_ prompt: String = " 2.0>") throws {
    try wait("the prompt") { $0.cursorLine.hasSuffix(prompt) && $0.modes.contains(2004) }
  }

  /// Types a command, waits for the next prompt and returns the rows in between.
  @discardableResult
  func run(_ command: String, prompt: String = " 2.0>") throws -> [String] {
    let above = screen.fullText.split(separator: "\n", omittingEmptySubsequences: false).count
    send(command + "\r")
    try wait("the next prompt") { screen in
      let rows = screen.fullText.split(separator: "\n", omittingEmptySubsequences: false).count
      return rows > above && screen.cursorLine.hasSuffix(prompt) && screen.modes.contains(2004)
    }
    let rows = screen.fullText.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(rows[above...].dropLast())
  }
}

/// The keys that are no characters.
enum Key {
  static let up = "\u{1B}[A"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"
  static let interrupt = "\u{3}"
  static let endOfFile = "\u{4}"
}
