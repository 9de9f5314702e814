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
    let folder = test.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    program = try RunningProgram(["python3", "-B", "\(folder)/\(path)"] + arguments)
    address = try await program.expect("\n").dropLast().split(separator: " ").last.map(String.init) ?? ""
  }

  /// The response to GET, or with a body to POST, as text.
  public func read(_ path: String, _ body: String? = nil) throws -> String {
    let code = """
      import sys, urllib.request
      print(urllib.request.urlopen(sys.argv[1], *[body.encode() for body in sys.argv[2:]]).read().decode())
      """
    return try Program.run(["python3", "-c", code, "\(address)/\(path)"] + (body.map { [$0] } ?? []))
  }
}
