import ConsoleSupport
import Testing

@testable import CommandLanguage

@Suite("References to the history") struct HistoryReferenceTests {
  private final class Lines: LineHistory {
    var lines: [(number: Int, text: String)] = [(3, "list"), (5, "count")]
    func add(_ line: String) {}
    func clear() -> String? { nil }
  }

  @Test(
    "!! is the last line and !n line n, what follows is added",
    arguments: [
      ("!!", "count"), ("!3", "list"), ("!! --all", "count --all"), ("!3 -n 1", "list -n 1"), ("!4", nil),
      ("!!|cat", "count |cat"), ("!!", "count"),
    ] as [(String, String?)])
  func references(line: String, expected: String?) throws {
    let (reference, rest) = try #require(HistoryReference.leading(line))
    #expect(reference.line(in: Lines()).map { $0 + rest } == expected)
  }

  @Test("other lines are none", arguments: ["", "list !!", "!ls", "!-1", "!3x", "! 3", "!", "!!!", "!٣"])
  func others(line: String) { #expect(HistoryReference.leading(line) == nil) }

  @Test("a script is refused both, and the history, with a sentence") func scripts() async throws {
    let home = try ConsoleRun.Home()
    let run = try await ConsoleRun.run(["--stream", "--on-error", "continue"], input: "!!\n!12\nhistory\n", in: home)
    #expect(run.output == "")
    #expect(run.status == 2)
    #expect(
      run.errors == """
        stdin:1: error: !! refers to a line entered at a terminal; a script has none
        hint: write the line
        stdin:2: error: !12 refers to a line entered at a terminal; a script has none
        hint: write the line
        stdin:3: error: history is available at a terminal only

        """)
  }
}
