/// The result of a law.
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
  /// The number of requests.
  public var requests: Int
  /// The time it took.
  public var duration: Duration

  /// Creates a result.
  public init(_ law: Law, _ outcome: Outcome, requests: Int = 0, duration: Duration = .zero) {
    self.law = law
    self.outcome = outcome
    self.requests = requests
    self.duration = duration
  }

  /// The breach; nil if the law was kept.
  public var breach: Breach? {
    if case .broken(let breach) = outcome { breach } else { nil }
  }

  /// The parts of the explanation of a breach, with their names.
  var explanation: [(String, String)] {
    guard let breach else { return [] }
    return [("promise", law.promise), ("done", breach.done), ("expected", breach.expected), ("found", breach.found)]
      + breach.exchanges.map { ("sent", $0) }
  }

  /// The reason why the law did not apply; nil if it did.
  public var reasonNotApplicable: String? {
    if case .kept(.notApplicable(let reason)) = outcome { reason } else { nil }
  }

  /// The remark on a law that was only tested in part; nil for none.
  public var remark: String? {
    if case .kept(.remarked(let remark)) = outcome { remark } else { nil }
  }

  /// The outcome, as in reports.
  public var words: String {
    switch outcome {
    case .kept(let verdict): verdict.words
    case .broken: "failed"
    }
  }
}
