import AdapterSupport
import BackendKit
import DemoServerSupport

/// The records of a demo server as it sends them, independent of any adapter.
struct ServerRecords {
  private let answers: [(path: String, body: String)]

  private static let lists =
    [("grails", "announcements"), ("kitura", "todos")]
    + ["posts", "comments", "albums", "photos", "todos", "users"].map { ("jsonplaceholder", $0) }
    + ["schemas", "resources/todo", "resources/Book"].map { ("baasic/v1/demo", $0) }

  /// Asks for everything.
  init(_ demo: DemoProcess) async throws {
    var answers: [(path: String, body: String)] = []
    for (dialect, path) in ServerRecords.lists {
      let exchange = try ServerExchange(demo, dialect)
      var request = HTTPRequest(
        "GET", try RequestPath(segments: path.split(separator: "/").map(String.init)), effect: .read)
      // Longer lists than any demo has, by the names that the dialects have for that.
      request.query = [("max", "1000"), ("rpp", "1000")]
      let answer = try await exchange.send(request)
      answers.append(
        ("\(dialect)/\(path) \(answer.status)", String(decoding: try await answer.body.collect(), as: UTF8.self)))
    }
    self.answers = answers
  }

  /// The paths whose answers are others than before.
  func changes(since before: ServerRecords) -> [String] {
    zip(before.answers, answers).filter { $0 != $1 }.map(\.1.path)
  }
}
