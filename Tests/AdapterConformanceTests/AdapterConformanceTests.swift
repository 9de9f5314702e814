import AdapterSupport
import BackendConformance
import BackendKit
import DemoServerSupport
import Foundation
import Testing

/// One adapter over the demo server.
struct JudgedAdapter: Sendable, CustomStringConvertible {
  var plugin: String
  var dialect: String
  var resource: String
  var options: [(String, Value)] = []
  var switches = ""
  /// The arguments that the server is started with.
  var start: [String] = []

  var description: String { "\(plugin)/\(resource) \(switches)" }

  /// The adapters with what they do when nobody says anything else.
  static let standard = [
    JudgedAdapter(plugin: "grails", dialect: "grails", resource: "announcements"),
    JudgedAdapter(plugin: "kitura", dialect: "kitura", resource: "todos", switches: "kitura.keys=shuffled"),
    JudgedAdapter(plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "posts"),
    JudgedAdapter(plugin: "baasic", dialect: "baasic/v1/demo", resource: "todo"),
  ]

  /// The adapters in other versions, with every option set to something else, and over servers that behave otherwise.
  static let others = grails + kitura + jsonplaceholder + baasic

  private static let grails = [
    JudgedAdapter(
      plugin: "grails", dialect: "grails", resource: "announcements", options: [("apiVersion", "1.0")],
      switches: "grails.errors=several"),
    JudgedAdapter(
      plugin: "grails", dialect: "grails", resource: "announcements",
      switches: "grails.nullbody=yes,grails.errors=classic"),
    JudgedAdapter(
      plugin: "grails", dialect: "", resource: "news",
      options: [("readPath", "grails/announcements"), ("writePath", "grails/announcement"), ("resource", "news")]),
  ]

  private static let kitura =
    ["3.0", "2.0", "2.0.0", "2.0,kitura.patch=echo", "2.0.0,kitura.url=own"].map {
      JudgedAdapter(plugin: "kitura", dialect: "kitura", resource: "todos", switches: "kitura.profile=\($0)")
    } + [
      JudgedAdapter(
        plugin: "kitura", dialect: "kitura", resource: "todos", options: [("put", "absent"), ("delete", "lenient")],
        switches: "kitura.put=absent,kitura.delete=lenient"),
      JudgedAdapter(
        plugin: "kitura", dialect: "kitura", resource: "tasks",
        options: [("resource", "tasks"), ("healthPath", "up/now")]),
    ]

  private static let jsonplaceholder =
    [
      ("posts", []), ("users/1/todos", []), ("posts", [("writes", "kept")]),
    ].map {
      JudgedAdapter(
        plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: $0, options: $1,
        switches: "jsonplaceholder.profile=json-server")
    } + [
      JudgedAdapter(plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "todos"),
      numbers,
      JudgedAdapter(
        plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "posts", options: [("writes", "echoed")]),
      JudgedAdapter(
        plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "posts", options: [("apiVersion", "1")],
        switches: "jsonplaceholder.profile=json-server-1"),
    ]

  /// Todos that say by 0 and 1 that they are done.
  static let numbers = JudgedAdapter(
    plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "todos",
    switches: "jsonplaceholder.profile=json-server", start: ["--set", "jsonplaceholder.completed=number"])

  private static let baasic =
    [
      "baasic.empty=nocontent", "baasic.maxrpp=4", "baasic.hal=toplevel",
      "baasic.empty=nocontent,baasic.insert=201,baasic.patch=200",
    ].map {
      JudgedAdapter(plugin: "baasic", dialect: "baasic/v1/demo", resource: "todo", switches: $0)
    } + [
      JudgedAdapter(
        plugin: "baasic", dialect: "baasic/v1/demo", resource: "todo", options: [("update", "put")],
        switches: "baasic.stamps=yes,baasic.patch=405"),
      JudgedAdapter(
        plugin: "baasic", dialect: "baasic/v1/demo", resource: "todo", options: [("embed", "owner")]),
      JudgedAdapter(
        plugin: "baasic", dialect: "baasic/v1/demo", resource: "Book",
        options: [("resources", .object(Object([("Book", .null)])))], switches: "baasic.maxrpp=1"),
      JudgedAdapter(
        plugin: "baasic", dialect: "baasic/v1/demo", resource: "Book",
        options: [("resources", .object(Object([("Book", .null)])))], switches: "baasic.schemas=403"),
      JudgedAdapter(plugin: "baasic", dialect: "baasic/v1/demo", resource: "schemas"),
    ]

  /// The standard ones; the others too where `Scripts/test --all` asks for them.
  static var wanted: [JudgedAdapter] {
    ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] == nil ? standard : standard + others
  }

  /// The adapter over a demo server, for the suite to judge.
  func subject(_ demo: DemoProcess) throws -> ConformanceSubject {
    var subject = ConformanceSubject(
      plugin, ResourcePath(resource) ?? ResourcePath(name: resource),
      exchange: try ServerExchange(demo, dialect, switches: switches), plugin: try PluginLibrary(plugin).plugin,
      options: Object(options))
    // Enough time, even on a busy machine.
    subject.timeLimit = .seconds(600)
    subject.patience = .seconds(300)
    return subject
  }
}

@Suite("The adapters keep every law") struct AdapterConformanceTests {
  @Test("over the demo server as it is and as it can be", arguments: JudgedAdapter.wanted)
  func standard(_ adapter: JudgedAdapter) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "30"] + adapter.start)
    let before = try await ServerRecords(demo)
    var subject = try adapter.subject(demo)
    // Once over each of the four, which page by offset, by number and not at all, the engine is judged, too.
    subject.judgesEngine = JudgedAdapter.standard.contains { $0.description == adapter.description }
    let report = await ConformanceSuite(subject).run()
    for failure in report.failures {
      Issue.record("\(failure.law): \(failure.breach.map { "\($0)" } ?? "")")
    }
    #expect(report.leftBehind == [])
    #expect(report.unclaimed == [])
    let after = try await ServerRecords(demo)
    #expect(after.changes(since: before) == [])
    // A guest does not ask for more than its host can well bear.
    #expect(report.requests < 5_000)
  }

  /// Single laws over servers that have broken them.
  static let pitfalls = [
    ("baasic.maxrpp=4", "todo", "skip records"), ("baasic.maxrpp=1", "todo", "skip records"),
    ("baasic.patch=405", "todo", "special field names"), ("", "schemas", "case-sensitive identifiers"),
  ]

  @Test("over a server that caps its pages, replaces its records or tells no names apart", arguments: pitfalls)
  func pitfall(_ switches: String, _ resource: String, _ law: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "30"])
    let adapter = JudgedAdapter(
      plugin: "baasic", dialect: "baasic/v1/demo", resource: resource,
      options: switches == "baasic.patch=405" ? [("update", "put")] : [], switches: switches)
    let subject = try adapter.subject(demo)
    _ = try await ConformanceSuite(subject).check(#require(ConformanceSuite.law(named: law)))
  }
}
