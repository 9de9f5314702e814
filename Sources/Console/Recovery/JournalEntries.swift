import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files

struct JournalEntries: CommandPart {
  let context: CommandContext

  /// Reads from the journal; nil if there is none. Throws if it cannot or may not be read.
  func reading<Success: Sendable>(
    _ body: (inout SQLiteFile) throws(FileFailure) -> Success
  ) throws -> Success? {
    guard let journal = run.console.journal else { return nil }
    try Restriction.current.check(file: journal.shown)
    do throws(FileFailure) { return try journal.read(body) } catch {
      throw CommandFailure(.configuration, "the journal \(journal.shown) cannot be read: \(error.reason)")
    }
  }

  /// The writes with unknown outcomes, oldest first; optionally also the dismissed ones.
  func unknown(dismissed: Bool = false) throws -> [JournalEntry] {
    try reading { database throws(FileFailure) in try database.unknown(dismissed: dismissed) } ?? []
  }

  /// The numbers of undone writes; if undone only perhaps, with the undo whose outcome is unknown.
  func undone() throws -> [Int64: Int64?] {
    try reading { database throws(FileFailure) in try database.undone() } ?? [:]
  }

  /// The later deletion of the record that an entry deletes, without a creation between them; nil if there is none. A
  /// record is deleted only once: a deletion that read it shows that none before had deleted it, and is credited.
  func laterDeletion(than entry: JournalEntry) throws -> JournalEntry? {
    let next = try reading { database throws(FileFailure) in try database.next(after: entry) } ?? nil
    return next?.verb == "delete" ? next : nil
  }

  /// The entry with a number; nil if there is none, or no longer.
  func found(_ number: Int64) throws -> JournalEntry? {
    try reading { database throws(FileFailure) in try database.entry(number) } ?? nil
  }

  /// Passes on entries backwards from the last one, in batches, until `take` returns false.
  func backwards(
    _ read: (inout SQLiteFile, _ before: Int64, _ limit: Int) throws(FileFailure) -> [JournalEntry],
    take: ([JournalEntry]) throws -> Bool
  ) throws {
    let limit = 200
    var before = Int64.max
    while true {
      let entries = try reading { [before] database throws(FileFailure) in try read(&database, before, limit) } ?? []
      guard try take(entries), let end = entries.last, entries.count == limit else { return }
      before = end.number
    }
  }

  func entries(_ invocation: Invocation) throws -> [JournalEntry] {
    try invocation.counts().map { try entry(Int64($0)) }
  }

  func entry(_ number: Int64) throws -> JournalEntry {
    guard let found = try found(number) else {
      throw CommandFailure(.failure, "the journal has no entry \(number)", code: .init(rawValue: "notFound"))
    }
    return found
  }

  /// Records a verdict in the entry of a write with an unknown outcome.
  func settle(_ entry: JournalEntry, _ verdict: JournalVerdict) throws {
    guard entry.outcome == .unknown, verdict.kind != .undecided, let journal = run.console.journal else { return }
    let isDone = verdict.kind == .done
    let completion = JournalCompletion(
      ended: JournalClock.now(), outcome: isDone ? .done : .failed, code: isDone ? nil : "notDone",
      message: entry.message, id: verdict.id.map { reporter.blanking.text($0.text) },
      settled: reporter.blanking.text(verdict.reason))
    try settle(entry, completion, journal)
  }

  func settle(_ entry: JournalEntry, _ completion: JournalCompletion, _ journal: Journal) throws(CommandFailure) {
    do { try journal.settle(entry.number, completion) } catch {
      throw CommandFailure(.configuration, "the journal \(journal.shown) cannot be written: \(error.reason)")
    }
  }

  /// The target of an entry if it is still the same service and user; otherwise the reason why not.
  func target(of entry: JournalEntry) throws -> (target: Target?, obstacle: String) {
    if let obstacle = obstacle(to: entry.backend, at: entry.place, "sent") { return (nil, obstacle) }
    if entry.place.origin.hasPrefix(BackendAddress.demo), entry.run != run.console.journal?.run {
      return (nil, "the embedded demo server of that run has ended")
    }
    guard let path = ResourcePath(entry.resource) else { return (nil, "its resource is not known") }
    return (Target(backend: try targets.open(entry.backend), path: path), "")
  }

  /// Returns the reason why a backend is not the service or user of an earlier write, as a clause; nil if it is.
  /// `asAnyone` ignores the user.
  func obstacle(to backend: String, at place: JournalPlace, _ done: String, asAnyone: Bool = false) -> String? {
    guard let configuration = targets.configuration(of: backend) ?? adHocConfiguration(backend) else {
      return "the backend \"\(backend)\" is not configured"
    }
    let now = Ledgers(context).journalPlace(of: configuration)
    if !now.isSameService(as: place) {
      return "it was \(done) \(done == "sent" ? "to" : "for") \(place.address), and \(backend) is \(now.address) now"
    }
    if !asAnyone, now.user != place.user {
      return
        "it was \(done) as \(place.user ?? "nobody"), but requests are now sent as \(now.user ?? "nobody")"
    }
    return nil
  }

  private func adHocConfiguration(_ name: String) -> BackendConfiguration? {
    targets.adHocBackend(name).flatMap { targets.configuration(of: $0) }
  }

  /// Reports at an interactive start that earlier runs left unknown outcomes.
  func noteOpenWrites() {
    let count = openWrites()
    guard count > 0 else { return }
    note(
      "\(counted(count, "earlier write has", "earlier writes have")) an unknown outcome: journal outcome=unknown, journal check"
    )
  }

  /// Counts the unknown outcomes left by earlier runs, and removes their marks if there are none. Opens the journal
  /// only if there is a mark.
  @discardableResult func openWrites() -> Int {
    guard let journal = run.console.journal, let folder = journal.folder else { return 0 }
    let ended = folder.endedMarks()
    guard !ended.isEmpty, let unknown = try? journal.read({ database throws(FileFailure) in try database.unknown() })
    else { return 0 }
    let count = unknown.count { !$0.isBeingSent }
    if count == 0 { folder.unmark(ended) }
    return count
  }
}
