import AdapterSupport
import BackendConformance
import BackendKit
import DemoServerSupport
import Testing

/// One adapter over the demo server.
struct JudgedAdapter: Sendable, CustomStringConvertible {
  var plugin: String
  var dialect: String
  var resource: String
  var options: [(String, Value)] = []
  var switches = ""

  var description: String { "\(plugin)/\(resource) \(switches)" }

  /// The adapters with what they do when nobody says anything else.
  static let standard = [
    JudgedAdapter(plugin: "grails", dialect: "grails", resource: "announcements"),
    JudgedAdapter(plugin: "kitura", dialect: "kitura", resource: "todos"),
    JudgedAdapter(plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "posts"),
    JudgedAdapter(plugin: "baasic", dialect: "baasic/v1/demo", resource: "todo"),
  ]

  /// What the suite judges: the adapter over a server of its own.
  func subject() async throws -> ConformanceSubject {
    let demo = try await DemoProcess.start(["--memory", "--seed", "30"])
    let library = try PluginLibrary(plugin)
    let options = options
    return ConformanceSubject(
      plugin, ResourcePath(name: resource), exchange: try RecordedExchange(demo, dialect, switches: switches)
    ) { exchange throws(BackendError) in
      try library.backend(exchange, options: options)
    }
  }
}

@Suite("The adapters keep every law") struct AdapterConformanceTests {
  @Test("over the demo server as it is", arguments: JudgedAdapter.standard)
  func standard(_ adapter: JudgedAdapter) async throws {
    let report = await ConformanceSuite(try await adapter.subject()).run()
    for failure in report.failures { Issue.record("\(failure.law): \(failure.breach.map { "\($0)" } ?? "")") }
    #expect(report.leftBehind == 0)
    #expect(report.duration < .seconds(60))
    print(TextReport.text(report))
  }
}
