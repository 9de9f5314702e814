import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The expectations of a run as test harnesses read them.
public struct ScriptReport: Sendable, Hashable {
  /// The form of a report.
  public enum Form: String, Sendable, CaseIterable {
    case tap, junit
  }

  /// The form.
  public var form: Form
  /// The file it is written to; nil for standard output.
  public var path: String?

  /// The report that a word asks for: `tap`, `junit`, or one of them with `:FILE`. Throws where it asks for another.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let form = Form(rawValue: parts[0]), parts.count == 1 || !parts[1].isEmpty else {
      throw UsageError("--report must be tap or junit, optionally with :FILE, not \"\(text)\"")
    }
    self.form = form
    path = parts.count == 2 ? parts[1] : nil
  }

  /// The text of the report.
  func text(_ tally: RunTally, _ blanking: Blanking) -> EscapedText {
    let points = tally.mapPoints { $0.blanked(blanking) }.points
    var report = TestReport("switchboard", points.map(\.test))
    // Not an interruption: "Bail out!" would end the scripts of a suite that come after this one.
    report.notes = tally.rest.map { [$0] } ?? []
    if !tally.rows.isEmpty {
      report.figures = tally.rows.members.compactMap { name, value in value?.integer.map { ("records.\(name)", $0) } }
    }
    return EscapedText(formatted: form == .tap ? report.tap : report.junit)
  }
}

extension RunTally {
  /// That statements were not run; nil where all were.
  fileprivate var rest: String? {
    skipped == 0 ? nil : counted(skipped, "more statement was", "more statements were") + " not run"
  }
}

extension RunTally.Point {
  /// The statement, with its place.
  fileprivate var title: String {
    let place = source.map { line > 0 ? "\($0):\(line): " : "\($0): " } ?? ""
    return place + name.drop { $0 == " " || $0 == "\t" }
  }

  /// The point without the secrets of its statement.
  fileprivate func blanked(_ blanking: Blanking) -> RunTally.Point {
    var point = self
    point.complaint = complaint.map { blanking.text($0, quoting: name) }
    point.verdict?.expected = blanking.text(verdict?.expected ?? "", quoting: name)
    point.verdict?.actual = blanking.text(verdict?.actual ?? "", quoting: name)
    // A command that was blanked already is reported as it is.
    let plain = blanking.text(name, quoting: name)
    point.name = plain != name || name.contains(text: Blanking.mark) ? plain : blanking.line(name)
    return point
  }

  /// The result, as one sentence.
  fileprivate var sentence: String {
    verdict.map { "expected \($0.expected), found \($0.actual)" } ?? complaint ?? ""
  }

  fileprivate var test: TestReport.Case {
    TestReport.Case(
      Self.shown(title), title: Escaping.text(title), group: Self.shown(source ?? "switchboard"),
      duration: .milliseconds(milliseconds.rounded()),
      holds
        ? .passed(note: nil)
        : .failed(
          message: Self.shown(sentence),
          details: Self.shown(details.map { "\($0): \($1)" }.joined(separator: "\n")), isError: verdict == nil),
      diagnostics: holds
        ? [] : details.map { ($0, Escaping.json(JSONWriter.compact(.string($1)))) })
  }

  /// A text as a report for build servers has it: several lines, of visible characters.
  private static func shown(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? String($0) : Escaping.text(String($0)) }.joined()
  }

  fileprivate var details: [(String, String)] {
    verdict.map { [("message", sentence), ("expected", $0.expected), ("actual", $0.actual)] }
      ?? [("message", complaint ?? "")]
  }
}
