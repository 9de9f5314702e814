/// The way in which an adapter kept a law.
public enum Verdict: Sendable, Hashable {
  /// A claimed ability works.
  case passed
  /// A claimed ability works as far as it could be tried; the remark is a clause about the rest. May quote the server.
  case remarked(String)
  /// An ability that is not claimed is refused without a request.
  case refused
  /// The console does what the server does not, with the same result.
  case emulated
  /// The law has nothing to judge here; the reason is a clause.
  case notApplicable(String)

  /// The verdict as reports write it.
  public var words: String {
    switch self {
    case .passed, .remarked: "passed"
    case .refused: "refused"
    case .emulated: "emulated"
    case .notApplicable: "not applicable"
    }
  }
}

/// A broken law: what was done, what had to come of it, and what came.
public struct Breach: Error, Sendable, Hashable {
  /// The action, as a clause: "the list was walked with pages of 3".
  public var done: String
  /// The expectation of the law, as a clause.
  public var expected: String
  /// The finding, as a clause. May quote the server: it is untrusted text.
  public var found: String

  /// A breach.
  public init(_ done: String, expected: String, found: String) {
    self.done = done
    self.expected = expected
    self.found = found
  }
}

extension Breach: CustomStringConvertible {
  /// All three on one line.
  public var description: String { "\(done); expected \(expected); found \(found)" }
}

/// The reason why a check ended before its last line, where a law has passed.
enum CheckStop: Error {
  case breach(Breach)
  case kept(Verdict)
  /// A claim could not be tried, or not as far as it goes; the reason is a clause.
  case untried(String)

  static func breach(_ done: String, expected: String, found: String) -> CheckStop {
    .breach(Breach(done, expected: expected, found: found))
  }

  static var refused: CheckStop { .kept(.refused) }
  static var emulated: CheckStop { .kept(.emulated) }
  static func remarked(_ remark: String) -> CheckStop { .kept(.remarked(remark)) }
  static func notApplicable(_ reason: String) -> CheckStop { .kept(.notApplicable(reason)) }
}
