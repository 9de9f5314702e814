import ConsoleSupport
import Foundation
import Testing

/// Holds what has one source against a second one. The demo server stays apart: it shares nothing with the console on purpose.
@Suite struct SingleSourceTests {
  /// The sources that a pattern is found in.
  private static func files<Output>(with pattern: Regex<Output>) throws -> Set<String> {
    var found: Set<String> = []
    for folder in ["Sources", "Plugins"] {
      let root = ConsoleRun.root.appending(path: folder)
      let all = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
      for file in all where file.hasSuffix(".swift") && !file.hasPrefix("DemoSer") && !file.contains("/Tests/") {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        if text.contains(pattern) { found.insert(file) }
      }
    }
    return found
  }

  @Test func `no plural is made by hand`() throws {
    let pattern = #/== 1\s*\? "(?:1 |([a-z]*)[^"]*"\s*: "\1s)/#
    for example in [#"n == 1 ? "row is" : "rows are""#, #"n == 1 ? "" : "s""#, #"n == 1 ? "1 row" : "\(n) rows""#] {
      #expect(example.contains(pattern), "\(example)")
    }
    #expect(!#"n == 1 ? "was" : "were""#.contains(pattern))
    let found = try Self.files(with: pattern)
    #expect(found.isEmpty, "counted() makes them")
  }

  @Test func `escapes of JSON and YAML are written by one writer each, and made visible in one place`() throws {
    #expect(
      try Self.files(with: #/"\\\\u"/#) == [
        "BackendKit/BackendKit/JSON/JSONWriter.swift", "BackendKit/BackendClient/Text/YAMLWriter.swift",
        "ConsoleOutput/Formats/Text/Escaping.swift",
      ])
  }

  @Test func `escapes of XML are written in one place`() throws {
    // Those of a cell in Markdown are others: there a pipe counts, and quotes do not.
    #expect(
      try Self.files(with: #/\+= "&(?:lt|amp|quot);/#) == [
        "BackendKit/BackendClient/Text/XMLText.swift", "ConsoleOutput/Formats/Printers/MarkdownPrinter.swift",
      ])
  }
}
