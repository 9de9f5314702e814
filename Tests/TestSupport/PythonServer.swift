internal import Foundation

/// A server in Python, which prints its address as the last word of its first line. It ends with the last copy of this.
public struct PythonServer: Sendable {
  /// The address of the server.
  public let address: String
  /// The program that serves.
  public let program: RunningProgram

  /// Starts a file, named relative to the folder of the test's own, and waits until it serves.
  public init(
    _ path: String, _ arguments: [String] = [], from test: String = #filePath
  ) async throws {
    // The servers share a module, which is beside this file.
    let modules = ["PYTHONPATH": Self.folder(of: #filePath) + "/Server"]
    program = try RunningProgram(
      ["python3", "-B", "\(Self.folder(of: test))/\(path)"] + arguments,
      environment: ProcessInfo.processInfo.environment.merging(modules) { $1 })
    address = try await program.expect("\n").dropLast().split(separator: " ").last.map(String.init) ?? ""
  }

  private static func folder(of file: String) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }

  /// The response to GET, or with a body to POST, as text; throws for a status from 400 on.
  public func read(_ path: String, _ body: String? = nil) throws -> String {
    let place = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    guard let port = place.first?.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw Spawn.Failure("\(address) is no address with a port")
    }
    let target = "/" + (place.dropFirst() + [Substring(path)]).joined(separator: "/")
    let answer = try RawConnection.exchange(
      body == nil ? "GET" : "POST", target, to: port, bytes: body.map { Array($0.utf8) })
    guard answer.isComplete, answer.status < 400 else {
      throw Spawn.Failure("\(address)/\(path) answered \(answer.status): \(answer.text)")
    }
    return answer.text
  }
}
