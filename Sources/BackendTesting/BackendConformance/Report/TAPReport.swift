/// A report in the Test Anything Protocol, version 14.
public enum TAPReport {
  /// The whole report.
  public static func text(_ report: ConformanceReport) -> String {
    var lines = ["TAP version 14", "1..\(report.results.count)"]
    for (place, result) in report.results.enumerated() { lines += point(result, number: place + 1) }
    lines += report.unclaimed.map { "# unclaimed: \(ReportText.oneLine($0))" }
    if let reason = report.interruption { lines.append("Bail out! \(escaped(reason))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func point(_ result: LawResult, number: Int) -> [String] {
    let name = escaped("\(result.law.group.rawValue): \(result.law.name)")
    if let reason = result.reasonNotApplicable {
      return ["ok \(number) - \(name) # SKIP \(ReportText.oneLine(reason))"]
    }
    guard let breach = result.breach else {
      return ["ok \(number) - \(name)", "  ---", "  verdict: \(result.words)", "  ..."]
    }
    return [
      "not ok \(number) - \(name)", "  ---", "  promise: \(quoted(result.law.promise))",
      "  done: \(quoted(breach.done))", "  expected: \(quoted(breach.expected))", "  found: \(quoted(breach.found))",
      "  ...",
    ]
  }

  /// A description: a `#` would begin a directive.
  private static func escaped(_ text: String) -> String {
    ReportText.oneLine(text).split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\\#")
  }

  /// A text in the single quotes of YAML.
  private static func quoted(_ text: String) -> String {
    "'" + ReportText.oneLine(text).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
      + "'"
  }
}
