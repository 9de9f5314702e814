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

  /// The response to GET, or with a body to POST, as text with a line end.
  ///
  /// Sent by bash: another Python would need a tenth of a second of the processor to start.
  public func read(_ path: String, _ body: String? = nil) throws -> String {
    let place = address.dropFirst("http://".count).replacing(":", with: "/")
    let length = body.map { "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \($0.utf8.count)\r\n" }
    let request = """
      \(body == nil ? "GET" : "POST") /\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(length ?? "")\r\n\(body ?? "")
      """
    let answer = try Program.run(
      "bash", "-c", "exec 3<>/dev/tcp/\(place) && printf %s \"$0\" >&3 && cat <&3", request)
    let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, answer.firstMatch(of: /^HTTP\/1\.[01] 2/) != nil else {
      throw Spawn.Failure("\(address)/\(path) responded: \(answer.prefix(2000))")
    }
    return parts[1] + "\n"
  }
}
