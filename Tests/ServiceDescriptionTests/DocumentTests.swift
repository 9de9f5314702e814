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

  /// Returns whether leaving a key out chooses something.
  private static func hasDefault(_ key: Section.Key) -> Bool {
    if key.help.contains("default") { return true }
    return switch key.shape {
    case .boolean, .word, .either(.word, _): true
    default: false
    }
  }

  @Test func `what each key claims that is left out is listed, and none claims the friendly case`() throws {
    let text = try String(
      contentsOf: Self.docs.appendingPathComponent("authors/description-defaults.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let keys = Section.ordered.flatMap { section in
      section.keys.filter { key in
        let isShared = key.name == "source" || section.name == .resource && Section.sharedKeys.contains(key.name)
        return Self.hasDefault(key) && (section.name == .description || !isShared)
      }.map { "`\(section.name.rawValue).\($0.name)`" }
    }
    #expect(rows.compactMap(\.first).sorted() == keys.sorted())
    for row in rows {
      try #require(row.count == 3, "\(row)")
      let claim = row[2].split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      // The unfavorable case, or the usual one where a response contradicts it, says why.
      #expect(["nothing", "form"].contains(row[2]) || claim.count == 2, "\(row)")
      #expect(["nothing", "form", "unfavorable", "checked"].contains(claim.first), "\(row)")
    }
  }

  @Test func `a description that says little claims little`() throws {
    let text = """
      resources:
        things:
          filter: {fields: [a], conditions: {"=": "{field}", "!=": "{field}_ne"}}
          total: {member: total}
          search: {parameter: q}
          create: {}
          update: {}
          delete: {method: PUT}
          fields: {a: text}
        paged:
          identifier: {field: key}
          page: {style: after, parameter: after}
          sort: {parameter: sort}
          update: {method: POST}
      """
    let resources = try Description(reading: Array(text.utf8), file: "api.yaml").service().resources
    let (things, paged) = (resources[0], resources[1])
    #expect(!things.paging.sendsWholeLists && !things.paging.counting.isExact && !things.paging.counting.isEstimated)
    #expect(things.paging.counting.ignoresConditions == nil && things.searching == nil)
    #expect(things.filters?.rows.map(\.fidelity) == [.superset, .not])
    #expect(things.updating?.isAtomic == false && things.updating?.clearing == .impossible)
    #expect(things.creating?.looksFirst == nil && things.deleting?.readsFirst == nil)
    #expect(paged.stability == .shifting && paged.paging.ends.isEmpty && paged.paging.after?.field == "key")
    #expect(paged.sorting?.exact == [] && paged.updating?.isRepeatable == false)
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
