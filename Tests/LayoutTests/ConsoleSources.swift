import ConsoleSupport
import Foundation
import Testing

/// The sources of the console's modules.
enum ConsoleSources {
  /// The modules, each of which imports those before it.
  static let modules = [
    "ConsoleSystem", "ConsoleOutput", "ConsoleScreen", "CommandLanguage", "ConsoleSetup", "Console",
  ]

  /// The files of some modules, each by its path in its module, with their text.
  static func files(of modules: [String] = modules) throws -> [(path: String, text: String)] {
    try modules.flatMap { try files(below: "Sources/\($0)") }
  }

  /// The files below a folder of the project, each by its path there, with their text.
  static func files(below folder: String) throws -> [(path: String, text: String)] {
    let root = ConsoleRun.root.appending(path: folder)
    let paths = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
    return try paths.filter { $0.hasSuffix(".swift") }.map { path in
      (path, try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
  }
}
