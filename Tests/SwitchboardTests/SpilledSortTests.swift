import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// A sort of more records than are kept in memory.
@Suite("A sort in a file") struct SpilledSortTests {
  private static let count = 90_000
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await DemoProcess.start(["--memory", "--seed", "\(Self.count)"])
  }

  private var line: String {
    "list jsonplaceholder:\(demo.base("jsonplaceholder"))/comments --all --sort -id --max-scan 200000 -o id"
  }

  private var folder: String { "\(home.folder.path)/state/switchboard/sorts" }

  @Test("has all records in their order, and leaves nothing behind") func whole() async throws {
    let run = try await ConsoleRun.run(["-c", line], in: home)
    #expect(run.status == 0, "\(run.errors)")
    let list = try await ConsoleRun.run(["-c", line.replacing("--sort -id", with: "")], in: home)
    #expect(run.output.split(separator: "\n").count == Self.count)
    #expect(run.output.split(separator: "\n") == list.output.split(separator: "\n").reversed())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("ends with one sentence where the file system has no room, and shows nothing") func noRoom() async throws {
    let limited = "trap '' XFSZ; ulimit -f 512; exec \"$0\" \"$@\""
    let run = try await ConsoleRun.run(
      ["-c", limited, ConsoleRun.executable.path, "-c", line], bytes: [], in: home, executable: "/bin/bash")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.contains("the records that are sorted do not fit in memory, and a temporary file in \(folder)"),
      "\(run.errors)")
  }
}
