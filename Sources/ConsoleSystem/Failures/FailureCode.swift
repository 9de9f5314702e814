import BackendKit

/// The kind of a failure: a stable word for scripts and programs. A backend's errors have the codes of
/// ``BackendError/Code``; the others are the console's own.
package struct FailureCode: Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Wrong usage; nothing was sent.
  static let usage = FailureCode(rawValue: "usage")
  static let configuration = FailureCode(rawValue: "configuration")
  package static let plugin = FailureCode(rawValue: "plugin")
  /// A command that failed in another way: a shell command, a file that cannot be written.
  static let failed = FailureCode(rawValue: "failed")
  /// A list or a command over several records that was cut short.
  static let partial = FailureCode(rawValue: "partial")
  /// An expectation that did not hold.
  package static let expectation = FailureCode(rawValue: "expectation")

  /// The code of a failure caused by `--strict`.
  package static let strict = FailureCode(rawValue: "strict")

  /// The code of a failure if only its exit status is known.
  package init(_ status: ExitStatus) {
    self =
      switch status {
      case .usage: .usage
      case .configuration: .configuration
      case .unreachable: FailureCode(rawValue: BackendError.Code.unavailable.rawValue)
      case .partial: .partial
      case .hungUp, .interrupted, .terminated: FailureCode(rawValue: BackendError.Code.cancelled.rawValue)
      case .success, .failure, .unknownOutcome, .brokenPipe: .failed
      }
  }

  package static let all =
    BackendError.Code.allCases.map { FailureCode(rawValue: $0.rawValue) }
    + [usage, configuration, plugin, failed, partial, expectation, strict]
}
