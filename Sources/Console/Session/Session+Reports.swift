import BackendKit

extension Session {
  /// Prints a note: not a result.
  func note(_ text: String) { report(text, .note) }

  /// Prints a warning, which whoever relies on what was done should know.
  func warn(_ text: String) { report(text, .warning) }

  /// The same, with members for programs.
  func warn(_ text: String, _ members: [(String, Value?)]) { report(text, .warning, members) }

  /// Prints why a command failed, with the place where it stands.
  func report(_ failure: CommandFailure, file: String?, line: Int) {
    keepReported(failure)
    if settings.errors == .json {
      var failure = failure
      if failure.status == .interrupted, let status = Interruption.endingStatus { failure.status = status }
      return write(ErrorReport(failure, file: file, line: line))
    }
    // The source as a whole has no line.
    let place = file.map { $0 + (line > 0 ? ":\(line): " : ": ") } ?? ""
    note(place + failure.message)
    for line in failure.lines { note("  " + line) }
  }

  /// Prints why a part of the current command failed.
  func report(part failure: CommandFailure) {
    if settings.errors == .json { return report(failure, file: execution.file, line: execution.line) }
    keepReported(failure)
    errors.write("\(blanked(failure.message))\n")
  }

  /// Prints a report: the only way of one.
  func write(_ report: ErrorReport) { errors.write(whole: report.text(blanked) + "\n") }

  /// A text without secrets, of the current command or any other.
  private func blanked(_ text: String) -> String { context.blanking.text(text, quoting: execution.words) }

  /// Keeps what is wrong with a recording, so that it is not reported again at the end.
  private func keepReported(_ failure: CommandFailure) {
    guard context.isRecorded, failure.code.rawValue == BackendError.Code.misconfigured.rawValue else { return }
    if let error = failure.error { script.reportedComplaints.insert(error.message) }
  }

  private func report(_ text: String, _ level: ErrorReport.Level, _ members: [(String, Value?)] = []) {
    if settings.errors == .json {
      return write(ErrorReport(level, text, file: execution.file, line: execution.line, members))
    }
    // Made visible before it is wrapped: it may take more room then.
    let line = ShownText(blanked(text)).text
    let lines = errors.width.map { Wrapping.lines(of: line, width: $0) } ?? [line]
    for line in lines { errors.write("\(line)\n") }
  }

  /// Has standard error look as the settings want it.
  func formErrors() {
    guard settings.errors == .json else { return errors.setForm(nil) }
    let blanking = context.blanking
    errors.setForm { ErrorReport(.note, $0).text(blanking.text).text }
  }
}
