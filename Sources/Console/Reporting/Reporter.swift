import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Reports messages of a command that are not results, on standard error and without secrets.
struct Reporter {
  let errors: Output
  let form: ErrorForm
  /// The colors of labels.
  let theme: Theme
  /// The file or stream that the command stands in; nil at a terminal.
  let file: String?
  /// Its line there; 0 if it has none.
  let line: Int
  /// Its words, whose secrets are known by their places.
  let words: [Word]
  let blanking: Blanking
  /// Shows that something is going on; nil where nobody would see it.
  let progress: Progress?
  /// The log for operators; nil where there is none.
  let log: RunLog?
  /// The time of the command; nil outside of one.
  let timer: CommandTimer?
  /// The reported errors of the recording; nil for a run that is not recorded.
  let complaints: RecordingComplaints?

  /// Prints the outcome of a command, without a label.
  func tell(_ text: String) { report(text, .note, label: nil) }

  /// Prints a note that qualifies a result.
  func note(_ text: String) { report(text, .note, label: .note) }

  /// Prints a warning about the effect of a command.
  func warn(_ text: String, _ members: [(String, Value?)] = []) { report(text, .warning, label: .warning, members) }

  /// Prints a warning about a place in a script.
  func warn(_ text: String, at place: String) {
    if form == .json { return warn(place + text) }
    print(text, .warning, place: place)
  }

  /// Prints why a command failed, after its place.
  func report(_ failure: CommandFailure, file: String?, line: Int) {
    complaints?.add(failure)
    if form == .json {
      var failure = failure
      if failure.status == .interrupted, let status = Interruption.endingStatus { failure.status = status }
      return write(ErrorReport(failure, file: file, line: line))
    }
    print(failure.message, .error, place: place(file, line))
    for line in failure.lines { tell("  " + line) }
    if let hint = failure.hint { print(hint, .hint) }
  }

  /// Prints why a part of the current command failed.
  func report(part failure: CommandFailure) {
    if form == .json { return report(failure, file: file, line: line) }
    complaints?.add(failure)
    print(failure.sentence, .error)
  }

  /// Prints a report: the only way of one.
  func write(_ report: ErrorReport) { errors.write(whole: report.text(blanked) + "\n") }

  /// Prints the line below a list; its time is told once.
  func write(_ footer: Footer) {
    if form == .json {
      let text = String(footer.text(width: nil).dropLast())
      write(ErrorReport(.note, text, file: file, line: line, footer.members))
    } else {
      errors.write(EscapedText(lines: footer.text(width: errors.width)))
    }
  }

  /// Adds a row of a bulk command that ended with an error to the log, where there is one.
  func log(row: String, _ failure: CommandFailure) {
    log?.add(row: blanking.line(row), failure, file: file, line: line)
  }

  /// A text without secrets, of the current command or any other.
  private func blanked(_ text: String) -> String { blanking.text(text, quoting: words) }

  private func report(
    _ text: String, _ level: ErrorReport.Level, label: MessageLabel?, _ members: [(String, Value?)] = []
  ) {
    if form == .json { return write(ErrorReport(level, text, file: file, line: line, members)) }
    print(text, label, place: level == .warning ? place(file, line) : "")
  }

  /// The place of a message; the source as a whole has no line.
  private func place(_ file: String?, _ line: Int) -> String {
    file.map { $0 + (line > 0 ? ":\(line): " : ": ") } ?? ""
  }

  /// Prints a message after its place and its label.
  private func print(_ text: String, _ label: MessageLabel?, place: String = "") {
    let head = EscapedText(blanked(place)).text + (label.map { "\($0.rawValue): " } ?? "")
    // Made visible before it is wrapped: it may take more room then.
    let shown = head + EscapedText(blanked(text)).text
    var lines = (errors.width.map { Wrapping.lines(of: shown, width: $0) } ?? [shown])[...]
    if let label, let first = lines.first, first.hasPrefix(head) {
      errors.write(theme.paint(label, after: EscapedText(blanked(place)).text.count, in: first) + "\n")
      lines = lines.dropFirst()
    }
    for line in lines { errors.write("\(line)\n") }
  }
}

/// The errors of the recording that commands have reported, so that they are not repeated at the end.
final class RecordingComplaints {
  private(set) var told: Set<String> = []

  fileprivate func add(_ failure: CommandFailure) {
    guard failure.code.rawValue == BackendError.Code.misconfigured.rawValue, let error = failure.error else { return }
    told.insert(error.message)
  }
}

/// Measures the time of a command, which is reported once.
final class CommandTimer {
  private let now: @Sendable () -> Double
  private var began: Double?

  /// A timer that begins now, by a clock of milliseconds.
  init(_ now: @escaping @Sendable () -> Double) {
    self.now = now
    began = now()
  }

  /// Milliseconds since the command began; nil if that was told before.
  func take() -> Double? {
    defer { began = nil }
    return began.map { now() - $0 }
  }
}
