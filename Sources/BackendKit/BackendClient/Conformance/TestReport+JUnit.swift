import BackendKit

extension TestReport {
  /// The report as JUnit XML for build servers.
  public var junit: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites \(counts)>",
      "  <testsuite name=\"\(Self.xml(name))\" \(counts)>",
    ]
    if !figures.isEmpty {
      lines.append("    <properties>")
      for (name, value) in figures {
        lines.append("      <property name=\"\(Self.xml(name))\" value=\"\(value)\"/>")
      }
      lines.append("    </properties>")
    }
    for test in cases {
      lines.append(
        "    <testcase name=\"\(Self.xml(test.name))\" classname=\"\(Self.xml(test.group))\" time=\"\(Self.seconds(test.duration))\">"
      )
      lines += Self.inner(test.outcome) + ["    </testcase>"]
    }
    for name in notJudged { lines += named(name, "<skipped message=\"not run\"/>") }
    // An interrupted run is reported as a case of its own.
    if let interruption { lines += named("the whole run", "<error message=\"\(Self.xml(interruption))\"/>") }
    if !notes.isEmpty {
      lines.append("    <system-out>\(notes.map(Self.xml).joined(separator: "\n"))</system-out>")
    }
    return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private var counts: String {
    let interruptions = interruption == nil ? 0 : 1
    var (failures, errors, skipped) = (0, interruptions, notJudged.count)
    for test in cases {
      switch test.outcome {
      case .passed: break
      case .failed(_, _, let isError): if isError { errors += 1 } else { failures += 1 }
      case .skipped: skipped += 1
      }
    }
    let time = Self.seconds(cases.reduce(.zero) { $0 + $1.duration })
    return "tests=\"\(cases.count + notJudged.count + interruptions)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(skipped)\" time=\"\(time)\""
  }

  private static func inner(_ outcome: Outcome) -> [String] {
    switch outcome {
    case .passed(nil): return []
    case .passed(let note?): return ["      <system-out>\(xml(note))</system-out>"]
    case .skipped(let reason): return ["      <skipped message=\"\(xml(reason))\"/>"]
    case .failed(let message, let details, let isError):
      let tag = isError ? "error" : "failure"
      return ["      <\(tag) message=\"\(xml(message))\">\(xml(details))</\(tag)>"]
    }
  }

  private func named(_ name: String, _ inner: String) -> [String] {
    [
      "    <testcase name=\"\(Self.xml(name))\" classname=\"\(Self.xml(self.name))\">", "      " + inner,
      "    </testcase>",
    ]
  }

  private static func xml(_ text: String) -> String { XMLText.escaped(text, keepsLines: false) }

  /// Seconds with three decimals.
  public static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds)." + String(attoseconds / 1_000_000_000_000_000, digits: 3)
  }
}
