import BackendConformance
import Foundation
import Testing

@Suite("Laws and the protocol's comments") struct LawNamesTests {
  /// The promises that the comments of the protocol make, by name.
  private let promised: [String: String]

  init() throws {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/BackendKit/BackendKit")
    var promised: [String: String] = [:]
    for part in ["Errors", "Plugin", "Protocol", "Query"] {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(part), includingPropertiesForKeys: nil)
      for file in files {
        for (name, promise) in Self.laws(in: try String(contentsOf: file, encoding: .utf8)) {
          #expect(promised[name] == nil, "\(name) stands twice")
          promised[name] = promise
        }
      }
    }
    self.promised = promised
  }

  /// The laws in a source text: comment lines that begin with "- Law", with the lines that go on from them.
  private static func laws(in source: String) -> [(String, String)] {
    var laws: [String] = []
    var isOpen = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else {
        isOpen = false
        continue
      }
      let comment = text.dropFirst(3).trimmingCharacters(in: .whitespaces)
      if comment.hasPrefix("- Law ") {
        laws.append(String(comment.dropFirst(6)))
        isOpen = true
      } else if comment.isEmpty || comment.hasPrefix("- ") {
        isOpen = false
      } else if isOpen {
        laws[laws.count - 1] += " " + comment
      }
    }
    return laws.compactMap { law in
      law.firstRange(of: ": ").map { (String(law[..<$0.lowerBound]), String(law[$0.upperBound...])) }
    }
  }

  @Test("each law stands in the comments, and each promise of the comments is a law")
  func names() {
    let names = ConformanceSuite.laws.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(names).subtracting(promised.keys).sorted() == [])
    #expect(Set(promised.keys).subtracting(names).sorted() == [])
  }

  @Test("the suite and the comments promise the same", arguments: ConformanceSuite.laws)
  func promises(_ law: Law) {
    #expect(promised[law.name] == law.promise)
  }
}
