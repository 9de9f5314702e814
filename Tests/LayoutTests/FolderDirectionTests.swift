import ConsoleSupport
import Foundation
import Testing

/// Holds the direction in which the folders of each module may use each other, by the names of types, functions and members in their
/// files. Between modules the compiler holds it.
///
/// A type is one thing in one folder: what other folders need of it they ask by a type of their own. So an extension adds members to
/// types of its own folder, and to those of other modules, whose folders are not ours to choose. A conformance may stand where both its
/// sides are known, what only one file sees concerns no other, and a table may have a row in each file.
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
      "Browsing",
      "Commands", "Script", "CommandLine", "Help", "Completion", "Session", "Interpreter", "Assistants", "", "Program",
    ],
    "Sources/SQL": ["Interface", "Library", "Requests", "Tables", "Writing", "Running", ""],
    "Sources/Discovery": [
      "Facts", "Asking", "Documents", "Dialects", "Probes", "Outline", "Trial", "Proposal", "Products", "Drift", "",
    ],
    "Sources/HTTPTransport": ["Settings", "Wire", "Credentials", "Exchange", "Authentication", ""],
    "Sources/ServiceDescription": ["Tree", "Format", "Reading", ""],
    "Sources/DemoService": ["JSON", "Store", "Server", "Seeds", "Dialects", ""],
    "Sources/BackendKit/BackendKit": [
      "JSON", "Values", "Errors", "Query", "Exchange", "Protocol", "Service", "Engine", "Plugin",
    ],
    "Sources/BackendKit/BackendClient": [
      "Text", "Semantics", "Listing", "Planned", "Sorting", "Client", "Reading", "Relations", "Conformance",
      "Discovery",
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

  /// The types whose static members are the rows of a table.
  static let tables: Set<String> = ["Command", "SharedOptions", "Law"]

  /// The types that other folders of their module still add members to, each with these folders. The list only shrinks.
  static let added: [String: [String: Set<String>]] = [
    "Sources/BackendKit/BackendClient": [
      "Client": ["Reading", "Relations"]
    ],
    "Sources/BackendKit/BackendKit": [
      "BackendError": ["Engine", "Exchange"],
      "BackendError.Effect": ["Exchange"],
      "HTTPResponse": ["Engine"],
      "RequestEffect": ["Protocol"],
      "RequestPath": ["Engine"],
      "Service.Counting": ["Engine"],
      "Service.DateForm": ["Engine"],
      "Service.Errors": ["Engine"],
      "FieldMessages": ["Engine"],
      "Service.Filters.Values": ["Engine"],
      "Service.Job": ["Engine"],
      "Service.Layout": ["Engine"],
      "Service.Paging": ["Engine"],
      "Service.Resource": ["Engine"],
      "Service.ResponseLocation": ["Engine"],
      "Service.Revision": ["Engine"],
      "Service.WriteParameters": ["Engine"],
      "Value": ["Engine", "Values"],
    ],
    "Sources/BackendTesting/BackendConformance": [
      "LawContext": ["Differential", "Laws"]
    ],
    "Sources/CommandLanguage": [
      "Word": ["Arguments"]
    ],
    "Sources/ConsoleSetup": [
      "Blanking": ["Configuration"],
      "Configuration": ["Trust"],
      "ConfigurationError": ["Configuration"],
    ],
    "Sources/DemoService": [
      "DemoRequest": ["Dialects"],
      "DemoStore": ["Server"],
      "Settings": [""],
    ],
    "Sources/Discovery": [
      "Candidate": [""],
      "Candidates": [""],
      "ProbeResponse": ["Trial"],
      "ResourceSurvey": [""],
    ],
    "Sources/HTTPTransport": [
      "LeafCertificate": ["Exchange"],
      "ResponseStream.Failure": ["Exchange"],
    ],
    "Sources/SQL": [
      "Column": ["Writing"],
      "SQLWords": ["Tables"],
      "Table": ["Writing"],
    ],
    "Sources/ServiceDescription": [
      "Node": ["Reading"],
      "Section": ["", "Reading"],
      "Shape": ["Reading"],
      "TextRule": ["Reading"],
    ],
  ]

  /// The members that folders before theirs still use, by module. The list only shrinks.
  static let early: [String: Set<String>] = [
    "Sources/BackendKit/BackendKit": ["hasBytes", "hasSameBytes", "isShownElsewhere"],
    "Sources/ServiceDescription": ["sharedKeys"],
  ]

  /// Names that others have, too, which no declaration of ours tells: of the standard library, labels of tuples, and local names.
  private static let strange: Set<String> = [
    "baseAddress", "creations", "dropFirst", "firstIndex", "from", "isMultiple", "max", "overfull", "reply", "resume",
  ]

  private struct Source {
    let path: String
    let folder: String
    let names: SourceNames
  }

  private static func sources(of module: String) throws -> [Source] {
    try ConsoleSources.files(below: module).map { path, text in
      let parts = path.split(separator: "/")
      return Source(path: path, folder: parts.count > 1 ? String(parts[0]) : "", names: SourceNames(text))
    }
  }

  /// The folders of a module in which a name is declared, by name.
  private static func homes(
    _ sources: [Source], _ names: KeyPath<SourceNames, Set<String>>
  ) -> [String: Set<String>] {
    sources.reduce(into: [:]) { homes, source in
      for name in source.names[keyPath: names] { homes[name, default: []].insert(source.folder) }
    }
  }

  @Test func `each folder uses names of its own and of those before it`() throws {
    #expect(Set(Self.orders.keys).subtracting(Self.modules) == [], "these are no modules")
    let all = try Self.modules.map { (module: $0, sources: try Self.sources(of: $0)) }
    var declaring: [String: Int] = [:]
    for (_, sources) in all { for name in Self.homes(sources, \.members).keys { declaring[name, default: 0] += 1 } }
    var upward: [String] = []
    var early: [String: Set<String>] = [:]
    for (module, sources) in all {
      let order = Self.orders[module] ?? [""]
      // A module in C has none.
      guard !sources.isEmpty else { continue }
      #expect(Set(sources.map(\.folder)) == Set(order), "the folders of \(module)")
      let homes = Self.homes(sources, \.declared)
      let members = Self.homes(sources, \.members).filter { declaring[$0.key] == 1 && !Self.strange.contains($0.key) }
      for source in sources {
        let own = source.names
        let uses =
          own.used.subtracting(own.local).map { ($0, homes[$0]) }
          + own.memberUses.subtracting(own.members).subtracting(own.local).map { ($0, members[$0]) }
        for (name, home) in uses {
          // A name that several folders declare tells nothing.
          guard let home, home.count == 1, let folder = home.first,
            let here = order.firstIndex(of: source.folder), let there = order.firstIndex(of: folder), there > here
          else { continue }
          if Self.early[module]?.contains(name) == true {
            early[module, default: []].insert(name)
            continue
          }
          upward.append("\(module)/\(source.path) uses \(name) of \(folder.isEmpty ? "no folder" : folder)")
        }
      }
    }
    #expect(upward.sorted() == [])
    #expect(early == Self.early, "what is used early no longer leaves the list")
  }

  @Test func `an extension adds members to types of its own folder`() throws {
    for module in Self.modules {
      let sources = try Self.sources(of: module)
      let homes = Self.homes(sources, \.types)
      var found: [String: Set<String>] = [:]
      for source in sources {
        for added in source.names.added where !(added.isStatic && Self.tables.contains(added.type)) {
          guard let home = homes[added.type], !home.contains(source.folder) else { continue }
          found[added.type, default: []].insert(source.folder)
        }
      }
      #expect(
        found == Self.added[module] ?? [:], "\(module): what is new belongs elsewhere, what is gone leaves the list")
    }
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

  @Test func `members that an extension adds are known, but for those of a conformance and of the file alone`() {
    let names = SourceNames(
      """
      struct Outer { enum Inner { case one } }
      extension Outer.Inner { static let two = 2; private func hidden() {}; init(_ a: Int) { let b = a } }
      extension Outer: Sendable { var three: Int { switch self.inner { case .one: Other().four } } }
      private extension Outer { func five() {} }
      extension Outer where Self: Sendable { mutating func six() { outer.seven() } }
      """)
    #expect(names.types == ["Outer", "Outer.Inner"])
    #expect(names.members == ["one", "two", "hidden", "init", "three", "five", "six"])
    #expect(Set(names.added.map { "\($0.type) \($0.member)" }) == ["Outer.Inner two", "Outer.Inner init", "Outer six"])
    #expect(names.memberUses == ["one", "inner", "four", "Other", "seven"])
  }
}
