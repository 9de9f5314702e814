import ConsoleSupport
import Foundation
import Testing

/// Holds the direction in which the folders of the console may use each other, by the types that their files name.
@Suite struct FolderDirectionTests {
  /// A folder uses types of its own layer and of those before it.
  static let layers: [[String]] = [
    ["Failures", "Files", "Formats", "Output", "Processes", "Installation", "SQLite"],
    ["Language"],
    ["Configuration", "Secrets", "Trust", "Plugins", "Services"],
    [
      "Bulk", "Commands", "Completion", "Editing", "Help", "Input", "Journal", "Logging", "Plans", "Ports", "Recording",
      "Relations", "SQL", "Script", "Session", "Statistics", "Transfer", "Undo", "Writes", "",
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

  private static func sources() throws -> [Source] {
    let root = ConsoleRun.root.appending(path: "Sources/Console")
    let files = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
    return try files.filter { $0.hasSuffix(".swift") }.map { path in
      let parts = path.split(separator: "/")
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      return Source(path: path, folder: parts.count > 1 ? String(parts[0]) : "", text: text)
    }
  }

  @Test("each folder uses types of its own layer and of those before it") func direction() throws {
    let sources = try Self.sources()
    var layer: [String: Int] = [:]
    for (number, folders) in Self.layers.enumerated() { for folder in folders { layer[folder] = number } }
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
