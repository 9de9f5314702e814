import BackendKit
import ConsoleSystem

/// The outcomes of a bulk command so far; decides whether more rows are begun.
struct BulkProgress {
  private enum End {
    case interrupted(ExitStatus)
    /// A failure that every other row would have, too.
    case hopeless(ExitStatus)
    case failures
  }

  private let verb: String
  private let target: String
  private let options: BulkOptions
  private let rows: Int
  private var end: End?
  private var worst = ExitStatus.partial
  var counts = BulkTally()
  private(set) var untried: [Int] = []
  /// The rows that failed, have an unknown outcome, or were only partly kept by the server.
  private var failed: [Int] = []

  init(verb: String, target: Target, _ options: BulkOptions, rows: Int) {
    self.verb = verb
    self.target = target.description
    self.options = options
    self.rows = rows
    counts.isRead = verb == "get"
    counts.createsEach = verb == "create"
  }

  var isOver: Bool { end != nil }

  var notDone: [Int] { (failed + untried).sorted() }

  mutating func add(_ end: RowEnd, at index: Int) {
    counts.add(end)
    switch end {
    case .notKept, .altered, .unclear: failed.append(index)
    case .done, .wrote, .notThere, .skipped, .doneBefore: break
    }
  }

  /// Adds a row that failed; false if an interruption merely prevented the attempt.
  mutating func add(_ failure: CommandFailure, at index: Int) -> Bool {
    // An interrupted write may have been applied; a read, or a write that was not sent, was simply not done.
    let isOpen = failure.error?.effect == .applied || failure.error?.effect == .unknown
    if failure.status == .interrupted {
      end = .interrupted(failure.status)
      guard isOpen else {
        untried.append(index)
        return false
      }
    }
    counts.add(failure)
    worst = worst.worse(failure.status)
    if failure.error?.effect != .applied { failed.append(index) }
    if end == nil {
      // An unreachable or misconfigured backend fails for all other rows, too.
      if [.unreachable, .configuration].contains(failure.status) { end = .hopeless(failure.status) }
      if let most = options.maxFailures, counts.failed + counts.unknown >= most { end = .failures }
    }
    return true
  }

  mutating func leave(_ rest: Range<Int>) {
    untried += rest
    counts.untried = untried.count
  }

  /// The failure of the command; nil if every row was done.
  func failure(naming name: @escaping (Int) -> String) -> CommandFailure? {
    let words = counts.words(verb)
    let rest = untried.isEmpty ? "" : "; not tried: " + RowNames(untried, naming: name).words
    func failure(_ status: ExitStatus, _ text: String) -> CommandFailure {
      CommandFailure(status, "\(verb) \(target): \(text)\(rest)", counts)
    }
    if case .interrupted(let status)? = end { return failure(status, "interrupted after \(words)") }
    guard untried.isEmpty else {
      switch end {
      case .hopeless(let status)?: return failure(counts.done == 0 && counts.unknown == 0 ? status : worst, words)
      case .failures?:
        let failures = counts.failed + counts.unknown
        return failure(worst, "stopped after \(counted(failures, "failure")): \(words)")
      case .interrupted?, nil: return failure(.interrupted, "interrupted after \(words)")
      }
    }
    guard counts.errors > 0 else { return nil }
    return failure(counts.errors == rows && worst == .partial ? .failure : worst, words)
  }
}
