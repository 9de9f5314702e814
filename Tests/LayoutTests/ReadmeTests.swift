import ConsoleSupport
import Foundation
import Testing

/// Holds the README against what the console itself says.
@Suite struct ReadmeTests {
  @Test("the README's command table is the console's help") func commands() async throws {
    let home = try ConsoleRun.Home()
    let run = try await ConsoleRun.run(["-c", "help"], in: home)
    let readme = try String(contentsOf: ConsoleRun.root.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Commands\n") })
    let listed = section.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\| `([a-z-]+)` \| (.*) \|$/).map { "\($0.1) \($0.2)" }
        ?? line.firstMatch(of: /^### (.*)$/).map { String($0.1) }
    }
    let overview = run.output.components(separatedBy: "\nhelp COMMAND")[0]
    let said = overview.split(separator: "\n").map { line in
      line.firstMatch(of: /^  ([a-z-]+)  +(\S.*)$/).map { "\($0.1) \($0.2)" } ?? String(line)
    }
    #expect(!listed.isEmpty)
    #expect(listed == said)
  }

  @Test("every page that a document links to is there") func links() throws {
    let root = ConsoleRun.root
    for name in ["README.md", "CONTRIBUTING.md", "docs/design.md"] {
      let file = root.appending(path: name)
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /\]\(([^):#]+)\)/) {
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
