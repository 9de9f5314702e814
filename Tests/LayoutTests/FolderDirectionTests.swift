import ConsoleSupport
import Foundation
import Testing

/// Holds the direction in which the folders of each module of the console may use each other, by the types that their
/// files name. Between modules the compiler holds it.
@Suite struct FolderDirectionTests {
  /// The folders of each module; a folder uses types of its own layer and of those before it.
  static let layers: [String: [[String]]] = [
    "ConsoleSystem": [["Failures"], ["Files", "Installation", "SQLite"], ["Processes"]],
    "ConsoleOutput": [["Formats"], ["Output"]],
    "CommandLanguage": [[""]],
    "ConsoleSetup": [["Plugins"], ["Configuration", "Secrets", "Trust"], ["Services"]],
    "Console": [
      [
        "Bulk", "Commands", "Completion", "Editing", "Help", "Input", "Journal", "Logging", "Plans", "Ports",
        "Recording", "Relations", "SQL", "Script", "Session", "Statistics", "Transfer", "Undo", "Writes", "",
      ]
    ],
  ]

  private struct Source {
    let path: String
    let folder: String
    let text: String

    /// The types that the file declares at its top, and all that it declares.
    var declared: [Substring] { text.matches(of: Self.declaration).filter { $0.indent.isEmpty }.map(\.name) }
    var local: Set<Substring> { Set(text.matches(of: Self.declaration).map(\.name)) }
    /// The names in it that may be types; neither comments nor texts.
    var names: Set<Substring> {
      Set(
        text.replacing(/"""[\s\S]*?"""/, with: "").replacing(/\/\/.*/, with: "").replacing(
          /"(?:\\.|[^"\\\n])*"/, with: ""
        ).matches(of: /\b[A-Z]\w+/).map(\.0)
      )
    }

    static var declaration: Regex<(Substring, indent: Substring, name: Substring)> {
      /(?m)^(?<indent> *)(?:(?:public|package|final|indirect|private|fileprivate|nonisolated) )*(?:struct|enum|class|protocol|actor|typealias) (?<name>\w+)/
    }
  }

  @Test(
    "each folder uses types of its own layer and of those before it", arguments: ConsoleSources.modules)
  func direction(of module: String) throws {
    let sources = try ConsoleSources.files(of: [module]).map { path, text in
      let parts = path.split(separator: "/")
      return Source(path: path, folder: parts.count > 1 ? String(parts[0]) : "", text: text)
    }
    var layer: [String: Int] = [:]
    for (number, folders) in try #require(Self.layers[module]).enumerated() {
      for folder in folders { layer[folder] = number }
    }
    #expect(Set(sources.map(\.folder)) == Set(layer.keys))
    var home: [Substring: Set<String>] = [:]
    for source in sources { for name in source.declared { home[name, default: []].insert(source.folder) } }
    var upward: [String] = []
    for source in sources {
      let (here, local) = (try #require(layer[source.folder]), source.local)
      for name in source.names where !local.contains(name) {
        // A name that several folders declare tells nothing.
        guard let folder = home[name], folder.count == 1, let there = layer[folder.first ?? ""] else { continue }
        if there > here { upward.append("\(source.path) uses \(name) of \(folder.first ?? "")") }
      }
    }
    #expect(upward.sorted() == [])
  }
}
