/// The result of one law.
public struct LawResult: Sendable, Hashable {
  /// The outcome of a law.
  public enum Outcome: Sendable, Hashable {
    case kept(Verdict)
    case broken(Breach)
  }

  /// The law.
  public var law: Law
  /// The outcome.
  public var outcome: Outcome
  /// The number of requests it took.
  public var requests: Int
  /// The time it took.
  public var duration: Duration

  /// A result.
  public init(_ law: Law, _ outcome: Outcome, requests: Int = 0, duration: Duration = .zero) {
    self.law = law
    self.outcome = outcome
    self.requests = requests
    self.duration = duration
  }

  /// The breach, or nil where the law was kept.
  public var breach: Breach? {
    if case .broken(let breach) = outcome { breach } else { nil }
  }

  /// The reason why the law had nothing to judge, or nil if it had.
  public var reasonNotApplicable: String? {
    if case .kept(.notApplicable(let reason)) = outcome { reason } else { nil }
  }

  /// The remark on a law that was kept as far as it could be tried, or nil.
  public var remark: String? {
    if case .kept(.remarked(let remark)) = outcome { remark } else { nil }
  }

  /// The outcome as reports write it.
  public var words: String {
    switch outcome {
    case .kept(let verdict): verdict.words
    case .broken: "failed"
    }
  }
}
