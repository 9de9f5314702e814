/// The way in which an adapter kept a law.
public enum Verdict: Sendable, Hashable {
  /// A declared ability works.
  case passed
  /// A declared ability works as far as it was tested; the remark is a clause about the rest. May quote the server.
  case remarked(String)
  /// An undeclared ability is refused without a request.
  case refused
  /// The console does the work of the server, with the same result.
  case emulated
  /// The law does not apply; the reason is a clause.
  case notApplicable(String)

  /// The verdict, as in reports.
  public var words: String {
    switch self {
    case .passed, .remarked: "passed"
    case .refused: "refused"
    case .emulated: "emulated"
    case .notApplicable: "not applicable"
    }
  }
}

/// A broken law: the action, the expectation and the finding.
public struct Breach: Error, Sendable, Hashable {
  /// The action, as a clause: "the list was walked with pages of 3".
  public var done: String
  /// The expectation, as a clause.
  public var expected: String
  /// The finding, as a clause. May quote the server: untrusted text.
  public var found: String
  /// The last requests and responses of the law, each on a line. May quote the server: untrusted text.
  public var exchanges: [String] = []

  /// Creates a breach.
  public init(_ done: String, expected: String, found: String) {
    self.done = done
    self.expected = expected
    self.found = found
  }
}

extension Breach: CustomStringConvertible {
  /// All three in one line.
  public var description: String { "\(done); expected \(expected); found \(found)" }
}

/// The reason why a check ended early; otherwise the law has passed.
enum CheckStop: Error {
  case breach(Breach)
  case kept(Verdict)
  /// A claim could not be tested, or only in part; the reason is a clause.
  case untried(String)

  static func breach(_ done: String, expected: String, found: String) -> CheckStop {
    .breach(Breach(done, expected: expected, found: found))
  }

  static var refused: CheckStop { .kept(.refused) }
  static var emulated: CheckStop { .kept(.emulated) }
  static func remarked(_ remark: String) -> CheckStop { .kept(.remarked(remark)) }
  static func notApplicable(_ reason: String) -> CheckStop { .kept(.notApplicable(reason)) }
}
