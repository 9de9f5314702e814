import ConsoleSupport
import Foundation
import Testing

/// Runs each script of `Tests/Scripts` in a process of its own; one that may write has demo data of its own.
///
/// With RECORD_SCRIPTS=1 the answers are written anew, and the test fails so that nobody takes that for a pass.
@Suite("The corpus of scripts") struct ScriptCorpusTests {
  static let files: [URL] = {
    let folder = ConsoleRun.root.appending(path: "Tests/Scripts")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "cases" }.sorted { $0.path < $1.path }
  }()

  static let cases = files.flatMap { (try? ScriptCase.cases(in: $0)) ?? [] }
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_SCRIPTS"] != nil

  @Test("there are scripts, and no two of a file have one name") func exist() {
    #expect(Self.cases.count > 400)
    #expect(Set(Self.cases.map(\.testDescription)).count == Self.cases.count)
  }

  @Test("the console answers as the file says", .disabled(if: isRecording), arguments: cases)
  func answer(script: ScriptCase) async throws {
    let answer = try await script.run()
    #expect(answer == script.expected)
  }

  @Test("answers are recorded", .enabled(if: isRecording), arguments: files)
  func record(file: URL) async throws {
    let before = try String(contentsOf: file, encoding: .utf8)
    var text = String(before.prefix(upTo: before.firstRange(of: "=== ")?.lowerBound ?? before.endIndex))
    for script in try ScriptCase.cases(in: file) { text += script.text(with: try await script.run()) }
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(file.lastPathComponent)")
  }
}
