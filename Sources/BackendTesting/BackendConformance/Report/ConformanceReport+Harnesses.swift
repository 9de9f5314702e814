import BackendClient
import BackendKit

/// A report in the Test Anything Protocol, version 14.
public enum TAPReport {
  /// Returns the report.
  public static func text(_ report: ConformanceReport) -> String { report.forHarnesses.tap }
}

/// A report in the XML format of build servers.
public enum JUnitReport {
  /// Returns the report.
  public static func text(_ report: ConformanceReport) -> String { report.forHarnesses.junit }
}

extension ConformanceReport {
  fileprivate var forHarnesses: TestReport {
    var report = TestReport(ReportText.oneLine(subject), results.map(test))
    report.notJudged = notJudged.map(ReportText.oneLine)
    report.interruption = interruption.map(ReportText.oneLine)
    report.notes = unclaimed.map { ReportText.oneLine("unclaimed: \($0)") }
    if let left = TextReport.leftBehind(self) { report.notes.append(left) }
    return report
  }

  private func test(_ result: LawResult) -> TestReport.Case {
    let group = result.law.group.rawValue
    var test = TestReport.Case(
      ReportText.oneLine(result.law.name), title: ReportText.oneLine("\(group): \(result.law.name)"),
      group: ReportText.oneLine("\(subject).\(group)"), duration: result.duration,
      .passed(note: ReportText.oneLine(result.words)))
    if let reason = result.reasonNotApplicable {
      test.outcome = .skipped(ReportText.oneLine(reason))
    } else if let breach = result.breach {
      test.outcome = .failed(
        message: ReportText.oneLine(breach.found), details: ReportText.oneLine("\(breach)"), isError: false)
      test.diagnostics = result.explanation.map { ($0, JSONWriter.compact(.string(ReportText.oneLine($1)))) }
    } else {
      test.diagnostics = [("verdict", ReportText.oneLine(result.words))]
      if let remark = result.remark.map(ReportText.oneLine) {
        test.outcome = .passed(note: "\(ReportText.oneLine(result.words)) (\(remark))")
        test.diagnostics.append(("remark", JSONWriter.compact(.string(remark))))
      }
    }
    return test
  }
}
