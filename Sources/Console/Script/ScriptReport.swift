import BackendKit

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
      throw UsageError("--report is tap or junit, or one of them with :FILE, not \"\(text)\"")
    }
    self.form = form
    path = parts.count == 2 ? parts[1] : nil
  }

  /// The text of the report.
  func text(_ tally: RunTally, _ blanking: Blanking) -> ShownText {
    let tally = tally.mapPoints { $0.blanked(blanking) }
    return switch form {
    case .tap: Self.tap(tally)
    case .junit: Self.junit(tally)
    }
  }

  // MARK: TAP

  private static func tap(_ tally: RunTally) -> ShownText {
    var text: ShownText = "TAP version 14\n1..\(tally.points.count)\n"
    for (index, point) in tally.points.enumerated() {
      let name = point.title.replacing(text: "\\", with: "\\\\").replacing(text: "#", with: "\\#")
      text += "\(point.holds ? "ok" : "not ok") \(index + 1) - \(name)\n"
      guard !point.holds else { continue }
      text += "  ---\n"
      for (name, value) in point.details {
        text += "  \(name): \(ShownText(json: .string(value)))\n"
      }
      text += "  ...\n"
    }
    // No "Bail out!": that would end the scripts of a suite that come after this one.
    if let rest = tally.rest { text += "# \(rest)\n" }
    return text
  }

  // MARK: JUnit

  private static func junit(_ tally: RunTally) -> ShownText {
    let failed = tally.points.count { $0.verdict?.holds == false }
    let broken = tally.points.count { $0.verdict == nil }
    let time = tally.points.reduce(0) { $0 + $1.milliseconds }
    var text: ShownText = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"switchboard\""
    text += " tests=\"\(tally.points.count)\" failures=\"\(failed)\" errors=\"\(broken)\" time=\"\(seconds(time))\">\n"
    for point in tally.points {
      text += "<testcase classname=\"\(escaped(point.source ?? "switchboard"))\" name=\"\(escaped(point.title))\""
      text += " time=\"\(seconds(point.milliseconds))\""
      if point.holds {
        text += "/>\n"
      } else {
        let tag = point.verdict == nil ? "error" : "failure"
        let details = point.details.map { "\($0): \($1)" }.joined(separator: "\n")
        text += ">\n<\(tag) message=\"\(escaped(point.sentence))\">\(escaped(details))</\(tag)>\n</testcase>\n"
      }
    }
    if let rest = tally.rest { text += "<system-out>\(rest)</system-out>\n" }
    return text + "</testsuite>\n</testsuites>\n"
  }

  private static func seconds(_ milliseconds: Double) -> String {
    let whole = Int(milliseconds.rounded())
    let rest = String(whole % 1000)
    return "\(whole / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  // What no XML may hold is shown as it is elsewhere.
  private static func escaped(_ text: String) -> ShownText {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\u{FFFE}", "\u{FFFF}": result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result += Visible.text(String(scalar))
      }
    }
    return ShownText(formatted: result)
  }
}

extension RunTally {
  /// That statements were not run; nil where all were.
  fileprivate var rest: String? {
    skipped == 0 ? nil : "\(skipped) more \(skipped == 1 ? "statement was" : "statements were") not run"
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
    // A command that was blanked already is told as it is.
    let plain = blanking.text(name, quoting: name)
    point.name = plain != name || name.contains(text: Blanking.mark) ? plain : blanking.line(name)
    return point
  }

  /// What came of it, as one sentence.
  fileprivate var sentence: String {
    verdict.map { "expected \($0.expected), found \($0.actual)" } ?? complaint ?? ""
  }

  fileprivate var details: [(String, String)] {
    verdict.map { [("message", sentence), ("expected", $0.expected), ("actual", $0.actual)] }
      ?? [("message", complaint ?? "")]
  }
}
