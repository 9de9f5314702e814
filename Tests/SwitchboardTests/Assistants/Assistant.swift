import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A client of `switchboard mcp`: it writes messages by hand, and reads every line as JSON.
final class Assistant {
  /// The result of a call of a tool.
  struct Result {
    let isError: Bool
    let content: [String: Any]
    /// The content as text, as models read it.
    let text: String

    var error: String { content["error"] as? String ?? "" }
    var records: [[String: Any]] { content["records"] as? [[String: Any]] ?? [] }
    var cursor: String? { content["cursor"] as? String }
  }

  static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"hand","version":"1"}}"#

  let program: RunningProgram
  private var last = 0

  /// Starts the door with options of the console and of the door.
  convenience init(
    _ home: ConsoleRun.Home, config: String? = nil, _ outer: [String] = [], _ options: String...
  ) throws {
    try self.init(home, config: config, outer, options)
  }

  init(_ home: ConsoleRun.Home, config: String? = nil, _ outer: [String], _ options: [String]) throws {
    let path = config ?? home.config
    program = try ConsoleRun.start(
      (path.map { ["--config", $0] } ?? []) + outer + ["mcp"] + options, in: home)
  }

  /// Sends a line, and reads the next one.
  func exchange(_ line: String) async throws -> [String: Any] {
    try program.type(line + "\n")
    return try await program.expect("\n").json()
  }

  /// Sends a request of the revision without a handshake, and returns the answer.
  func ask(_ method: String, _ parameters: String = "") async throws -> [String: Any] {
    let answer = try await exchange(request(method, parameters))
    #expect(answer["id"] as? Int == last)
    return answer
  }

  /// The line of a request with the next id.
  func request(_ method: String, _ parameters: String = "") -> String {
    last += 1
    let all = parameters.isEmpty ? Self.meta : "\(parameters),\(Self.meta)"
    return #"{"jsonrpc":"2.0","id":\#(last),"method":"\#(method)","params":{\#(all)}}"#
  }

  /// The parameters of a call.
  static func call(_ tool: String, _ arguments: [String: Any]) throws -> String {
    let text = try JSONSerialization.data(withJSONObject: arguments)
    return #""name":"\#(tool)","arguments":\#(String(decoding: text, as: UTF8.self))"#
  }

  /// Calls a tool. Its structure and its text say the same.
  func call(_ tool: String, _ arguments: [String: Any] = [:]) async throws -> Result {
    let answer = try await ask("tools/call", try Self.call(tool, arguments))
    let result = try #require(answer["result"] as? [String: Any], "\(answer)")
    #expect(result["resultType"] as? String == "complete")
    let content = try #require(result["structuredContent"] as? [String: Any])
    let text = try #require((result["content"] as? [[String: Any]])?.first?["text"] as? String)
    #expect(try NSDictionary(dictionary: content) == NSDictionary(dictionary: text.json([String: Any].self)))
    return Result(isError: result["isError"] as? Bool ?? false, content: content, text: text)
  }

  /// Ends the input; whatever was written to standard output is messages.
  @discardableResult
  func end() async throws -> RunningProgram.Ending {
    let ending = try await program.end()
    for line in try ending.output.jsonLines() { #expect(line["jsonrpc"] as? String == "2.0") }
    return ending
  }
}
