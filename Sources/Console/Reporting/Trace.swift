import BackendKit
public import BackendTransport
public import ConsoleOutput
public import ConsoleSetup
import Synchronization

/// The form in which requests are traced.
public enum TraceForm: String, Sendable, CaseIterable {
  case off
  /// Requests and responses as they were sent.
  case on
  /// Requests as commands of curl.
  case curl
}

/// Prints every attempt of every request on standard error: heads and bodies, with secrets blanked.
public final class Trace: AttemptTrace {
  /// The maximum number of bytes shown of a body.
  private static let limit = 64 << 10

  private let blanking: Blanking
  private let errors: Output
  private let shown: Mutex<TraceForm>

  /// Creates a trace that blanks secrets.
  public init(_ blanking: Blanking, to errors: Output, form: TraceForm) {
    self.blanking = blanking
    self.errors = errors
    shown = Mutex(form)
  }

  /// True if attempts are shown.
  public var isOn: Bool { form != .off }

  var form: TraceForm { shown.withLock(\.self) }

  func turn(to form: TraceForm) { shown.withLock { $0 = form } }

  /// Prints an event.
  public func tell(_ event: TraceEvent) { tell(event, command: nil) }

  /// Prints an event; `command` does what the request did.
  func tell(_ event: TraceEvent, command: String?) {
    if errors.hasForm {
      var object = TraceText.object(event, blanking, limit: Self.limit)
      if let command { object["command"] = .string(command) }
      errors.write(whole: "\(EscapedText(json: .object(object)))\n")
    } else if let command {
      errors.write("> \(event.request).\(event.attempt) \(command)\n")
    } else {
      for line in TraceText.lines(event, blanking, limit: Self.limit) { errors.write("\(line)\n") }
    }
    errors.flush()
  }
}
