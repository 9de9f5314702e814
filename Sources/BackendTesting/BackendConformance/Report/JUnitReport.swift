/// A report as the XML that build servers read.
public enum JUnitReport {
  /// The whole report.
  public static func text(_ report: ConformanceReport) -> String {
    // The run that was given up is a case of its own.
    let count = report.results.count + report.notJudged.count + (report.interruption == nil ? 0 : 1)
    let counts =
      "tests=\"\(count)\" failures=\"\(report.failures.count)\" errors=\"\(report.interruption == nil ? 0 : 1)\""
      + " skipped=\"\(report.count("not applicable") + report.notJudged.count)\" time=\"\(ReportText.seconds(report.duration))\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
      "  <testsuite name=\"\(escaped(report.subject))\" \(counts)>",
    ]
    for result in report.results { lines += testCase(result, of: report) }
    for name in report.notJudged {
      lines += [
        "    <testcase name=\"\(escaped(name))\" classname=\"\(escaped(report.subject))\">",
        "      <skipped message=\"not judged\"/>", "    </testcase>",
      ]
    }
    if let reason = report.interruption {
      lines += [
        "    <testcase name=\"the whole run\" classname=\"\(escaped(report.subject))\">",
        "      <error message=\"\(escaped(reason))\"/>", "    </testcase>",
      ]
    }
    if !report.unclaimed.isEmpty {
      let rows = report.unclaimed.map { escaped("unclaimed: \($0)") }.joined(separator: "\n")
      lines.append("    <system-out>\(rows)</system-out>")
    }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func testCase(_ result: LawResult, of report: ConformanceReport) -> [String] {
    let head =
      "    <testcase name=\"\(escaped(result.law.name))\""
      + " classname=\"\(escaped("\(report.subject).\(result.law.group.rawValue)"))\""
      + " time=\"\(ReportText.seconds(result.duration))\""
    let foot = "    </testcase>"
    if let reason = result.reasonNotApplicable {
      return [head + ">", "      <skipped message=\"\(escaped(reason))\"/>", foot]
    }
    if let breach = result.breach {
      return [
        head + ">", "      <failure message=\"\(escaped(breach.found))\">\(escaped("\(breach)"))</failure>", foot,
      ]
    }
    return [head + ">", "      <system-out>\(escaped(result.words))</system-out>", foot]
  }

  /// The text as XML may hold it; control characters, which it may not, are spelt out.
  static func escaped(_ text: String) -> String {
    var xml = ""
    for character in ReportText.oneLine(text).unicodeScalars {
      switch character {
      case "&": xml += "&amp;"
      case "<": xml += "&lt;"
      case ">": xml += "&gt;"
      case "\"": xml += "&quot;"
      // U+FFFE and U+FFFF are no characters of XML; the category of both is "unassigned", which was spelt out before.
      default: xml.unicodeScalars.append(character)
      }
    }
    return xml
  }
}
