import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `plugin new`, without building what it writes.
@Suite struct PluginCommandTests {
  private let folder: TemporaryFolder
  private let home: ConsoleRun.Home

  init() throws {
    folder = try TemporaryFolder()
    home = try ConsoleRun.Home()
  }

  private func plugin(_ words: String..., options: [String] = []) async throws -> ConsoleRun {
    try await ConsoleRun.run(options + ["plugin"] + words, in: home, directory: folder.path)
  }

  @Test func `The skeleton depends on the packages of the checkout, or on those that are named`() async throws {
    let run = try await plugin("new", "my-notes", "-o", "json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"switchboard-my-notes\""))
    let manifest = try #require(folder.text(of: "switchboard-my-notes/Package.swift"))
    #expect(manifest.contains(".package(path: \"\(BuiltLibraries.root)/Sources/BackendKit\")"))
    #expect(folder.holds("switchboard-my-notes/Sources/MyNotesAdapter/MyNotesService.swift"))
    #expect(try await plugin("new", "b", "--kit", "https://git.example.org/kit/").status == 0)
    let other = try #require(folder.text(of: "switchboard-b/Package.swift"))
    #expect(other.contains(#".package(url: "https://git.example.org/kit/BackendTesting", exact: ""#))
  }

  @Test func `Nothing that is there is written over`() async throws {
    try folder.write("mine", to: "switchboard-notes/README.md")
    let run = try await plugin("new", "notes")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("switchboard-notes already exists"))
    #expect(folder.text(of: "switchboard-notes/README.md") == "mine")
    #expect(!folder.holds("switchboard-notes/Package.swift"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/switchboard-link", withDestinationPath: folder.path + "/elsewhere")
    #expect(try await plugin("new", "link").status == 2)
    #expect(!folder.holds("elsewhere"))
  }

  @Test(arguments: ["Notes", "../x", "1a", "-a", "", "a b", "é", "a/b", "a.b"])
  func `What is no plugin's name is refused`(_ name: String) async throws {
    let run = try await plugin("new", "--", name)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("is not a valid plugin name"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [
    (["new", "grails"], "the plugin grails already exists"), (["new"], "plugin needs the word new and a name"),
    (["old", "notes"], "plugin needs the word new and a name"),
    (["new", "notes", "--kit", "/nowhere"], "there is no package BackendKit in /nowhere"),
    (["new", "notes", "--kit", "file:///a\"b"], "without blanks or quotes"),
  ])
  func `What cannot be done is said, and nothing is written`(_ words: [String], _ says: String) async throws {
    let run = try await ConsoleRun.run(["plugin"] + words, in: home, directory: folder.path)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains(says), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `A restricted run writes no skeleton, and a script that is only checked does not either`() async throws {
    let run = try await plugin("new", "notes", options: ["--restricted"])
    #expect(run.status == 2 && run.errors.contains("not allowed with --restricted"))
    #expect(try await plugin("new", "notes", options: ["--check"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `A console that is installed elsewhere wants to know where the packages are`() async throws {
    let run = try await ConsoleRun.runProgram(
      ["plugin", "new", "notes"], bytes: [], in: home, directory: folder.path,
      executable: try Installation.console(in: folder))
    #expect(run.status == 2)
    #expect(run.errors.contains("--kit names the folder or the address"))
    #expect(!folder.holds("switchboard-notes"))
  }
}
