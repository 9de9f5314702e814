import BackendKit
public import BackendTransport
public import ConsoleOutput
public import ConsoleSetup
import Synchronization

/// Prints every attempt of every request on standard error: heads and bodies, with secrets blanked.
public final class Trace: AttemptTrace {
  /// The maximum number of bytes shown of a body.
  private static let limit = 64 << 10

  private let blanking: Blanking
  private let errors: Output
  private let shows: Mutex<Bool>

  /// Creates a trace that blanks secrets.
  public init(_ blanking: Blanking, to errors: Output, isOn: Bool) {
    self.blanking = blanking
    self.errors = errors
    shows = Mutex(isOn)
  }

  /// True if attempts are shown.
  public var isOn: Bool { shows.withLock(\.self) }

  func turn(on isOn: Bool) { shows.withLock { $0 = isOn } }

  /// Prints an event.
  public func tell(_ event: TraceEvent) {
    if errors.hasForm {
      errors.write(whole: "\(EscapedText(json: .object(TraceText.object(event, blanking, limit: Self.limit))))\n")
    } else {
      for line in TraceText.lines(event, blanking, limit: Self.limit) { errors.write("\(line)\n") }
    }
    errors.flush()
  }
}
