import DemoServerSupport
import TestSupport
import Testing

/// Requests to the Grails dialect as the tests write them.
struct GrailsClient {
  let demo: DemoProcess

  static let jsonType = "application/json;charset=UTF-8"
  static let routing404 = #"{"message":"Not Found","error":404}"#
  static let error500 = #"{"message":"Internal server error","error":500}"#

  static func start(_ arguments: String...) async throws -> GrailsClient {
    GrailsClient(demo: try await DemoProcess.start(["--memory"] + arguments))
  }

  func get(_ path: String, version: String? = nil, _ headers: (String, String)...) async throws -> RawAnswer {
    try await demo.send("GET", "/grails" + path, headers: headers + (version.map { [("Accept-Version", $0)] } ?? []))
  }

  func send(
    _ method: String, _ path: String, _ json: String? = nil, _ headers: (String, String)...
  ) async throws -> RawAnswer {
    let type = json == nil ? [] : [("Content-Type", "application/json")]
    return try await demo.send(method, "/grails" + path, headers: type + headers, body: json)
  }

  func ids(_ path: String, _ headers: (String, String)...) async throws -> [Int] {
    let answer = try await demo.send("GET", "/grails" + path, headers: headers)
    #expect(answer.status == 200)
    return try answer.rows().compactMap { $0["id"] as? Int }
  }

  func titles(_ path: String) async throws -> [String] {
    try await get(path).rows().compactMap { $0["title"] as? String }
  }

  func count() async throws -> Int { try await ids("/announcements?max=-1").count }
}

/// Holds an answer against the two kinds of 404.
func expectRouting404(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(answer.status == 404, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == GrailsClient.jsonType, sourceLocation: sourceLocation)
  #expect(answer.text == GrailsClient.routing404, sourceLocation: sourceLocation)
}

func expectMissing(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(answer.status == 404, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Length") == "0", sourceLocation: sourceLocation)
  #expect(answer.body.isEmpty && answer.isComplete, sourceLocation: sourceLocation)
}

func expectRefused(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws {
  #expect(answer.status == 422, sourceLocation: sourceLocation)
  #expect(answer.header("Content-Type") == GrailsClient.jsonType, sourceLocation: sourceLocation)
  let object = try answer.object()
  #expect(object["message"] is String, sourceLocation: sourceLocation)
  #expect(object["path"] is String, sourceLocation: sourceLocation)
  let own = (object["_links"] as? [String: Any])?["self"] as? [String: Any]
  #expect(own?["href"] is String, sourceLocation: sourceLocation)
  #expect(object["errors"] == nil, sourceLocation: sourceLocation)
}
