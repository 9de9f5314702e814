import BackendKit
public import BackendTransport
import Synchronization

/// Shows every attempt of every request on standard error: heads and bodies of requests and responses, secrets blanked.
public final class Trace: AttemptTrace {
  /// How much of a body is shown.
  private static let limit = 64 << 10

  private struct State {
    var isOn: Bool
    /// Made when it is first needed: it reads the files that secrets stand in.
    var blanking: Blanking?
    var secrets: [String] = []
  }

  private let configuration: Configuration
  private let environment: [String: String]
  private let errors: Output
  private let state: Mutex<State>

  /// A trace that knows the secrets of a configuration's backends.
  public init(_ configuration: Configuration, environment: [String: String], to errors: Output, isOn: Bool) {
    self.configuration = configuration
    self.environment = environment
    self.errors = errors
    state = Mutex(State(isOn: isOn))
  }

  /// Whether attempts are shown.
  public var isOn: Bool { state.withLock(\.isOn) }

  /// Has attempts shown from now on, or no more.
  func turn(on isOn: Bool) { state.withLock { $0.isOn = isOn } }

  /// Has texts taken out from now on, wherever they stand.
  public func keepSecret(_ texts: [String]) {
    state.withLock { state in
      if let blanking = state.blanking { blanking.keepSecret(texts) } else { state.secrets += texts }
    }
  }

  /// Shows what happened.
  public func tell(_ event: TraceEvent) {
    let blanking = blanking()
    if errors.hasForm {
      errors.write(whole: JSONWriter.compact(.object(TraceText.object(event, blanking, limit: Self.limit))) + "\n")
    } else {
      for line in TraceText.lines(event, blanking, limit: Self.limit) { errors.write(Visible.text(line) + "\n") }
    }
    errors.flush()
  }

  private func blanking() -> Blanking {
    state.withLock { state in
      if let blanking = state.blanking { return blanking }
      let blanking = Blanking(configuration, environment: environment)
      blanking.keepSecret(state.secrets)
      state.blanking = blanking
      state.secrets = []
      return blanking
    }
  }
}
