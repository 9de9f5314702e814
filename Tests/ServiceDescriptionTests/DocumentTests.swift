import BackendKit
import Foundation
import Testing

@testable import ServiceDescription

/// The format's documentation consists of the keys that the reader knows. `RECORD_REFERENCE=1` writes it again.
@Suite struct DocumentTests {
  private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../docs").standardizedFileURL

  private func hold(_ name: String, _ wanted: (String) -> String) throws {
    let file = Self.docs.appendingPathComponent(name)
    let found = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let text = wanted(found)
    if ProcessInfo.processInfo.environment["RECORD_REFERENCE"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(found == text, "run the test with RECORD_REFERENCE=1")
  }

  @Test func `the JSON schema is the one of the reader`() throws {
    try hold("description.schema.json") { _ in JSONWriter.indented(DescriptionSchema.schema()) + "\n" }
  }

  @Test func `the reference has a table of each section`() throws {
    try hold("authors/describing-a-service.md") { text in
      let mark = "## Every key\n\n"
      return (text.components(separatedBy: mark).first ?? "") + mark + DescriptionReference.markdown()
    }
  }

  @Test func `each description of the reference can be used`() throws {
    let text = try String(
      contentsOf: Self.docs.appendingPathComponent("authors/describing-a-service.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count >= 3)
    for block in blocks {
      let file = DescriptionSource.File(name: "example.yaml", bytes: Array(block.utf8))
      // A list by POST needs a trusted configuration.
      do { _ = try Description(DescriptionSource(backend: "a", file: file, isTrusted: true)).service() } catch {
        Issue.record("\(error)\n\(block)")
      }
    }
  }
}
