public import Foundation
public import TestSupport

/// A running demo server, as a process of its own; it ends with this value, or with the process that holds it.
public final class DemoProcess: RunningDemo {
  /// The port on 127.0.0.1 that the server said it listens on.
  public let port: Int
  /// The server's process id.
  public var id: Int32 { program.id }
  // Its standard input is held open for the server's life: the end of that is what ends the server.
  private let program: RunningProgram

  /// Why a server did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// The text that the program wrote instead.
    public let description: String
  }

  /// Starts the built server with arguments of `switchboard-demo` and waits until it accepts connections.
  public static func start(_ arguments: [String], environment: [String: String] = [:]) async throws -> DemoProcess {
    let program = try RunningProgram(
      [try executable().path] + arguments + ["--until-eof"],
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    let line = try await program.expect("\n")
    guard let match = line.wholeMatch(of: /listening on http:\/\/127\.0\.0\.1:(\d+)\n/), let port = Int(match.1) else {
      throw Failure(description: "\(line) \(try await program.end().errors)")
    }
    return DemoProcess(program: program, port: port)
  }

  private init(program: RunningProgram, port: Int) {
    self.program = program
    self.port = port
  }

  /// Kills the server and waits for its end.
  public func stop() {
    // Nothing outlives it.
    _ = try? program.waitForEnd(by: SIGKILL)
  }

  /// Closes the server's standard input and waits for its end.
  public func endInput() async throws { _ = try await program.end() }

  /// Sends one request over a connection of its own and reads the answer.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], bytes: [UInt8]?
  ) async throws -> RawAnswer {
    try await blocking { [port] in
      try RawConnection.exchange(method, target, to: port, headers: headers, bytes: bytes)
    }
  }

  /// Runs the server with arguments that make it end by itself; its exit status and what it wrote.
  public static func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
    let ending = try await RunningProgram([try executable().path] + arguments).end()
    return (Int32(ending.status), ending.output, ending.errors)
  }

  /// The built executable.
  public static func executable() throws -> URL {
    URL(fileURLWithPath: try BuiltFolder.ofPrograms.file("switchboard-demo"))
  }
}
