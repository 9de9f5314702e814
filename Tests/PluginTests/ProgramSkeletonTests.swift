import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// `plugin new --language python`: what it writes is tried as its README says.
@Suite struct ProgramSkeletonTests {
  private let folder: TemporaryFolder
  private let home: ConsoleRun.Home
  private var program: String { folder.path + "/switchboard-notes" }

  init() async throws {
    folder = try TemporaryFolder()
    home = try ConsoleRun.Home()
    let run = try await ConsoleRun.run(
      ["plugin", "new", "notes", "--language", "python"], in: home, directory: folder.path)
    #expect(run.status == 0 && run.errors.contains("run python3 -m unittest in it"), "\(run.errors)")
  }

  @Test func `The program passes its tests, and conforms on the service that comes with it`() async throws {
    try Program.run(["python3", "-m", "unittest"], in: program)
    let service = try await PythonServer("switchboard-notes/service.py", ["0"], from: folder.path + "/test")
    let run = try await ConsoleRun.run(
      ["--plugin-path", program, "-c", "conformance notes:\(service.address) --seed 1 --yes"], in: home)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(": 0 failed"), "\(run.output)")
  }

  @Test func `The guide shows the program`() throws {
    let guide = try String(
      contentsOfFile: BuiltLibraries.root + "/docs/authors/plugin-protocol.md", encoding: .utf8)
    let text = try #require(folder.text(of: "switchboard-notes/switchboard-notes"))
    #expect(guide.contains("```python\n\(text)```\n"))
  }

  @Test func `A program needs no packages`() async throws {
    let run = try await ConsoleRun.run(
      ["plugin", "new", "tasks", "--language", "python", "--kit", "https://git.example.org/kit"], in: home,
      directory: folder.path)
    #expect(run.status == 2 && run.errors.contains("--kit cannot be combined with --language python"), "\(run.errors)")
    #expect(!folder.holds("switchboard-tasks"))
  }
}
