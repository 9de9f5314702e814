import BackendKit

/// A report for people: a line for each law, then the failures and the counts.
public enum TextReport {
  /// Returns the report.
  public static func text(_ report: ConformanceReport) -> String {
    report.results.map { line($0) + "\n" }.joined() + ending(report)
  }

  /// Returns the lines after those of the laws: the failures and the counts.
  public static func ending(_ report: ConformanceReport) -> String {
    var lines = report.failures.isEmpty ? [] : [""]
    for failure in report.failures { lines += explanation(failure) }
    if !report.unclaimed.isEmpty {
      lines += ["", "unclaimed: behavior that was observed but is not claimed by the description"]
      lines += report.unclaimed.map { "  \(ReportText.oneLine($0))" } + [""]
    }
    lines.append(summary(report))
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the line of a law, which can be shown during the run.
  public static func line(_ result: LawResult) -> String {
    let law = "\(result.law.group.rawValue): \(result.law.name)"
    let outcome = padded(result.words, to: 14)
    guard let reason = result.reasonNotApplicable ?? result.remark else { return "\(outcome)  \(law)" }
    return "\(outcome)  \(law) (\(ReportText.oneLine(reason)))"
  }

  static func explanation(_ result: LawResult) -> [String] {
    guard let breach = result.breach else { return [] }
    return [
      "failed: \(result.law.name)", "  promise   \(result.law.promise)",
      "  done      \(ReportText.oneLine(breach.done))", "  expected  \(ReportText.oneLine(breach.expected))",
      "  found     \(ReportText.oneLine(breach.found))", "",
    ]
  }

  /// The counts in one line, and what else operators must know.
  static func summary(_ report: ConformanceReport) -> String {
    let counts = ["failed", "passed", "refused", "emulated", "not applicable"].map { "\(report.count($0)) \($0)" }
    var text =
      "\(report.subject): \(counted(report.results.count, "law")): \(counts.joined(separator: ", "))"
    text += "; \(report.requests) requests in \(ReportText.seconds(report.duration)) s, seed \(report.seed)"
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
