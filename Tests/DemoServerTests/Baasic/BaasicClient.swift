import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Requests to the Baasic dialect as the tests write them.
struct BaasicClient {
  let demo: DemoProcess

  static let jsonType = "application/json; charset=utf-8"
  static let halType = "application/hal+json; charset=utf-8"

  /// Starts a server with the usual records.
  static func start(_ arguments: String...) async throws -> BaasicClient {
    BaasicClient(demo: try await DemoProcess.start(["--memory"] + arguments))
  }

  /// Starts a server whose todos are these.
  static func start(todos: String, schema: String? = nil) async throws -> BaasicClient {
    let folder = try TemporaryFolder()
    let schemas = schema.map { #""schemas":[\#($0)],"# } ?? ""
    let text = #"{"baasic":{\#(schemas)"resources":{"todo":\#(todos)}}}"#
    let file = try folder.file("data.json", text)
    return BaasicClient(demo: try await DemoProcess.start(["--memory", "--import", file]))
  }

  func get(_ path: String, _ headers: (String, String)...) async throws -> RawAnswer {
    try await demo.send("GET", "/baasic" + path, headers: headers)
  }

  func send(
    _ method: String, _ path: String, _ json: String? = nil, _ headers: (String, String)...
  ) async throws -> RawAnswer {
    let type = json == nil ? [] : [("Content-Type", "application/json; charset=UTF-8")]
    return try await demo.send(method, "/baasic" + path, headers: type + headers, body: json)
  }

  /// The records of a page.
  func items(_ path: String, _ headers: (String, String)...) async throws -> [[String: Any]] {
    let answer = try await demo.send("GET", "/baasic" + path, headers: headers)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(try answer.object()["item"] as? [[String: Any]])
  }

  func titles(_ query: String) async throws -> [String] {
    try await items("/resources/todo?rpp=100&\(query)").compactMap { $0["title"] as? String }
  }

  /// The titles that a search finds.
  func found(_ search: String) async throws -> [String] {
    try await titles("searchQuery=\(try Self.encoded(search))")
  }

  static func encoded(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }

  /// The id of the first todo.
  func firstID() async throws -> String {
    try #require(try await items("/resources/todo?rpp=1").first?["id"] as? String)
  }

  func login(
    _ headers: (String, String)..., form: String = "grant_type=password&username=ana&password=correct+horse",
    options: String = ""
  ) async throws -> RawAnswer {
    let type = ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
    return try await demo.send("POST", "/baasic/login/\(options)", headers: [type] + headers, body: form)
  }

  /// The header of somebody who is logged in.
  func token(_ user: String = "ana", options: String = "") async throws -> String {
    let password = user == "ana" ? "correct+horse" : "battery+staple"
    let answer = try await login(form: "grant_type=password&username=\(user)&password=\(password)", options: options)
    return try #require(try answer.object()["access_token"] as? String)
  }
}

/// Holds an answer against the layout of Baasic's errors.
func expectProblem(
  _ answer: RawAnswer, _ status: Int, naming part: String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(answer.status == status, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == BaasicClient.jsonType, sourceLocation: sourceLocation)
  let object = try answer.object()
  #expect(
    Set(object.keys) == ["message", "details", "error", "errorCode", "response", "statusCode"],
    sourceLocation: sourceLocation)
  #expect(object["statusCode"] as? Int == status, sourceLocation: sourceLocation)
  let message = object["message"] as? String ?? ""
  #expect(!message.isEmpty && (part.isEmpty || message.contains(part)), "\(message)", sourceLocation: sourceLocation)
}
