import ConsoleSupport
import Foundation
import Testing

/// The built console with the shipped configuration, in a home of a test's own.
struct ShippedConsole {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// Runs it with the shipped configuration.
  func run(_ arguments: String..., input: String = "") async throws -> ConsoleRun {
    try await run(arguments, input: input)
  }

  /// Runs it with the shipped configuration.
  func run(_ arguments: [String], input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", ConsoleRun.root.appending(path: "config.json").path] + arguments, input: input, in: home)
  }

  /// Runs one command and returns its status and its error on one line: without place and label, the hint in parentheses.
  func complaint(_ command: String) async throws -> String {
    let run = try await run("-c", command)
    #expect(run.output.isEmpty)
    let errors = run.errors.replacing(#/(?m)^(-c:1(:\d+)?: )?error: /#, with: "")
    return "\(run.status) \(errors.replacing(/\nhint: (.*)\n/) { " (\($0.1))\n" })"
  }

  /// Runs a line of the shell, in which `$SB` is the console with the shipped configuration.
  func shell(_ line: String) async throws -> ConsoleRun {
    let config = ConsoleRun.root.appending(path: "config.json").path
    return try await ConsoleRun.runProgram(
      ["-c", "SB='\(ConsoleRun.executable.path) --config \(config)'; \(line)"], bytes: [], in: home,
      executable: "/bin/bash")
  }
}
