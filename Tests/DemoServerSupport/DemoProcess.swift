public import Foundation

/// A running demo server, as a process of its own; it ends with this value, or with the process that holds it.
public final class DemoProcess: Sendable {
  /// The port on 127.0.0.1 that the server said it listens on.
  public let port: Int
  /// The server's process id.
  public var id: Int32 { process.processIdentifier }
  private let process: Process
  // Held open for the server's life: its end is what ends the server.
  private let input: Pipe

  /// Why a server did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// What it wrote instead.
    public let description: String
  }

  /// Starts the built server with arguments of `switchboard-demo` and waits until it accepts connections.
  public static func start(_ arguments: [String], environment: [String: String] = [:]) async throws -> DemoProcess {
    let process = try made(arguments + ["--until-eof"], environment: environment)
    let input = Pipe(), output = Pipe(), errors = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let line = await blocking { firstLine(of: output.fileHandleForReading) }
    guard line.hasPrefix("listening on http://127.0.0.1:"), let port = Int(line.split(separator: ":").last ?? "") else {
      process.terminate()
      let complaint = await blocking { errors.fileHandleForReading.readDataToEndOfFile() }
      throw Failure(description: "\(line) \(String(decoding: complaint, as: UTF8.self))")
    }
    return DemoProcess(process: process, input: input, port: port)
  }

  private init(process: Process, input: Pipe, port: Int) {
    self.process = process
    self.input = input
    self.port = port
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

  /// The address of a dialect, such as `http://127.0.0.1:40000/grails`.
  public func base(_ dialect: String) -> String { "http://127.0.0.1:\(port)/\(dialect)" }

  /// Kills the server and waits for its end.
  public func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Closes the server's standard input and waits for its end.
  public func endInput() async throws {
    try input.fileHandleForWriting.close()
    await Self.blocking { self.process.waitUntilExit() }
  }

  /// Sends one request over a connection of its own and reads the answer.
  ///
  /// `Host` is added, and `Content-Length` where there is a body and neither it nor `Transfer-Encoding` is given.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], body: String? = nil
  ) async throws -> RawAnswer {
    try await send(method, target, headers: headers, bytes: body.map { Array($0.utf8) })
  }

  /// Sends one request whose body is any bytes.
  public func send(
    _ method: String, _ target: String, headers: [(String, String)] = [], bytes: [UInt8]?
  ) async throws -> RawAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    let names = headers.map { $0.0.lowercased() }
    if let bytes, !names.contains("content-length"), !names.contains("transfer-encoding") {
      head += "Content-Length: \(bytes.count)\r\n"
    }
    let request = Array((head + "\r\n").utf8) + (bytes ?? [])
    return try await Self.blocking { [port] in
      Result {
        let connection = try RawConnection(port: port)
        try connection.write(request)
        return try connection.answer(toHead: method == "HEAD")
      }
    }.get()
  }

  /// Runs the server with arguments that make it end by itself; its exit status and what it wrote.
  public static func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
    let process = try made(arguments, environment: [:])
    let output = Pipe(), errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return await blocking {
      let written = output.fileHandleForReading.readDataToEndOfFile()
      let complaint = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (
        process.terminationStatus, String(decoding: written, as: UTF8.self), String(decoding: complaint, as: UTF8.self)
      )
    }
  }

  /// The built executable, in the folder of the running tests or in one above it.
  public static func executable() throws -> URL {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for start in [tests, CommandLine.arguments.first ?? tests] {
      var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
      while folder.path.count > 1 {
        let file = folder.appendingPathComponent("switchboard-demo")
        if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        folder.deleteLastPathComponent()
      }
    }
    throw Failure(description: "switchboard-demo is not built beside the tests")
  }

  private static func made(_ arguments: [String], environment: [String: String]) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }

  /// Runs what blocks a thread on a thread that may be blocked.
  private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }

  private static func firstLine(of file: FileHandle) -> String {
    var line = Data()
    while !line.contains(10) {
      let more = file.availableData
      if more.isEmpty { break }
      line += more
    }
    return String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
  }
}
