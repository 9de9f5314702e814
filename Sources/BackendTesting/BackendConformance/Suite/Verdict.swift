/// How an adapter kept a law.
public enum Verdict: Sendable, Hashable {
  /// What is claimed works.
  case run
  /// What is not claimed is refused, and no request left.
  case refused
  /// What the server does not do is done by the console, with the same result.
  case emulated
  /// The law has nothing to judge here; the reason is a clause.
  case notApplicable(String)

  /// The verdict as reports write it.
  public var words: String {
    switch self {
    case .run: "run"
    case .refused: "refused"
    case .emulated: "emulated"
    case .notApplicable: "not applicable"
    }
  }
}

/// A broken law: what was done, what had to come of it, and what came.
public struct Breach: Error, Sendable, Hashable {
  /// What was done, as a clause: "the list was walked with pages of 3".
  public var done: String
  /// What the law expects, as a clause.
  public var expected: String
  /// What was found, as a clause. May quote the server: it is untrusted text.
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

/// Why a check ended before its last line.
enum Halt: Error {
  case breach(Breach)
  case notApplicable(String)

  static func breach(_ done: String, expected: String, found: String) -> Halt {
    .breach(Breach(done, expected: expected, found: found))
  }
}
