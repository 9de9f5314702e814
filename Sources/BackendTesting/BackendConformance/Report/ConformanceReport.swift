public import BackendKit

/// The result of a run.
public struct ConformanceReport: Sendable, Hashable {
  /// The judged backend and resource, for example `local/todos`.
  public var subject: String
  /// The result of each law, in the order of the run.
  public var results: [LawResult]
  /// The suite's own records that could not be removed. Identifiers come from the server: untrusted text.
  public var leftBehind: [RecordID]
  /// True if the run ended before its last law.
  public var isCancelled: Bool
  /// The reason why the run ended early, if the server became unreachable.
  public var loss: BackendError?
  /// The error of several laws that stopped the run.
  public var cause: String?
  /// The names of the laws that were skipped for the common cause.
  public var notJudged: [String] = []
  /// Abilities of the service that the description does not declare, each as a clause; determined if all laws were
  /// judged. May quote the server: untrusted text.
  public var unclaimed: [String] = []
  /// The seed of generated queries and records.
  public var seed: UInt64
  /// The option that permitted more or less than usual, after a space; empty for none.
  var permission = ""

  /// Creates a report.
  public init(
    subject: String, results: [LawResult], leftBehind: [RecordID] = [], isCancelled: Bool = false, seed: UInt64 = 1
  ) {
    self.subject = subject
    self.results = results
    self.leftBehind = leftBehind
    self.isCancelled = isCancelled
    self.seed = seed
  }

  /// The broken laws.
  public var failures: [LawResult] { results.filter { $0.breach != nil } }

  /// True if every law ran to its end and none was broken.
  public var isPassed: Bool { failures.isEmpty && !isCancelled && loss == nil }

  /// The reason why laws were skipped, as a clause; nil if all were judged.
  var interruption: String? {
    if let cause {
      return "\(CommonCause.limit) laws failed with the same error, and \(notJudged.count) were not checked: \(cause)"
    }
    if isCancelled { return "the run was cancelled" }
    return loss.map { "the server could no longer be reached: \($0.message)" }
  }

  /// The number of requests.
  public var requests: Int { results.reduce(0) { $0 + $1.requests } }

  /// The duration of the laws.
  public var duration: Duration { results.reduce(.zero) { $0 + $1.duration } }

  /// Returns the number of laws with an outcome, in the words of ``LawResult/words``.
  public func count(_ words: String) -> Int { results.count { $0.words == words } }
}
