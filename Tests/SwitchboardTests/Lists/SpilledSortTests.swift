import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// A sort of more records than are kept in memory.
@Suite("A sort in a file") struct SpilledSortTests {
  private static let count = 70_000
  let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    home = try ConsoleRun.Home()
    server = try await PythonServer("../Server/many.py", ["\(Self.count)"])
  }

  private var line: String {
    "list jsonplaceholder:\(server.address)/comments --all --sort -id --max-scan 200000 -o id"
  }

  private var folder: String { "\(home.folder.path)/state/switchboard/sorts" }

  @Test("has all records in their order, and leaves nothing behind") func whole() async throws {
    let run = try await home.run(commands: line).succeeded()
    let isWhole = run.output == (1...Self.count).reversed().map { "\($0)\n" }.joined()
    #expect(isWhole)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("ends with one sentence where the file system has no room, and shows nothing") func noRoom() async throws {
    let limited = "trap '' XFSZ; ulimit -f 512; exec \"$0\" \"$@\""
    let run = try await ConsoleRun.runProgram(
      ["-c", limited, ConsoleRun.executable.path, "-c", line], bytes: [], in: home, executable: "/bin/bash")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.contains("a temporary file for records in \(folder) cannot be written to"),
      "\(run.errors)")
  }
}
