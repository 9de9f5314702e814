import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Holds the manifest and the built files against the design.
@Suite struct LayoutTests {
  /// Who may import whom, of our own modules; products of other packages are checked by name below.
  static let allowed: [String: Set<String>] = [
    "switchboard": [
      "BackendKit", "CommandLanguage", "Console", "ConsoleOutput", "ConsoleScreen", "ConsoleSetup", "ConsoleSystem",
      "Files", "LineEditor",
    ],
    "Console": [
      "BackendKit", "CommandLanguage", "ConsoleOutput", "ConsoleScreen", "ConsoleSetup", "ConsoleSystem", "EmbedTexts",
      "Files", "SQL",
    ],
    "SQL": ["BackendKit", "CSQLite", "Files"],
    "ConsoleSetup": [
      "BackendKit", "CSandbox", "CommandLanguage", "ConsoleOutput", "ConsoleSystem", "EmbedTexts", "Files",
    ],
    "CommandLanguage": ["BackendKit", "ConsoleOutput", "ConsoleSystem"],
    "ConsoleScreen": ["ConsoleOutput", "Files"],
    "ConsoleOutput": ["BackendKit", "CGumbo", "ConsoleSystem"],
    "ConsoleSystem": ["BackendKit", "CSQLite", "Files"],
    "Conformance": ["BackendConformance", "BackendKit"],
    "Discovery": ["BackendKit", "ServiceDescription"],
    "LineEditor": ["CLibedit", "Files"],
    "HTTPTransport": ["BackendKit", "CCurl", "Files"],
    "Files": [],
    "DemoServer": ["DemoService"], "DemoService": ["CGzip"],
    // The reader of service descriptions is for the adapter that uses it, and not for the console's start.
    "ServiceDescription": ["BackendKit", "CYAML", "EmbedTexts"], "EmbedTexts": [],
    "CLibedit": [], "CGumbo": [], "CSQLite": [], "CSandbox": [], "CGzip": [], "CYAML": [], "CCurl": [],
  ]

  /// The modules that may use each foreign product.
  static let foreign: [String: Set<String>] = [
    "Hummingbird": ["DemoServer"], "GRDB": ["DemoService"],
    "ArgumentParser": ["DemoServer"],
  ]

  private struct Manifest: Decodable {
    struct Target: Decodable {
      let name: String
      let type: String
      let path: String?
      let dependencies: [Dependency]
    }
    struct Dependency: Decodable {
      let name: String
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let key = try #require(container.allKeys.first)
        var list = try container.nestedUnkeyedContainer(forKey: key)
        name = try list.decode(String.self)
      }
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
    let targets: [Target]
  }

  private static func manifest() throws -> Manifest {
    // A scratch folder of its own: the tests' own one is locked while they run.
    let scratch = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let text = try Program.run(
      "swift", "package", "--package-path", ConsoleRun.root.path, "--scratch-path", scratch.path, "dump-package")
    return try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
  }

  @Test("imports run downward, as the design says") func imports() throws {
    let manifest = try Self.manifest()
    let own = Set(manifest.targets.map(\.name)).union(["BackendKit", "BackendConformance"])
    var seen: Set<String> = []
    for target in manifest.targets where target.type != "test" && !(target.path?.hasPrefix("Tests/") ?? false) {
      seen.insert(target.name)
      let isAdapter = target.path?.hasPrefix("Plugins/") ?? false
      let allowed: Set<String> =
        isAdapter
        ? (target.name == "Rest" ? ["BackendKit", "ServiceDescription"] : ["BackendKit"])
        : try #require(Self.allowed[target.name], "\(target.name) is not in the design")
      for dependency in target.dependencies {
        if own.contains(dependency.name) {
          #expect(allowed.contains(dependency.name), "\(target.name) depends on \(dependency.name)")
        } else if let users = Self.foreign[dependency.name] {
          #expect(users.contains(target.name), "\(target.name) uses \(dependency.name)")
        } else {
          #expect(!isAdapter, "\(target.name) uses \(dependency.name)")
        }
      }
    }
    #expect(seen.isSuperset(of: Self.allowed.keys))
  }

  @Test("each folder of Plugins is an adapter of the manifest, and the other way round") func adapters() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: ConsoleRun.root.path + "/Plugins")
    let targets = try Self.manifest().targets.compactMap { target in
      target.path.flatMap { $0.hasPrefix("Plugins/") && $0.hasSuffix("/Sources") ? target.name : nil }
    }
    // Plugins that are programs have nothing to build.
    #expect(Set(folders).subtracting(["Examples"]) == Set(targets))
    #expect(!targets.isEmpty)
  }

  @Test("the console loads neither full Foundation nor what only some runs need at its start") func closure() throws {
    let text = try Program.run("ldd", ConsoleRun.executable.path)
    #expect(text.contains("libBackendKit.so"))
    for library in [
      "libFoundation.so", "libFoundationInternationalization.so", "libFoundationNetworking.so", "libsqlite3",
      "libedit", "libgumbo", "libyaml", "libHTTPTransport", "libConformance", "libFoundationEssentials", "libz.",
      "libswift_StringProcessing", "libswift_RegexParser",
    ] {
      #expect(!text.contains(library))
    }
    let transport = try Program.run("ldd", BuiltFolder.ofPrograms.file("libHTTPTransport.so"))
    #expect(transport.contains("libBackendKit.so") && !transport.contains("libswift_StringProcessing"))
  }

  /// The files that may declare a text fit to be shown by themselves, with the reason. Everywhere else `EscapedText` is made
  /// of literals and of what is put into them.
  static let formats: Set<String> = [
    // The type itself, its outlet and its colors.
    "Formats/Text/EscapedText.swift", "Output/Output.swift", "Formats/Appearance/Theme.swift",
    // Printers of records: raw for a program, each cell made visible for a person.
    "Results/RecordOutput.swift", "Results/RecordStream.swift", "Results/FactOutput.swift",
    "Commands/Look/StatsCommand.swift", "Commands/Look/Scan.swift", "SQL/SQLPlot.swift",
    // Boxes with names that are made visible.
    "Relations/GraphDrawing.swift",
    // Columns of cells that are made visible, and a picture of what was shown already.
    "Formats/Text/Columns.swift", "Commands/Console/WatchedPicture.swift",
    // Pictures: what is inserted passes its escapes.
    "Formats/Markup/SVG.swift",
    // XML, character by character.
    "Script/ScriptReport.swift",
    // Output for a shell.
    "Console.swift", "Completion/ShellCompletion.swift",
  ]

  @Test("text from outside is shown by the formats and by nobody else as it stands") func shownText() throws {
    var found: Set<String> = []
    for (file, text) in try ConsoleSources.files() {
      if text.contains(/\bformatted:|writeLater/) { found.insert(file) }
    }
    #expect(found == Self.formats)
  }

  @Test("few files write control sequences of terminals, and one those of screens") func sequences() throws {
    var found: Set<String> = []
    for (file, text) in try ConsoleSources.files() where text.contains(#/\\u\{1[Bb]\}/#) { found.insert(file) }
    #expect(
      found == [
        "Formats/Appearance/Theme.swift", "ScreenSequences.swift",
        // The row of a progress is cleared, and the window of a pager measured.
        "Output/Progress.swift", "Output/PagedOutput.swift",
      ])
  }

  @Test("what a command changes of a session is applied in one place") func changes() throws {
    let change = #/\btargets\.(choose|add|reopen|replace|remove)\(|\bstate\.lastList = |\bsession\.settings = /#
    var found: Set<String> = []
    for (file, text) in try ConsoleSources.files() where text.contains(change) { found.insert(file) }
    // A session may begin in the state of another.
    #expect(found == ["Session/Session+Changes.swift", "Session/Session.swift"])
  }

  @Test("a class of the console has at most ten mutable properties: what changes together is a value of its own")
  func mutableProperties() throws {
    var counts: [String: Int] = [:]
    for (_, text) in try ConsoleSources.files() {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        guard let type = line.firstMatch(of: /^( *)(?:[a-z@]+ )*(?:class|actor) ([A-Z]\w*)/) else { continue }
        let members = lines[(index + 1)...].prefix { $0 != "\(type.1)}" }
        counts[String(type.2)] = members.indices.count { member in
          guard members[member].contains(#/^ *(?:[a-z@()]+ )*var /#),
            members[member].prefix(while: { $0 == " " }).count == type.1.count + 2
          else { return false }
          // A computed property keeps nothing.
          let observed = members[member].hasSuffix("{") && lines[member + 1].contains(#/^ *(didSet|willSet)/#)
          return observed || !members[member].contains("{")
        }
      }
    }
    #expect(counts["Session"] ?? 0 > 5, "they are counted")
    for (name, count) in counts { #expect(count <= 10, "\(name) has \(count) mutable properties") }
  }
}
