import DemoServerSupport
import TestSupport
import Testing

/// Requests to the Kitura dialect as the tests write them.
struct KituraClient {
  let demo: DemoProcess
  let isNewer: Bool

  static let malformed = "Could not decode received data: The JSON appears to be malformed."

  /// Starts an empty server of a release.
  static func start(_ profile: String = "3.0", _ switches: String...) async throws -> KituraClient {
    let arguments = (["kitura.profile=\(profile)"] + switches).flatMap { ["--set", $0] }
    let demo = try await DemoProcess.start(["--memory", "--seed", "0"] + arguments)
    return KituraClient(demo: demo, isNewer: profile == "3.0")
  }

  func get(_ path: String, _ headers: (String, String)...) async throws -> RawAnswer {
    try await demo.send("GET", "/kitura" + path, headers: headers)
  }

  func send(
    _ method: String, _ path: String, _ json: String? = nil, type: String? = "application/json",
    _ headers: (String, String)...
  ) async throws -> RawAnswer {
    let types = json == nil ? [] : type.map { [("Content-Type", $0)] } ?? []
    return try await demo.send(method, "/kitura" + path, headers: types + headers, body: json)
  }

  /// Makes todos with these titles.
  func make(_ titles: String...) async throws {
    for title in titles { #expect(try await send("POST", "/", #"{"title":"\#(title)"}"#).status == 201) }
  }

  func ids() async throws -> [Int] { try await get("/").rows().compactMap { $0["id"] as? Int } }
}

/// Holds an answer against what the server says without saying anything.
func expectBare(_ answer: RawAnswer, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(answer.status == status, sourceLocation: sourceLocation)
  #expect(answer.body.isEmpty && answer.isComplete, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == nil, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Length") == (status == 204 ? nil : "0"), sourceLocation: sourceLocation)
}

/// Holds an answer against a plain sentence.
func expectText(
  _ answer: RawAnswer, _ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(answer.status == status && answer.text == text, "\(answer.text)", sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == nil, sourceLocation: sourceLocation)
}
