import ConsoleSupport
import Foundation
import TestSupport

extension ConsoleRun.Home {
  /// Runs the console with the shipped configuration.
  func runShipped(
    _ arguments: String..., input: String = "", variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await runShipped(arguments, input: input, variables: variables)
  }

  /// Runs the console with the shipped configuration.
  func runShipped(
    _ arguments: [String], input: String = "", variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", ConsoleTerminal.config] + arguments, input: input, in: self, variables: variables)
  }

  /// Starts the console as a program with the shipped configuration.
  func startShipped(_ arguments: String...) throws -> RunningProgram {
    try ConsoleRun.start(["--config", ConsoleTerminal.config] + arguments, in: self)
  }

  /// Runs a line of a shell, in which `$0` is the console and `$1` the first of the words.
  func shell(_ line: String, _ words: String..., with shell: String = "/bin/bash") async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["-c", line, ConsoleRun.executable.path] + words, bytes: [], in: self, executable: shell)
  }

  /// Starts a line of a shell, in which `$0` is the console and `$1` the first of the words.
  func startShell(_ line: String, _ words: String..., with shell: String = "/bin/sh") throws -> RunningProgram {
    try ConsoleRun.start(["-c", line, ConsoleRun.executable.path] + words, in: self, executable: shell)
  }

  /// Writes a program that its owner may run, and returns its path.
  func writeProgram(_ text: String, to name: String) throws -> String {
    let path = try write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }

  /// Writes a file beside the user's own configuration, or that.
  func writeOwn(_ text: String, to name: String = "config.json") throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "config/switchboard"), withIntermediateDirectories: true)
    _ = try write(text, to: "config/switchboard/" + name)
  }
}
