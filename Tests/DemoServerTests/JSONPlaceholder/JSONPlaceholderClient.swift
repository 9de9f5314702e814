import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Requests to the dialect of json-server and jsonplaceholder as the tests write them.
struct JSONPlaceholderClient {
  let demo: DemoProcess

  static let jsonType = "application/json; charset=utf-8"
  static let htmlType = "text/html; charset=utf-8"

  /// Starts a server that fakes writes.
  static func fake() async throws -> JSONPlaceholderClient { try await start("jsonplaceholder") }

  /// Starts a server that keeps writes.
  static func real() async throws -> JSONPlaceholderClient { try await start("json-server") }

  /// Starts a server of the generation after.
  static func version1() async throws -> JSONPlaceholderClient { try await start("json-server-1") }

  /// Starts a server that keeps writes over a database of the test's own.
  static func real(_ database: String) async throws -> JSONPlaceholderClient {
    let folder = try TemporaryFolder()
    return try await start("json-server", "--import", try folder.file("db.json", database))
  }

  private static func start(_ profile: String, _ arguments: String...) async throws -> JSONPlaceholderClient {
    JSONPlaceholderClient(
      demo: try await DemoProcess.start(["--memory", "--set", "jsonplaceholder.profile=\(profile)"] + arguments))
  }

  func get(_ path: String, _ headers: (String, String)...) async throws -> RawAnswer {
    try await demo.send("GET", "/jsonplaceholder" + path, headers: headers)
  }

  func send(
    _ method: String, _ path: String, _ json: String? = nil, type: String? = "application/json",
    _ headers: (String, String)...
  ) async throws -> RawAnswer {
    let types = json == nil ? [] : type.map { [("Content-Type", $0)] } ?? []
    return try await demo.send(method, "/jsonplaceholder" + path, headers: types + headers, body: json)
  }

  /// The ids of a list.
  func ids(_ path: String) async throws -> [Int] {
    let answer = try await get(path)
    #expect(answer.status == 200, "\(answer.text)")
    return try answer.rows().compactMap { $0["id"] as? Int }
  }

  /// The pages that the links of an answer name, and the relations they have.
  func links(_ path: String) async throws -> [String] {
    let header = try #require(try await get(path).header("Link"))
    return header.split(separator: ", ").map { link in
      let page = link.firstMatch(of: /_page=(\w+)/)?.1 ?? ""
      return "\(link.firstMatch(of: /rel="(\w+)"/)?.1 ?? "")=\(page)"
    }
  }
}

/// Holds an answer against the one for everything that is not there.
func expectNothing(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(answer.status == 404 && answer.text == "{}", "\(answer.text)", sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == JSONPlaceholderClient.jsonType, sourceLocation: sourceLocation)
}

/// Holds an answer against a failure that claims to be HTML.
func expectFailure(_ answer: RawAnswer, _ status: Int = 500, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == JSONPlaceholderClient.htmlType, sourceLocation: sourceLocation)
  #expect((try? answer.json()) == nil, sourceLocation: sourceLocation)
}
