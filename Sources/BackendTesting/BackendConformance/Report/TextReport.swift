import BackendClient
import BackendKit

/// A report for people: why laws do not apply, a line for each other law, the failures, the counts, and how to judge
/// the broken laws again.
public enum TextReport {
  /// Returns the report.
  public static func text(_ report: ConformanceReport) -> String {
    var lines = judged(report) + report.results.filter { $0.reasonNotApplicable == nil }.map(line)
    if !report.failures.isEmpty { lines.append("") }
    for failure in report.failures { lines += explanation(failure, report) }
    if !report.unclaimed.isEmpty {
      lines += ["", "unclaimed: behavior that was observed but is not claimed by the description"]
      lines += report.unclaimed.map { "  \(ReportText.oneLine($0))" } + [""]
    }
    lines.append(summary(report))
    if !report.failures.isEmpty { lines.append("again: " + command(report.failures, report)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the line of a law.
  public static func line(_ result: LawResult) -> String {
    let law = "\(result.law.group.rawValue): \(result.law.name)"
    let outcome = padded(result.words, to: 14)
    guard let reason = result.remark else { return "\(outcome)  \(law)" }
    return "\(outcome)  \(law) (\(ReportText.oneLine(reason)))"
  }

  /// The number of laws that were judged, and how many were not for each reason; nothing if all were.
  private static func judged(_ report: ConformanceReport) -> [String] {
    let reasons = report.results.compactMap(\.reasonNotApplicable)
    guard !reasons.isEmpty else { return [] }
    let counts = Dictionary(reasons.map { (ReportText.oneLine($0), 1) }, uniquingKeysWith: +)
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let all = report.results.count + report.notJudged.count
    return ["judged \(report.results.count - reasons.count) of \(all) laws; not applicable:"]
      + sorted.map { "  \(padded("\($0.value)", to: 3)) \($0.key)" } + [""]
  }

  /// A failure in at most ten lines, the last of which judges the law again.
  private static func explanation(_ result: LawResult, _ report: ConformanceReport) -> [String] {
    let parts = result.explanation + [("again", command([result], report))]
    return ["failed: \(result.law.name)"]
      + parts.map { "  \(padded($0, to: 8))  \(LawContext.shortened(ReportText.oneLine($1), to: 500))" } + [""]
  }

  /// The command that judges laws again.
  private static func command(_ results: [LawResult], _ report: ConformanceReport) -> String {
    let laws = results.map { " --only \"\($0.law.name)\"" }.joined()
    return "switchboard conformance \(report.subject)\(laws) --seed \(report.seed)\(report.permission)"
  }

  /// The counts in one line, and what else operators must know.
  static func summary(_ report: ConformanceReport) -> String {
    let counts = ["failed", "passed", "refused", "emulated", "not applicable"].map { "\(report.count($0)) \($0)" }
    var text = "\(report.subject): \(counted(report.results.count, "law")): \(counts.joined(separator: ", "))"
    text += "; \(report.requests) requests in \(TestReport.seconds(report.duration)) s, seed \(report.seed)"
    if let cause = report.cause {
      let count = report.notJudged.count
      text += "\nStopped: \(CommonCause.limit) laws failed with the same error; \(count) were not checked. The error: "
      text += ReportText.oneLine(cause)
    }
    if report.loss != nil { text += "\nThe server became unreachable: laws after the last one above were not checked." }
    if report.isCancelled { text += "\nThe run was cancelled: laws after the last one above were not checked." }
    if let left = leftBehind(report) { text += "\n\(left); a sweep removes those that the list shows." }
    return text
  }

  static func leftBehind(_ report: ConformanceReport) -> String? {
    let ids = report.leftBehind
    guard !ids.isEmpty else { return nil }
    let shown = ids.prefix(20).map { ReportText.oneLine($0.text) }.joined(separator: ", ")
    return "\(counted(ids.count, "record")) of the suite could not be removed: \(shown)\(ids.count > 20 ? ", …" : "")"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
