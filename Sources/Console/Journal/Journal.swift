public import ConsoleSetup
import ConsoleSystem
import Files
import Glibc
import Synchronization

/// The journal of all writes: a file that every console of a user shares. It is opened by the first write, or by the first command
/// that reads it, and by nothing else.
public final class Journal: Sendable {
  /// A step of a write to the journal.
  enum Step: Sendable {
    case begin(JournalEntry)
    case complete(Int64, JournalCompletion)
    case settle(Int64, JournalCompletion)
    /// The address of the job that carries the write out.
    case accept(Int64, String)
  }

  private struct Waiting {
    let step: Step
    let continuation: CheckedContinuation<Result<Int64, FileFailure>, Never>
  }

  private struct State: ~Copyable {
    var database: SQLiteFile?
    var run: String
    /// The number of writes that have begun and are not complete.
    var inFlight = 0
    /// The steps requested while several writes are in flight.
    var waiting: [Waiting] = []
    var isScheduled = false
    /// The number of commands that write many records at the moment.
    var bulks = 0
    /// The completions of their writes that the next transaction takes along.
    var completions: [Step] = []
    /// True if they are going to be written a moment later.
    var isDelayed = false
    var hasMark = false
    var hasUnknown = false
    var begun = 0
    var steps: Int64 = 0
    /// The reason why it cannot be written; reported once.
    var complaint: String?
    var hasComplained = false
  }

  /// Its folder; nil if the environment names none.
  let folder: JournalFolder?
  private let keep: JournalKeep
  private let executor: (any TaskExecutor)?
  private let state: Mutex<State>

  /// The journal in the state folder of the user whom the environment tells of, opened later. `run` is the name of the run, empty
  /// where it has none yet.
  public init(environment: [String: String], run: String, keep: JournalKeep, executor: (any TaskExecutor)? = nil) {
    folder = UserFolders(environment: environment).state.map(JournalFolder.init)
    self.keep = keep
    self.executor = executor
    self.state = Mutex(State(run: run))
  }

  /// The name of the run.
  var run: String {
    state.withLock { state in
      if state.run.isEmpty { state.run = RunID.make() }
      return state.run
    }
  }

  /// The number of a command of this process, which its entries have in common.
  func nextStep() -> Int64 {
    state.withLock { state in
      state.steps += 1
      return state.steps
    }
  }

  // MARK: Writing

  /// Writes an entry before its write is sent; returns its number.
  func begin(_ entry: JournalEntry) async throws(FileFailure) -> Int64 {
    state.withLock { $0.inFlight += 1 }
    do { return try await submit(.begin(entry)) } catch {
      state.withLock { $0.inFlight -= 1 }
      throw error
    }
  }

  /// Writes the outcome of an entry's write. Between ``beginBulk()`` and ``endBulk()`` it is written with the next entry, or a moment
  /// later: a run that is killed meanwhile leaves the outcome unknown.
  func complete(_ number: Int64, _ completion: JournalCompletion) async throws(FileFailure) {
    defer { state.withLock { $0.inFlight -= 1 } }
    let (isGathered, isFirst) = state.withLock { state in
      guard state.bulks > 0 else { return (false, false) }
      state.completions.append(.complete(number, completion))
      defer { state.isDelayed = true }
      return (true, !state.isDelayed)
    }
    guard isGathered else { return _ = try await submit(.complete(number, completion)) }
    guard isFirst else { return }
    Task(executorPreference: executor) {
      try? await Task.sleep(for: Self.longestDelay)
      self.writeDelayed()
    }
  }

  /// The longest time for which the outcome of one write among many is not yet in the file.
  private static let longestDelay = Duration.milliseconds(20)

  /// Begins a command that writes many records: their outcomes are written together with the entries that follow them.
  func beginBulk() { state.withLock { $0.bulks += 1 } }

  /// Ends a command that wrote many records.
  func endBulk() {
    state.withLock { state in
      state.bulks -= 1
      writeCompletions(&state)
    }
  }

  private func writeDelayed() {
    state.withLock { state in
      state.isDelayed = false
      writeCompletions(&state)
    }
  }

  private func writeCompletions(_ state: inout State) {
    guard !state.completions.isEmpty else { return }
    do throws(FileFailure) { _ = try carryOut([], &state) } catch { complain(error, &state) }
  }

  /// Writes what was found out later of a write whose outcome was unknown.
  func settle(_ number: Int64, _ completion: JournalCompletion) throws(FileFailure) {
    _ = try state.withLock { state throws(FileFailure) in try carryOut([.settle(number, completion)], &state) }
  }

  /// Writes the address of the job that carries a write out.
  func accept(_ number: Int64, _ job: String) async throws(FileFailure) { _ = try await submit(.accept(number, job)) }

  /// A single write is written immediately. Concurrent writes are written together: each transaction is one more write
  /// to the file.
  private func submit(_ step: Step) async throws(FileFailure) -> Int64 {
    let isAlone = state.withLock { $0.inFlight <= 1 && $0.waiting.isEmpty }
    if isAlone {
      return try state.withLock { state throws(FileFailure) in try carryOut([step], &state)[0] }
    }
    let result = await withCheckedContinuation { continuation in
      let schedules = state.withLock { state in
        state.waiting.append(Waiting(step: step, continuation: continuation))
        defer { state.isScheduled = true }
        return !state.isScheduled
      }
      if schedules { Task(executorPreference: executor) { self.flush() } }
    }
    return try result.get()
  }

  private func flush() {
    let (waiting, result) = state.withLock { state -> ([Waiting], Result<[Int64], FileFailure>) in
      state.isScheduled = false
      let waiting = state.waiting
      state.waiting = []
      return (waiting, Result { () throws(FileFailure) in try carryOut(waiting.map(\.step), &state) })
    }
    for (index, one) in waiting.enumerated() { one.continuation.resume(returning: result.map { $0[index] }) }
  }

  /// Writes steps, and before them the completions that were gathered.
  private func carryOut(_ requested: [Step], _ state: inout State) throws(FileFailure) -> [Int64] {
    try open(&state)
    if !state.hasMark {
      folder?.mark()
      state.hasMark = true
      try state.database?.forget(keep)
    }
    let completions = state.completions
    state.completions = []
    let steps = completions + requested
    let numbers = try state.database?.carryOut(steps) ?? []
    for case .complete(_, let completion) in steps where completion.outcome == .unknown { state.hasUnknown = true }
    state.begun += steps.count
    if state.begun >= 1_000 {
      state.begun = 0
      try state.database?.forget(keep)
    }
    return Array(numbers.dropFirst(completions.count))
  }

  private func open(_ state: inout State) throws(FileFailure) {
    guard state.database == nil else { return }
    guard let folder else { throw FileFailure.noStateFolder }
    let lock = try folder.locked()
    defer { close(lock) }
    let isNew = !folder.hasFile
    do throws(FileFailure) { state.database = try Self.opened(folder) } catch {
      if isNew { folder.discard() }
      throw error
    }
  }

  private static func opened(_ folder: JournalFolder) throws(FileFailure) -> SQLiteFile {
    var database = try SQLiteFile(path: try folder.prepared())
    try JournalSchema.prepare(&database)
    return database
  }

  /// The place of the file, for messages.
  var shown: String { folder?.file ?? "journal.db" }

  /// Notes that a write goes on although it is not journaled, or not completely.
  func complain(_ failure: FileFailure) { state.withLock { complain(failure, &$0) } }

  private func complain(_ failure: FileFailure, _ state: inout State) {
    if state.hasComplained { return }
    state.hasComplained = true
    state.complaint = failure.reason
  }

  /// That writes go on without the journal, and why, as a sentence; once.
  func takeProblem() -> String? {
    state.withLock { $0.complaint.take() }.map {
      "the journal \(shown) cannot be written: \($0); writes continue without it"
    }
  }

  /// Ends the run: without a write whose outcome is unknown nothing is left to be told at the next start.
  func end() {
    state.withLock { state in
      writeCompletions(&state)
      if state.hasMark, state.inFlight == 0, !state.hasUnknown { folder?.unmark() }
    }
  }

  // MARK: Reading

  /// Reads from the file; nil where there is none yet.
  func read<Success: Sendable>(
    _ body: (inout SQLiteFile) throws(FileFailure) -> Success
  ) throws(FileFailure) -> Success? {
    guard folder?.hasFile == true else { return nil }
    return try state.withLock { state throws(FileFailure) -> Success? in
      writeCompletions(&state)
      try open(&state)
      guard var database = state.database.take() else { return nil }
      let result: Result<Success, FileFailure>
      do throws(FileFailure) { result = .success(try body(&database)) } catch { result = .failure(error) }
      state.database = consume database
      return try result.get()
    }
  }
}

/// The outcome of a write, as written to its entry.
struct JournalCompletion: Sendable {
  var ended: Int64
  var outcome: JournalEntry.Outcome
  var code: String?
  var message: String?
  /// The identifier, where the write has told it.
  var id: String?
  var after: JournalImage?
  /// The finding of a later check.
  var settled: String?
  /// The address at which the service tells how far the write is.
  var job: String?
}

/// The time as the journal keeps it.
enum JournalClock {
  /// Now, in milliseconds since 1970.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec / 1_000_000)
  }
}
