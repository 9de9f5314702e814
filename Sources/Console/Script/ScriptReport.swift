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

  /// The text of the report; `failure` is what ended the run, where that was no expectation.
  func text(_ tally: RunTally) -> String {
    switch form {
    case .tap: Self.tap(tally)
    case .junit: Self.junit(tally)
    }
  }

  // MARK: TAP

  private static func tap(_ tally: RunTally) -> String {
    var text = "TAP version 14\n1..\(tally.expectations.count)\n"
    for (place, expectation) in tally.expectations.enumerated() {
      let name = expectation.title.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
      text += "\(expectation.holds ? "ok" : "not ok") \(place + 1) - \(Visible.text(name))\n"
      guard !expectation.holds else { continue }
      text += "  ---\n"
      for (name, value) in expectation.details {
        text += "  \(name): \(JSONWriter.compact(.string(value)))\n"
      }
      text += "  ...\n"
    }
    if let failure = tally.ending { text += "Bail out! \(Visible.text(failure))\n" }
    return text
  }

  // MARK: JUnit

  private static func junit(_ tally: RunTally) -> String {
    let failed = tally.expectations.count { $0.verdict?.holds == false }
    let broken = tally.expectations.count { $0.verdict == nil } + (tally.ending == nil ? 0 : 1)
    let count = tally.expectations.count + (tally.ending == nil ? 0 : 1)
    let time = tally.expectations.reduce(0) { $0 + $1.milliseconds }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text +=
      "<testsuites>\n<testsuite name=\"switchboard\" tests=\"\(count)\" failures=\"\(failed)\" errors=\"\(broken)\""
    text += " time=\"\(seconds(time))\">\n"
    for expectation in tally.expectations {
      text +=
        "<testcase classname=\"\(escaped(expectation.source ?? "switchboard"))\" name=\"\(escaped(expectation.title))\""
      text += " time=\"\(seconds(expectation.milliseconds))\""
      if expectation.holds {
        text += "/>\n"
      } else {
        let tag = expectation.verdict == nil ? "error" : "failure"
        let details = expectation.details.map { "\($0): \($1)" }.joined(separator: "\n")
        text += ">\n<\(tag) message=\"\(escaped(expectation.sentence))\">\(escaped(details))</\(tag)>\n</testcase>\n"
      }
    }
    if let failure = tally.ending {
      text +=
        "<testcase classname=\"switchboard\" name=\"the run\">\n<error message=\"\(escaped(failure))\"/>\n</testcase>\n"
    }
    return text + "</testsuite>\n</testsuites>\n"
  }

  private static func seconds(_ milliseconds: Double) -> String {
    let whole = Int(milliseconds.rounded())
    let rest = String(whole % 1000)
    return "\(whole / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  // What no XML may hold is shown as it is elsewhere.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      default: result += Visible.text(String(scalar))
      }
    }
    return result
  }
}

extension RunTally.Expectation {
  /// The statement, with its place.
  fileprivate var title: String { (source.map { "\($0):\(line): " } ?? "") + name }

  /// What came of it, as one sentence.
  fileprivate var sentence: String {
    verdict.map { "expected \($0.expected), found \($0.actual)" } ?? complaint ?? ""
  }

  fileprivate var details: [(String, String)] {
    verdict.map { [("message", sentence), ("expected", $0.expected), ("actual", $0.actual)] }
      ?? [("message", complaint ?? "")]
  }
}
