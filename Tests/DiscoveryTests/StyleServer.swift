import BackendKit
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The service that nobody described, as a process of its own, and the console that looks at it.
final class StyleServer: Sendable {
  var address: String { server.address }
  let home: ConsoleRun.Home
  private let server: PythonServer

  /// Starts one of the services beside this file.
  init(_ name: String = "styles", _ arguments: [String] = []) async throws {
    server = try await PythonServer("Server/\(name).py", arguments)
    home = try ConsoleRun.Home()
  }

  /// Returns the terminal's output after a line is typed, and then an answer to each question.
  func type(_ line: String, _ answers: String..., variables: [String: String] = [:]) async throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Server/terminal.py")
    let run = try await ConsoleRun.runProgram(
      [script.path, ConsoleRun.executable.path, line] + answers, bytes: [], in: home, variables: variables,
      executable: "/usr/bin/python3")
    return run.output
  }

  /// Runs `add` on a style of service.
  func add(_ path: String, _ options: String = "--yes", variables: [String: String] = [:]) async throws -> ConsoleRun {
    try await ConsoleRun.run(["-c", "add \(address)/\(path) \(options)"], in: home, variables: variables)
  }

  /// The facts that `add` claims of the things of a style, by name.
  func claims(_ path: String, _ options: String = "--yes") async throws -> [String: Object] {
    let run = try await add(path, options + " -o json")
    #expect(run.status == 0, "\(run.errors)")
    let claims = try JSONReader.read(run.output).array ?? []
    return Dictionary(
      claims.compactMap(\.object).compactMap { claim in claim["fact"]?.text.map { ($0, claim) } },
      uniquingKeysWith: { $1 })
  }

  /// The requests so far.
  func log() throws -> [String] { try read("log").split(separator: "\n").map(String.init) }

  /// Returns the response to a read of a path.
  func read(_ path: String) throws -> String { try server.read(path) }
}
