import BackendKit
import Console
import ConsoleOutput
import ConsoleSystem
public import Foundation
public import TestSupport

/// One run of the console as a user meets it: its arguments, its input, its outputs and its exit status.
///
/// `run` has it in the process of the test, and as a program where `SWITCHBOARD_TEST_PROGRAMS` names a folder of programs. What only a
/// process can show (signals, terminals, descriptors, children, what it leaves behind) is for `runProgram`.
public struct ConsoleRun: Sendable {
  /// The text that the console wrote to standard output.
  public let output: String
  /// The text that the console wrote to standard error.
  public let errors: String
  /// Its exit status; 128 and the signal's number where a signal ended it.
  public let status: Int

  /// A home of its own for a run, so that nothing of the machine's user is read or written.
  public final class Home: Sendable {
    /// The folder; removed with this value.
    public let folder: URL
    /// The path of the configuration that runs get; nil where they find one as users' runs do.
    public var config: String? { hasConfiguration ? folder.path + "/config.json" : nil }
    private let hasConfiguration: Bool

    /// Makes the folder, with a configuration for its runs if there is one.
    public init(configuration: String? = nil) throws {
      hasConfiguration = configuration != nil
      folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if let configuration { _ = try write(configuration, to: "config.json") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The environment of a run in this home.
    public var variables: [String: String] {
      [
        "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data", "XDG_STATE_HOME": folder.path + "/state",
        "XDG_CONFIG_HOME": folder.path + "/config", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      ].merging(BuiltFolder.sanitizerOptions) { own, _ in own }
    }

    /// Runs the console with a script as standard input, and with options on the outer command line.
    public func run(
      _ script: String, _ options: [String] = [], variables: [String: String] = [:]
    ) async throws -> ConsoleRun {
      try await ConsoleRun.run(
        (config.map { ["--config", $0] } ?? []) + options, input: script, in: self, variables: variables)
    }

    /// Runs the console as a program with a script as standard input, and with options on the outer command line.
    public func runProgram(
      _ script: String, _ options: [String] = [], variables: [String: String] = [:]
    ) async throws -> ConsoleRun {
      try await ConsoleRun.runProgram(
        (config.map { ["--config", $0] } ?? []) + options, input: script, in: self, variables: variables)
    }

    /// Runs commands, each given with `-c`.
    public func run(commands: String..., input: String = "") async throws -> ConsoleRun {
      try await run(input, commands.flatMap { ["-c", $0] })
    }

    /// Writes a file in the home and returns its path.
    public func write(_ text: String, to name: String) throws -> String {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      return file.path
    }
  }

  /// The folder of the console and of the libraries that it opens.
  public static let products = URL(filePath: BuiltFolder.ofPrograms.path)

  /// The root of the sources.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The built console.
  public static var executable: URL { products.appending(path: "switchboard") }

  /// Runs the console and waits for its end.
  public static func run(
    _ arguments: [String], input: String = "", in home: Home, variables: [String: String] = [:],
    directory: String? = nil
  ) async throws -> ConsoleRun {
    try await run(arguments, bytes: Array(input.utf8), in: home, variables: variables, directory: directory)
  }

  /// Runs the console with bytes on its standard input and waits for its end.
  public static func run(
    _ arguments: [String], bytes: [UInt8], in home: Home, variables: [String: String] = [:],
    directory: String? = nil
  ) async throws -> ConsoleRun {
    // A restriction is of the process, for good.
    if BuiltFolder.namesPrograms || arguments.contains("--restricted") {
      return try await runProgram(arguments, bytes: bytes, in: home, variables: variables, directory: directory)
    }
    return try await runInProcess(
      arguments, bytes: bytes, environment: home.variables.merging(variables) { $1 },
      directory: directory ?? home.folder.path)
  }

  private static func runInProcess(
    _ arguments: [String], bytes: [UInt8], environment: [String: String], directory: String
  ) async throws -> ConsoleRun {
    let (input, output, errors) = (try StreamFile(bytes), try StreamFile(), try StreamFile())
    let process = try BorrowedProcess(input: input, output: output, errors: errors, folder: directory)
    defer { process.end() }
    var surroundings = Surroundings(
      version: "0.1.0", executable: BuiltFolder.ofTests.path + "/switchboard", environment: environment,
      directory: directory, output: Output(descriptor: 1), errors: Output(descriptor: errors.descriptor),
      interruption: Interruption(), demo: EmbeddedDemo(environment).base)
    surroundings.transport = { DemoTransport.library }
    let start = ProgramStart(
      arguments, version: surroundings.version, output: surroundings.output, errors: surroundings.errors)
    let status: Int32
    switch start {
    case .over(let known): status = known
    case .run(let options):
      status = await ProgramRun(options, in: surroundings).run()
      FinishedTransfers.forget()
    }
    return ConsoleRun(output: output.text, errors: errors.text, status: Int(status))
  }

  /// Runs the console as a program and waits for its end.
  public static func runProgram(
    _ arguments: [String], input: String = "", in home: Home, variables: [String: String] = [:],
    directory: String? = nil
  ) async throws -> ConsoleRun {
    try await runProgram(arguments, bytes: Array(input.utf8), in: home, variables: variables, directory: directory)
  }

  /// Runs the console, or another program in its place, with bytes on its standard input and waits for its end.
  public static func runProgram(
    _ arguments: [String], bytes: [UInt8], in home: Home, variables: [String: String] = [:],
    directory: String? = nil, executable: String? = nil
  ) async throws -> ConsoleRun {
    let program = try start(
      arguments, in: home, variables: variables, directory: directory, executable: executable)
    return try await blocking {
      try program.type(bytes)
      let ending = try program.waitForEnd()
      return ConsoleRun(output: ending.output, errors: ending.errors, status: ending.status)
    }
  }

  /// Starts the console, or another program in its place, behind pipes; its standard input stays open.
  public static func start(
    _ arguments: [String], in home: Home, variables: [String: String] = [:], directory: String? = nil,
    executable: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      [executable ?? Self.executable.path] + arguments,
      environment: home.variables.merging(variables, uniquingKeysWith: { $1 }), in: directory ?? home.folder.path)
  }
}
