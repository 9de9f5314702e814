import ConsoleSupport
import Foundation
import Testing

/// Holds every text that a user can see against the phrases that the glossary rules out.
@Suite struct WordsTests {
  private static let root = ConsoleRun.root

  /// The phrases of the glossary's last table.
  private static func phrases() throws -> [String] {
    let glossary = try String(contentsOf: root.appending(path: "docs/internals/glossary.md"), encoding: .utf8)
    let table = try #require(glossary.components(separatedBy: "## Phrases that are not used").last)
    return table.matches(of: /\n\| ([^|]+) \| [^|]+ \|/).map { String($0.1) }.filter { $0 != "not" && $0 != "---" }
  }

  /// The phrases in a text, as words of their own; "there is no x" and "is no longer x" are plain.
  private static func found(_ phrases: [String], in text: String) -> [String] {
    let plain = text.lowercased().replacing(/(?:there|here) (?:is|are) no\b/, with: "there")
      .replacing(/(?:is|are) no (?:longer|larger|more|less|fewer|reason)\b/, with: "")
    return phrases.filter { phrase in
      plain.ranges(of: phrase).contains { range in
        let before = range.lowerBound == plain.startIndex ? " " : plain[plain.index(before: range.lowerBound)]
        let after = range.upperBound == plain.endIndex ? " " : plain[range.upperBound]
        return !before.isLetter && !after.isLetter
      }
    }
  }

  private static func files(below folder: String, _ suffix: String) throws -> [String] {
    let all = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.map { folder + "/" + $0 }
  }

  @Test("no text of the program has a phrase that is not used", arguments: ["Sources", "Plugins"])
  func texts(_ folder: String) throws {
    let phrases = try Self.phrases()
    #expect(phrases.count > 20)
    for file in try Self.files(below: folder, ".swift") where !file.contains("Tests/") && !file.contains("/DemoSer") {
      let source = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      for text in Self.texts(of: source) {
        let wrong = Self.found(phrases, in: text)
        #expect(wrong.isEmpty, "\(file): \(text)")
      }
    }
  }

  /// The texts in quotes of a source, and each line of those that go over several lines.
  private static func texts(of source: String) -> [String] {
    var isText = false
    return source.split(separator: "\n").flatMap { line -> [String] in
      if line.contains("\"\"\"") {
        isText.toggle()
        return []
      }
      if isText { return [String(line)] }
      if line.drop(while: \.isWhitespace).starts(with: "//") { return [] }
      return line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
    }
  }

  @Test("texts are found in one line and over several") func reading() {
    let source = "f(\"a\", \"b\")\n// \"c\"\nlet x = \"\"\"\n  d \"e\"\n  // f\n  \"\"\"\ng(\"h\")"
    #expect(Self.texts(of: source) == ["a", "b", "  d \"e\"", "  // f", "h"])
  }

  @Test("no document has a phrase that is not used") func documents() throws {
    let phrases = try Self.phrases()
    let exempt = ["docs/internals/glossary.md", "docs/internals/mutants.md"]
    let documents = try Self.files(below: "docs", ".md").filter { !exempt.contains($0) }
    for file in documents + ["README.md", "CONTRIBUTING.md"] {
      let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let wrong = Self.found(phrases, in: String(line))
        #expect(wrong.isEmpty, "\(file): \(line)")
      }
    }
  }

  @Test("a comment begins with what a declaration is or does", arguments: ["Sources", "Plugins", "Tests"])
  func comments(_ folder: String) throws {
    for file in try Self.files(below: folder, ".swift") {
      let source = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
      var before: Substring = ""
      for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
        let text = line.drop(while: \.isWhitespace)
        let isFirst = text.starts(with: "///") && !before.starts(with: "///")
        #expect(!isFirst || !text.contains(/^\/\/\/ (What|Whether|How|Where)\b/), "\(file): \(text)")
        before = text
      }
    }
  }
}
