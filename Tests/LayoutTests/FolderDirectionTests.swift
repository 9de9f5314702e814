import ConsoleSupport
import Foundation
import Testing

/// Holds the direction in which the folders of each module may use each other, by the names in their files. Between modules the
/// compiler holds it.
@Suite struct FolderDirectionTests {
  /// The folders of each module that has several, "" for files in none: a folder uses names of its own and of those before it.
  static let orders = [
    "Sources/ConsoleSystem": ["Failures", "Files", "Installation", "SQLite", "Processes"],
    "Sources/ConsoleOutput": ["Formats", "Output"],
    // A word may be an expression, and a scope resolves both: they share a folder.
    "Sources/CommandLanguage": ["Values", "Expressions", "Lines", "Arguments"],
    "Sources/LineEditor": ["Requests", "Keys", "History", "Text", "Session", "Passwords", ""],
    "Sources/ConsoleSetup": ["", "Plugins", "Secrets", "Configuration", "Trust", "Services"],
    "Sources/Console": [
      "Reporting", "Recording", "Statistics", "Input", "Rows", "Journal", "Settings", "Targets", "Relations", "Writes",
      "Execution", "Listing", "Results", "Bulk", "Gate", "Recovery", "Transfer", "Plans", "Editing", "Undo", "SQL",
      "Commands", "Script", "CommandLine", "Help", "Completion", "Session", "Interpreter", "", "Program",
    ],
    "Sources/SQL": ["Interface", "Library", "Requests", "Tables", "Writing", "Running", ""],
    "Sources/Discovery": [
      "Facts", "Asking", "Documents", "Dialects", "Probes", "Trial", "Proposal", "Products", "Drift", "",
    ],
    "Sources/HTTPTransport": ["Settings", "Wire", "Credentials", "Exchange", "Authentication", ""],
    "Sources/ServiceDescription": ["Tree", "Format", "Reading", ""],
    "Sources/DemoService": ["JSON", "Store", "Server", "Seeds", "Dialects", ""],
    "Sources/BackendKit/BackendKit": [
      "JSON", "Values", "Errors", "Query", "Exchange", "Protocol", "Service", "Engine", "Plugin",
    ],
    "Sources/BackendKit/BackendClient": [
      "Text", "Semantics", "Listing", "Sorting", "Client", "Reading", "Relations", "Conformance", "Discovery",
    ],
    "Sources/BackendKit/Plugins": ["BuildStamp"],
    "Sources/BackendTesting/BackendConformance": [
      "", "Exchanges", "Context", "Report", "Differential", "Laws", "Suite", "InMemory", "Reference",
    ],
  ]

  /// The folders that have the sources of a module each.
  static let modules: [String] = {
    func folders(_ path: String) -> [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: ConsoleRun.root.appending(path: path).path)
      return (names ?? []).filter { !$0.contains(".") }.map { "\(path)/\($0)" }
    }
    let packages = ["Sources/BackendKit", "Sources/BackendTesting"]
    let own = folders("Sources").filter { !packages.contains($0) }
    let adapters = folders("Plugins").filter { $0 != "Plugins/Examples" }.map { "\($0)/Sources" }
    return (own + packages.flatMap(folders) + adapters).sorted()
  }()

  @Test func `each folder uses names of its own and of those before it`() throws {
    #expect(Set(Self.orders.keys).subtracting(Self.modules) == [], "these are no modules")
    var upward: [String] = []
    for module in Self.modules {
      let sources = try ConsoleSources.files(below: module).map { path, text in
        let parts = path.split(separator: "/")
        return (path: path, folder: parts.count > 1 ? String(parts[0]) : "", names: SourceNames(text))
      }
      let order = Self.orders[module] ?? [""]
      // A module in C has none.
      guard !sources.isEmpty else { continue }
      #expect(Set(sources.map(\.folder)) == Set(order), "the folders of \(module)")
      var homes: [String: Set<String>] = [:]
      for source in sources { for name in source.names.declared { homes[name, default: []].insert(source.folder) } }
      for source in sources {
        for name in source.names.used.subtracting(source.names.local) {
          // A name that several folders declare tells nothing.
          guard let home = homes[name], home.count == 1, let folder = home.first,
            let here = order.firstIndex(of: source.folder), let there = order.firstIndex(of: folder), there > here
          else { continue }
          upward.append("\(module)/\(source.path) uses \(name) of \(folder.isEmpty ? "no folder" : folder)")
        }
      }
    }
    #expect(upward.sorted() == [])
  }

  @Test func `names in comments and texts are none, and those that a text inserts are`() {
    let names = SourceNames(
      ##"""
      // A comment of Comment
      private struct Own {}
      package final class Shown: Base { func local() { other(); Outer.Inner.make() } }
      func top() { local() }
      let a = "\"Text \(Inserted("Inner"))", b = #"Raw \(Raw) \#(Sharp())"#
      let c = """
        "Long" \(Long())
        """
      """##)
    #expect(names.declared == ["Shown", "top"])
    #expect(names.local == ["Own", "Shown", "local", "top"])
    #expect(names.used.subtracting(names.local) == ["Base", "other", "Outer", "Inserted", "Sharp", "Long"])
  }
}
