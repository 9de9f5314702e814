import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Prints messages that are not results on standard error, without secrets.
struct Reporter {
  let errors: Output
  let form: ErrorForm
  let theme: Theme
  /// The script or stream of the command; nil at a terminal.
  let file: String?
  /// The command's line; 0 without one.
  let line: Int
  /// The command's words; some are secret by their position.
  let words: [Word]
  let blanking: Blanking
  /// The progress display; nil if nobody would see it.
  let progress: Progress?
  /// The log for operators; nil without one.
  let log: RunLog?
  /// The time of the command; nil outside of one.
  let timer: CommandTimer?
  /// The reported errors of the recording; nil if the run is not recorded.
  let complaints: RecordingComplaints?

  /// Shows how many records of a list were read, and of how many; nil if nobody would see it.
  var listProgress: ListProgress? {
    progress.map { progress in ListProgress(read: { progress.advance($0) }, expect: { progress.expect($0) }) }
  }

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

  /// Prints the failure of a command after its place.
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

  func report(part failure: CommandFailure) {
    if form == .json { return report(failure, file: file, line: line) }
    complaints?.add(failure)
    print(failure.sentence, .error)
  }

  /// Prints a report. Every report goes through here.
  func write(_ report: ErrorReport) { errors.write(whole: report.text(blanked) + "\n") }

  /// Prints the line below a list.
  func write(_ footer: Footer) {
    if form == .json {
      let text = String(footer.text(width: nil).dropLast())
      write(ErrorReport(.note, text, file: file, line: line, footer.members))
    } else {
      errors.write(EscapedText(lines: footer.text(width: errors.width)))
    }
  }

  /// Logs a row of a bulk command that ended with an error.
  func log(row: String, _ failure: CommandFailure) {
    log?.add(row: blanking.line(row), failure, file: file, line: line)
  }

  private func blanked(_ text: String) -> String { blanking.text(text, quoting: words) }

  private func report(
    _ text: String, _ level: ErrorReport.Level, label: MessageLabel?, _ members: [(String, Value?)] = []
  ) {
    if form == .json { return write(ErrorReport(level, text, file: file, line: line, members)) }
    print(text, label, place: level == .warning ? place(file, line) : "")
  }

  /// The place of a message; without a line for the whole source.
  private func place(_ file: String?, _ line: Int) -> String {
    file.map { $0 + (line > 0 ? ":\(line): " : ": ") } ?? ""
  }

  /// Prints a message after its place and label.
  private func print(_ text: String, _ label: MessageLabel?, place: String = "") {
    let head = EscapedText(blanked(place)).text + (label.map { "\($0.rawValue): " } ?? "")
    // Escaped before wrapping, as escapes take more room.
    let shown = head + EscapedText(blanked(text)).text
    var lines = (errors.width.map { Wrapping.lines(of: shown, width: $0) } ?? [shown])[...]
    if let label, let first = lines.first, first.hasPrefix(head) {
      errors.write(theme.paint(label, after: EscapedText(blanked(place)).text.count, in: first) + "\n")
      lines = lines.dropFirst()
    }
    for line in lines { errors.write("\(line)\n") }
  }
}

/// The errors of the recording that commands have reported, which are not repeated at the end.
final class RecordingComplaints {
  private(set) var told: Set<String> = []

  fileprivate func add(_ failure: CommandFailure) {
    guard failure.code.rawValue == BackendError.Code.misconfigured.rawValue, let error = failure.error else { return }
    told.insert(error.message)
  }
}

final class CommandTimer {
  private let now: @Sendable () -> Double
  private var began: Double?

  /// Creates a timer that begins now. The clock returns milliseconds.
  init(_ now: @escaping @Sendable () -> Double) {
    self.now = now
    began = now()
  }

  /// Returns the milliseconds since the command began; nil if they were returned before.
  func take() -> Double? {
    defer { began = nil }
    return began.map { now() - $0 }
  }
}
