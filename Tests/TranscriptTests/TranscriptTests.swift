import ConsoleSupport
import Foundation
import Testing

/// Runs the built console on each script of `Tests/Transcripts` and holds what it prints against the files beside it.
///
/// `NAME.sb` is the script on standard input, `NAME.out` and `NAME.err` the outputs, `NAME.status` the exit status (0
/// where there is no file), `NAME.args` further arguments, one a line. With RECORD_TRANSCRIPTS=1 the files are written
/// anew, and the test fails so that nobody takes that for a pass.
@Suite struct TranscriptTests {
  static let folder = ConsoleRun.root.appending(path: "Tests/Transcripts")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".sb") }.map { String($0.dropLast(3)) }.sorted()
  }()

  @Test("there are transcripts") func exist() { #expect(Self.names.count > 5) }

  @Test("the console prints what the transcript says", arguments: names)
  func transcript(name: String) async throws {
    let home = try ConsoleRun.Home()
    let arguments = read("\(name).args")?.split(separator: "\n").map(String.init) ?? []
    let config = ConsoleRun.root.appending(path: "config.json").path
    let script = try Data(contentsOf: Self.folder.appending(path: "\(name).sb"))
    let run = try await ConsoleRun.run(
      ["--config", config] + arguments, bytes: Array(script), in: home, directory: Self.folder.path)
    let output = Self.masked(run.output)
    let errors = Self.masked(run.errors)
    if ProcessInfo.processInfo.environment["RECORD_TRANSCRIPTS"] != nil {
      try record(name, output, errors, run.status)
      Issue.record("recorded \(name)")
      return
    }
    #expect(output == read("\(name).out") ?? "")
    #expect(errors == read("\(name).err") ?? "")
    #expect(run.status == Int(read("\(name).status")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "0"))
  }

  /// Ports differ from run to run.
  private static func masked(_ text: String) -> String {
    text.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT").replacing(/[0-9]+ ms/, with: "N ms")
  }

  private func read(_ name: String) -> String? {
    try? String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  private func record(_ name: String, _ output: String, _ errors: String, _ status: Int) throws {
    func write(_ text: String, _ kind: String) throws {
      let file = Self.folder.appending(path: "\(name).\(kind)")
      if text.isEmpty {
        try? FileManager.default.removeItem(at: file)
      } else {
        try Data(text.utf8).write(to: file)
      }
    }
    try write(output, "out")
    try write(errors, "err")
    try write(status == 0 ? "" : "\(status)\n", "status")
  }
}
