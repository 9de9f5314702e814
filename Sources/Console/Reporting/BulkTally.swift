import BackendKit

enum RowEnd: Sendable {
  case done
  /// Done, by a command with different writes: `create`, `update` or `delete`.
  case wrote(String)
  /// The server accepted the write and kept nothing of it.
  case notKept
  /// The server accepted the write and did not keep all of it, or perhaps not. The verb is that of `wrote`.
  case altered(String?)
  /// The server accepted the write, and nothing shows that it kept any of it.
  case unclear
  /// The record does not exist, which is not a failure.
  case notThere
  /// The condition that selected the record no longer holds.
  case skipped
  /// An earlier run of the same plan did it.
  case doneBefore
}

struct BulkTally: Sendable {
  /// The number of rows done, including those that nevertheless ended with an error.
  private(set) var done = 0
  /// The number of rows done that ended with an error: the write was applied, and something after it failed.
  private(set) var doneWithError = 0
  private(set) var failed = 0
  /// The number of writes that may or may not have been applied.
  private(set) var unknown = 0
  /// The number of writes that the server accepted but did not keep.
  private(set) var notKept = 0
  /// The number of rows done that the server did not keep completely, or perhaps not.
  private(set) var altered = 0
  /// The number of writes accepted by the server without any sign of a change.
  private(set) var unclear = 0
  private(set) var notThere = 0
  /// The number of records left unchanged since their condition no longer holds.
  private(set) var skipped = 0
  /// The number of rows done by an earlier run of the same plan.
  private(set) var doneBefore = 0
  var untried = 0
  /// The number of rows done by verb, if a command has several; those that ended with an error apart.
  private(set) var verbs: [String: Int] = [:]
  private var verbsWithError: [String: Int] = [:]

  var isEmpty: Bool { done + failed + unknown + notKept + unclear + notThere + skipped + doneBefore + untried == 0 }

  /// The number of rows reported as errors.
  var errors: Int { doneWithError + failed + unknown }

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

  mutating func add(_ failure: CommandFailure) {
    switch failure.error?.effect {
    case .applied?:
      done += 1
      doneWithError += 1
      verbsWithError[failure.error?.operation ?? "", default: 0] += 1
    case .unknown?: unknown += 1
    case .notSent?, .rejected?, nil: failed += 1
    }
  }

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
    verbsWithError.merge(other.verbsWithError, uniquingKeysWith: +)
  }

  /// True if each row creates a record, so that repeating the rows would create duplicates.
  var createsEach = false
  var isRead = false

  /// The effect of the rows on the data: the least certain effect of their errors, `applied` without errors.
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
      let verbs = verbs.merging(verbsWithError, uniquingKeysWith: +)
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

  var members: [(String, Value?)] {
    let always = [("done", done), ("failed", failed), ("unknown", unknown)].map { ($0, Value?.some(.int($1))) }
    let others = [
      ("notKept", notKept + unclear), ("altered", altered), ("notThere", notThere), ("skipped", skipped),
      ("doneBefore", doneBefore), ("notTried", untried),
    ]
    return always + others.map { ($0, $1 > 0 ? .int($1) : nil) }
  }
}

/// Collects data about the running command for the log.
struct CommandTally: Sendable {
  var backend: String?
  var resource: String?
  /// The number of records shown or written, if known.
  var records: Int?
  /// The outcomes of the rows of a bulk command, if not all were done.
  var counts: BulkTally?
  /// The effect on the data; nil if nothing was written and nothing failed.
  private(set) var effect: BackendError.Effect?
  /// The same, but for writes that the server accepted and did not keep: what they left in the data.
  private(set) var left: BackendError.Effect?
  /// True if the server kept what was written, as far as known.
  private(set) var isKept = true

  /// Takes down what a write, or an error, did to the data: of several the least certain counts. `left` is the effect of
  /// a write that was accepted and not kept.
  mutating func add(_ effect: BackendError.Effect, left: BackendError.Effect? = nil) {
    if left != nil { isKept = false }
    self.effect = Self.lessCertain(self.effect, effect)
    self.left = Self.lessCertain(self.left, left ?? effect)
  }

  /// Takes down what the writes of another tally did.
  mutating func add(effectsOf other: CommandTally) {
    if !other.isKept { isKept = false }
    effect = Self.lessCertain(effect, other.effect)
    left = Self.lessCertain(left, other.left)
  }

  private static func lessCertain(_ one: BackendError.Effect?, _ other: BackendError.Effect?) -> BackendError.Effect? {
    [.unknown, .applied, .rejected, .notSent].first { $0 == one || $0 == other }
  }
}
