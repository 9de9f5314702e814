import AdapterSupport
import BackendKit
import DemoServerSupport
import Testing

/// A demo server that speaks Kitura, and the adapter in front of it.
struct KituraServer {
  static let todos = ResourcePath(name: "todos")
  /// The releases of the real server.
  static let profiles = ["3.0", "2.0", "2.0.0"]

  let demo: DemoProcess
  let exchange: RecordedExchange
  let backend: any Backend

  /// A server with so many todos.
  static func start(seed: Int = 0, switches: String = "") async throws -> KituraServer {
    let demo = try await DemoProcess.start(["--memory", "--seed", String(seed)])
    let exchange = try RecordedExchange(demo, "kitura", switches: switches)
    return KituraServer(demo: demo, exchange: exchange, backend: try PluginLibrary("kitura").backend(exchange))
  }

  /// The adapter in front of a fixture.
  static func backend(_ fixture: FixtureServer) throws -> any Backend {
    try PluginLibrary("kitura").backend(RecordedExchange(fixture))
  }

  /// Makes a todo with the adapter.
  func add(_ title: String, _ more: (String, Value)...) async throws -> RecordID {
    let receipt = try await backend.create(Object([("title", .string(title))] + more), in: Self.todos)
    return try #require(receipt.id)
  }

  /// How many todos the server holds, asked past the adapter.
  func stored() async throws -> Int { try await demo.send("GET", "/kitura/").rows().count }
}
