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

  /// Runs commands, each given with `-c`.
  func run(
    _ commands: String..., options: [String] = [], variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await home.run("", options + commands.flatMap { ["-c", $0] }, variables: variables)
  }

  /// Runs `add` on a style of service.
  func add(_ path: String, _ options: String = "--yes", variables: [String: String] = [:]) async throws -> ConsoleRun {
    try await run("add \(address)/\(path) \(options)", variables: variables)
  }

  /// The facts that `add` claims of the things of a style, by name.
  func claims(_ path: String, _ options: String = "--yes") async throws -> [String: Object] {
    let run = try await add(path, options + " -o json")
    #expect(run.status == 0, "\(run.errors)")
    return try run.facts()
  }

  /// A file of the user's own configuration.
  func file(_ name: String = "config.json") -> URL { home.folder.appending(path: "config/switchboard/\(name)") }

  /// The configuration that was written.
  func configuration() throws -> String { try String(contentsOf: file(), encoding: .utf8) }

  /// The description that was written of a service.
  func description(_ name: String) throws -> String {
    try String(contentsOf: file("services/\(name).yaml"), encoding: .utf8)
  }

  /// The requests so far.
  func log() throws -> [String] { try read("log").split(separator: "\n").map(String.init) }

  /// Returns the response to a read of a path.
  func read(_ path: String) throws -> String { try server.read(path) }
}

extension ConsoleRun {
  /// The claims in JSON that `add` shows.
  var claims: [Object] { get throws { try JSONReader.read(output).array?.compactMap(\.object) ?? [] } }

  /// The resources that they are about, each once.
  var resources: [String] {
    get throws {
      var seen: Set<String> = []
      return try claims.compactMap { $0["resource"]?.text }.filter { seen.insert($0).inserted }
    }
  }

  /// The claims by fact: of a resource, or of all.
  func facts(of resource: String? = nil) throws -> [String: Object] {
    let claims = try claims.filter { resource == nil || $0["resource"]?.text == resource }
    return Dictionary(claims.compactMap { claim in claim["fact"]?.text.map { ($0, claim) } }) { $1 }
  }
}
