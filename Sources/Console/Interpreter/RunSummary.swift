import BackendKit
import ConsoleOutput
import ConsoleSystem

extension RunTally {
  /// A summary in words.
  var words: String {
    var parts = ["\(done) done"]
    if failed > 0 { parts.append("\(failed) failed") }
    if handled > 0 { parts.append("\(handled) failed as expected or within try") }
    if skipped > 0 { parts.append("\(skipped) not run") }
    var text = parts.joined(separator: ", ")
    if expected.total > 0 { text += "; \(expected.held) of \(expected.total) expectations hold" }
    if !rows.isEmpty {
      text += "; rows: \(rows.words(""))" + (rows.untried > 0 ? ", \(rows.untried) not tried" : "")
    }
    return text
  }

  /// A summary for programs.
  var object: Object {
    let held: Value = ["total": .int(expected.total), "held": .int(expected.held)]
    return Object(present: [
      ("done", .int(done)), ("failed", .int(failed)), ("handled", .int(handled)), ("skipped", .int(skipped)),
      ("expectations", held), ("rows", rows.isEmpty ? nil : .object(Object(present: rows.members))),
    ])
  }
}

extension Session {
  /// Ends a run of scripts: writes the report and the summary that were asked for.
  func conclude(_ report: ScriptReport?, in file: ResultFile?, summary: ErrorForm?) {
    if let report, let file {
      do {
        let target = Output(descriptor: file.descriptor)
        target.write(report.text(script.tally, context.blanking))
        target.flush()
        if let complaint = target.complaint {
          if let note = file.abandon() { reporter.warn(note) }
          throw CommandFailure(.failure, complaint)
        }
        try file.finish()
      } catch {
        reporter.report(ports.failure(error), file: report.path, line: 0)
        script.status = script.status.worse(.failure)
      }
    } else if let report {
      output.write(report.text(script.tally, context.blanking))
    }
    guard let summary else { return }
    output.flush()
    switch summary {
    case .text: reporter.tell(script.tally.words)
    case .json: errors.write(whole: "\(EscapedText(json: ["summary": .object(script.tally.object)]))\n")
    }
  }
}
