import BackendKit
import ConsoleOutput
import ConsoleSystem

struct RunSummary {
  let session: Session

  func conclude(_ report: ScriptReport?, in file: ResultFile?, summary: ErrorForm?) {
    if let report, let file {
      do {
        let target = Output(descriptor: file.descriptor)
        target.write(report.text(session.script.tally, session.context.blanking))
        target.flush()
        if let complaint = target.complaint {
          if let note = file.abandon() { session.reporter.warn(note) }
          throw CommandFailure(.failure, complaint)
        }
        try file.finish()
      } catch {
        session.reporter.report(session.ports.failure(error), file: report.path, line: 0)
        session.script.status = session.script.status.worse(.failure)
      }
    } else if let report {
      session.output.write(report.text(session.script.tally, session.context.blanking))
    }
    guard let summary else { return }
    session.output.flush()
    switch summary {
    case .text: session.reporter.tell(session.script.tally.words)
    case .json: session.errors.write(whole: "\(EscapedText(json: ["summary": .object(session.script.tally.object)]))\n")
    }
  }
}
