import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The report of a run's expectations for test harnesses.
public struct ScriptReport: Sendable, Hashable {
  /// The formats of reports.
  public enum Form: String, Sendable, CaseIterable {
    case tap, junit
  }

  /// The format.
  public var form: Form
  /// The file it is written to; nil for standard output.
  public var path: String?

  /// The report that a word requests: `tap`, `junit`, or one of them with `:FILE`. Throws for anything else.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let form = Form(rawValue: parts[0]), parts.count == 1 || !parts[1].isEmpty else {
      throw UsageError("--report must be tap or junit, optionally with :FILE, not \"\(text)\"")
    }
    self.form = form
    path = parts.count == 2 ? parts[1] : nil
  }

  func text(_ tally: RunTally, _ blanking: Blanking) -> EscapedText {
    let points = tally.mapPoints { $0.blanked(blanking) }.points
    var report = TestReport("switchboard", points.map(\.test))
    // Not "Bail out!", which would end later scripts of the suite.
    report.notes = tally.rest.map { [$0] } ?? []
    if !tally.rows.isEmpty {
      report.figures = tally.rows.members.compactMap { name, value in value?.integer.map { ("records.\(name)", $0) } }
    }
    return EscapedText(formatted: form == .tap ? report.tap : report.junit)
  }
}

extension RunTally {
  /// The note on statements that were not run; nil if all were.
  fileprivate var rest: String? {
    skipped == 0 ? nil : counted(skipped, "more statement was", "more statements were") + " not run"
  }
}

extension RunTally.Point {
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
    // A command that was already blanked is reported unchanged.
    let plain = blanking.text(name, quoting: name)
    point.name = plain != name || name.contains(text: Blanking.mark) ? plain : blanking.line(name)
    return point
  }

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

  /// A text for a report: several lines, of visible characters only.
  private static func shown(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? String($0) : Escaping.text(String($0)) }.joined()
  }

  fileprivate var details: [(String, String)] {
    verdict.map { [("message", sentence), ("expected", $0.expected), ("actual", $0.actual)] }
      ?? [("message", complaint ?? "")]
  }
}
