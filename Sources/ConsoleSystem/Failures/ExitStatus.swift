/// The exit status of a run, for scripts.
public enum ExitStatus: Int32, Sendable, Hashable, CaseIterable {
  /// Everything was done.
  case success = 0
  /// A command failed.
  case failure = 1
  /// Wrong usage; nothing was sent.
  case usage = 2
  /// Configuration or plugin.
  case configuration = 3
  /// The backend could not be reached, or not serve the request: a later attempt may succeed.
  case unreachable = 4
  /// A list or a bulk command was cut short.
  case partial = 5
  /// The outcome of a write is unknown.
  case unknownOutcome = 6
  /// The terminal was closed: SIGHUP.
  case hungUp = 129
  /// Interrupted by the user: SIGINT.
  case interrupted = 130
  /// The reader of the output closed it.
  case brokenPipe = 141
  /// Asked to end: SIGTERM.
  case terminated = 143

  /// True if the run was ended from outside, so that its last work may be done or not.
  package var isCutShort: Bool {
    switch self {
    case .hungUp, .interrupted, .brokenPipe, .terminated: true
    case .success, .failure, .usage, .configuration, .unreachable, .partial, .unknownOutcome: false
    }
  }

  /// The more severe status: an unknown write before a partial answer before an unreachable backend before the others.
  public func worse(_ other: ExitStatus) -> ExitStatus {
    func weight(_ status: ExitStatus) -> Int {
      switch status {
      case .success: 0
      case .failure, .usage, .configuration: 1
      case .unreachable: 2
      case .partial: 3
      case .unknownOutcome: 4
      case .hungUp, .interrupted, .brokenPipe, .terminated: 5
      }
    }
    return weight(other) > weight(self) ? other : self
  }
}
