import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A run that is recorded and replayed.
struct RecordedRun {
  let home: ConsoleRun.Home
  let file: String

  init() throws {
    home = try ConsoleRun.Home()
    file = home.folder.appending(path: "run.rec").path
  }

  var lines: [String] {
    get throws { try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init) }
  }

  /// Runs a script and keeps its exchanges.
  func record(
    _ script: String, _ arguments: [String] = [], config: String = ConsoleTerminal.config,
    variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await run(["--record", file] + arguments, script, config, variables)
  }

  /// Runs a script over the recording: with an installation that has neither the network's library nor the demo.
  func replay(
    _ script: String, _ arguments: [String] = [], config: String = ConsoleTerminal.config,
    variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    let folder = home.folder.appending(path: "bin").path
    let console = folder + "/switchboard"
    if !FileManager.default.fileExists(atPath: console) {
      _ = try BuiltFolder.ofPrograms.install(["libConformance.so"], in: folder)
    }
    let plugins = ["--plugin-path", ConsoleRun.products.path]
    return try await run(plugins + ["--replay", file] + arguments, script, config, variables, executable: console)
  }

  private func run(
    _ arguments: [String], _ script: String, _ config: String, _ variables: [String: String], executable: String? = nil
  ) async throws -> ConsoleRun {
    let name = try home.write(script, to: "script.sb")
    return try await ConsoleRun.runProgram(
      ["--config", config] + arguments + ["-f", name], bytes: [], in: home, variables: variables,
      executable: executable)
  }

  /// Records a script and holds the replay against it; returns the recorded run.
  @discardableResult
  func roundTrip(
    _ script: String, _ arguments: [String] = [], config: String = ConsoleTerminal.config
  ) async throws -> ConsoleRun {
    let recorded = try await record(script, arguments, config: config)
    let replayed = try await replay(script, arguments, config: config)
    #expect(replayed.output.utf8.elementsEqual(recorded.output.utf8), "\(replayed.output)")
    #expect(replayed.errors.utf8.elementsEqual(recorded.errors.utf8), "\(replayed.errors)")
    #expect(replayed.status == recorded.status)
    return recorded
  }
}
