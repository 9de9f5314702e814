import ConsoleSupport
import Foundation
import Testing

/// Links of the README and others, and the overview of the kit.
@Suite struct ReadmeTests {
  @Test("every page that a document links to is there") func links() throws {
    let root = ConsoleRun.root
    let enumerator = try #require(FileManager.default.enumerator(atPath: root.appending(path: "docs").path))
    let pages = enumerator.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    #expect(pages.count > 20)
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + pages {
      let file = root.appending(path: name)
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /\]\(([^):#]+)(?:#[^)]*)?\)/) {
        let target = file.deletingLastPathComponent().appending(path: String(match.1))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(name) links to \(match.1)")
      }
    }
  }

  @Test("the overview of BackendKit names every public type") func overview() throws {
    let sources = ConsoleRun.root.appending(path: "Sources/BackendKit/BackendKit")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
    var declared: Set<Substring> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let types = text.matches(of: /(?:^|\n)public (?:final )?(?:struct|enum|class|protocol|actor) (\w+)/)
      declared.formUnion(types.map(\.1))
    }
    let overview = try String(
      contentsOf: sources.appending(path: "BackendKit.docc/BackendKit.md"), encoding: .utf8)
    #expect(Set(overview.matches(of: /\n- ``(\w+)``/).map(\.1)) == declared)
  }
}
