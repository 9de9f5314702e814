import AdapterSupport
public import BackendKit
import DemoServerSupport
import Foundation

/// A demo server that speaks json-server, and the adapter in front of it.
struct PlaceholderServer {
  static let todos = ResourcePath(name: "todos")

  let demo: DemoProcess
  let exchange: RecordedExchange

  /// A server that keeps what is written (`json-server`) or only echoes it (`jsonplaceholder`).
  static func start(_ profile: String, seed: Int = 30) async throws -> PlaceholderServer {
    try await start(["--seed", String(seed), "--set", "jsonplaceholder.profile=\(profile)"])
  }

  /// A server that keeps what is written and begins with a database.
  static func start(database: String, _ profile: String = "json-server") async throws -> PlaceholderServer {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(database.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await start(["--import", file.path, "--set", "jsonplaceholder.profile=\(profile)"])
  }

  private static func start(_ arguments: [String]) async throws -> PlaceholderServer {
    let demo = try await DemoProcess.start(["--memory"] + arguments)
    return PlaceholderServer(demo: demo, exchange: try RecordedExchange(demo, "jsonplaceholder"))
  }

  /// The adapter.
  func backend(_ options: [(String, Value)] = []) throws -> any Backend {
    try PluginLibrary("jsonplaceholder").backend(exchange, options: options)
  }

  /// What the server holds at a path, asked past the adapter; nil where it is nothing.
  func stored(_ path: String) async throws -> Value? {
    let answer = try await demo.send("GET", "/jsonplaceholder/\(path)")
    return answer.status == 200 ? try JSONReader.read(answer.body) : nil
  }

  /// The identifiers of the records that a list gives, and how it was asked for.
  func ids(_ query: ListQuery, _ options: [(String, Value)] = []) async throws -> [String?] {
    try await backend(options).pages(query).flatMap(\.records).map { $0.id?.text }
  }
}

/// The adapter in front of bytes written down in a test.
struct WrittenServer {
  let server: FixtureServer
  let exchange: RecordedExchange
  let backend: any Backend

  init(_ options: [(String, Value)] = [], _ server: FixtureServer) throws {
    self.server = server
    exchange = try RecordedExchange(server)
    backend = try PluginLibrary("jsonplaceholder").backend(
      exchange, options: options)
  }
}

extension ListQuery {
  /// A list of todos with one condition.
  static func todos(_ field: String, _ comparison: Comparison, _ operand: Operand) -> ListQuery {
    ListQuery(PlaceholderServer.todos, filters: [.compare(FieldPath(field), comparison, operand)])
  }
}

extension Object: @retroactive ExpressibleByDictionaryLiteral {
  /// Fields as a test writes them.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
