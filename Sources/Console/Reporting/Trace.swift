import BackendKit
public import BackendTransport
public import ConsoleOutput
public import ConsoleSetup
import Synchronization

/// Shows every attempt of every request on standard error: heads and bodies of requests and responses, secrets blanked.
public final class Trace: AttemptTrace {
  /// The maximum number of bytes of a body that is shown.
  private static let limit = 64 << 10

  private let blanking: Blanking
  private let errors: Output
  private let shows: Mutex<Bool>

  /// A trace without what a blanking knows to be secret.
  public init(_ blanking: Blanking, to errors: Output, isOn: Bool) {
    self.blanking = blanking
    self.errors = errors
    shows = Mutex(isOn)
  }

  /// True if attempts are shown.
  public var isOn: Bool { shows.withLock(\.self) }

  /// Has attempts shown from now on, or no more.
  func turn(on isOn: Bool) { shows.withLock { $0 = isOn } }

  /// Shows what happened.
  public func tell(_ event: TraceEvent) {
    if errors.hasForm {
      errors.write(whole: "\(EscapedText(json: .object(TraceText.object(event, blanking, limit: Self.limit))))\n")
    } else {
      for line in TraceText.lines(event, blanking, limit: Self.limit) { errors.write("\(line)\n") }
    }
    errors.flush()
  }
}
