import BackendKit

/// The outcome of a row that did not fail.
enum RowEnd: Sendable {
  case done
  /// The same, of a command whose rows are different writes; the verb is `create`, `update` or `delete`.
  case wrote(String)
  /// The server took the write and keeps nothing of it.
  case notKept
  /// The server took the write and keeps not all of it, or perhaps not; with the verb of one whose rows are different writes.
  case altered(String?)
  /// The server took the write, and nothing shows that it keeps any of it.
  case unclear
  /// There was nothing to do it to, and that is no failure.
  case notThere
  /// The condition that chose it no longer holds.
  case skipped
  /// An earlier run of the same plan has done it.
  case doneBefore
}

/// The outcomes of the rows of a bulk command.
struct BulkTally: Sendable {
  /// The number of rows done, including those that nevertheless ended with an error.
  private(set) var done = 0
  /// The number of rows done that ended with an error: the write was applied, and something after it failed.
  private(set) var doneWithError = 0
  /// The number of rows not done.
  private(set) var failed = 0
  /// The number of writes that may or may not have been applied.
  private(set) var unknown = 0
  /// The number of writes accepted by the server but not kept.
  private(set) var notKept = 0
  /// The number of rows done of which the server did not keep all, or perhaps not.
  private(set) var altered = 0
  /// The number of writes accepted by the server of which nothing shows that they changed anything.
  private(set) var unclear = 0
  /// The number of missing records.
  private(set) var notThere = 0
  /// The number of records left as they are because a condition no longer holds for them.
  private(set) var skipped = 0
  /// The number of rows done by an earlier run of the same plan.
  private(set) var doneBefore = 0
  /// The number of rows never begun.
  var untried = 0
  /// The number of rows done for each verb, if a command has several.
  private(set) var verbs: [String: Int] = [:]

  /// True if there was no row at all.
  var isEmpty: Bool { done + failed + unknown + notKept + unclear + notThere + skipped + doneBefore + untried == 0 }

  /// The number of rows reported as errors.
  var errors: Int { doneWithError + failed + unknown }

  /// Counts a row that did not fail.
  mutating func add(_ end: RowEnd) {
    switch end {
    case .done: done += 1
    case .wrote(let verb):
      done += 1
      verbs[verb, default: 0] += 1
    case .notKept: notKept += 1
    case .altered(let verb):
      add(verb.map { .wrote($0) } ?? .done)
      altered += 1
    case .unclear: unclear += 1
    case .notThere: notThere += 1
    case .skipped: skipped += 1
    case .doneBefore: doneBefore += 1
    }
  }

  /// Counts a row that ended with an error.
  mutating func add(_ failure: CommandFailure) {
    switch failure.error?.effect {
    case .applied?:
      done += 1
      doneWithError += 1
    case .unknown?: unknown += 1
    case .notSent?, .rejected?, nil: failed += 1
    }
  }

  /// Counts the rows of another command.
  mutating func add(_ other: BulkTally) {
    done += other.done
    doneWithError += other.doneWithError
    failed += other.failed
    unknown += other.unknown
    notKept += other.notKept
    altered += other.altered
    unclear += other.unclear
    notThere += other.notThere
    skipped += other.skipped
    doneBefore += other.doneBefore
    untried += other.untried
    verbs.merge(other.verbs, uniquingKeysWith: +)
  }

  /// True if each row creates a record, so that the same rows again would create them twice.
  var createsEach = false
  /// True if the rows are only read.
  var isRead = false

  /// The effect of the rows on the data: the least certain effect of an error among them, `applied` if there was none.
  var effect: BackendError.Effect {
    if isRead { return .rejected }
    return unknown > 0 ? .unknown : done > 0 ? .applied : .rejected
  }

  /// The counts in words, for example `12 created, 3 failed, 2 unknown`; `verb` is a command's name.
  func words(_ verb: String) -> String {
    let what =
      switch verb {
      case "create", "update", "delete": "\(verb)d"
      case "get": "read"
      case "apply": "applied"
      case "undo": "undone"
      default: "done"
      }
    var words = "\(done) \(what)"
    if !verbs.isEmpty {
      words = ["create", "update", "delete"].compactMap { verb in verbs[verb].map { "\($0) \(verb)d" } }
        .joined(separator: ", ")
    }
    let doubts = [(doneWithError, "with an error"), (altered, "not stored as sent")].filter { $0.0 > 0 }
    if !doubts.isEmpty { words += " (\(doubts.map { "\($0) of them \($1)" }.joined(separator: ", ")))" }
    if notKept > 0 { words += ", \(notKept) accepted but not stored" }
    if unclear > 0 { words += ", \(unclear) accepted but not stored as sent" }
    if notThere > 0 { words += ", \(notThere) not found" }
    if skipped > 0 { words += ", \(skipped) skipped (the condition no longer holds)" }
    if doneBefore > 0 { words += ", \(doneBefore) done before" }
    if failed > 0 { words += ", \(failed) failed" }
    if unknown > 0 { words += ", \(unknown) unknown" }
    return words
  }

  /// The counts for programs.
  var members: [(String, Value?)] {
    let always = [("done", done), ("failed", failed), ("unknown", unknown)].map { ($0, Value?.some(.int($1))) }
    let others = [
      ("notKept", notKept + unclear), ("altered", altered), ("notThere", notThere), ("skipped", skipped),
      ("doneBefore", doneBefore), ("notTried", untried),
    ]
    return always + others.map { ($0, $1 > 0 ? .int($1) : nil) }
  }
}
