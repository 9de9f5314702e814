import AdapterSupport
import BackendKit
import DemoServerSupport

/// A demo server that speaks Grails, and the adapter in front of it.
struct GrailsServer {
  static let announcements = ResourcePath(name: "announcements")

  let demo: DemoProcess
  let exchange: RecordedExchange

  /// A server with so many announcements.
  static func start(seed: Int = 6, _ arguments: String...) async throws -> GrailsServer {
    let demo = try await DemoProcess.start(["--memory", "--seed", String(seed)] + arguments)
    return GrailsServer(demo: demo, exchange: try RecordedExchange(demo, "grails"))
  }

  /// The adapter.
  func backend(_ apiVersion: String = "2.0", options: [(String, Value)] = []) throws -> any Backend {
    try PluginLibrary("grails").backend(exchange, options: [("apiVersion", .string(apiVersion))] + options)
  }

  /// The fields of a record as the server holds them, asked past the adapter.
  func stored(_ id: Int) async throws -> [String: Any] {
    try await demo.send("GET", "/grails/announcements/\(id)", headers: [("Accept-Version", "1.0")]).object()
  }
}
