import BackendKit
public import ConsoleSetup
import ConsoleSystem
import Files
import Glibc
import Synchronization

/// The journal of all writes: a file shared by all consoles of a user. It is opened by the first write, or the first
/// command that reads it.
public final class Journal: Sendable {
  enum Step: Sendable {
    case begin(JournalEntry)
    case complete(Int64, JournalCompletion)
    case settle(Int64, JournalCompletion)
    /// The address of the job that performs the write.
    case accept(Int64, String)
  }

  private struct Waiting {
    let step: Step
    let continuation: CheckedContinuation<Result<Int64, FileFailure>, Never>
  }

  private struct State: ~Copyable {
    var database: SQLiteFile?
    var run: String
    var inFlight = 0
    /// The steps requested while several writes are in flight.
    var waiting: [Waiting] = []
    var isScheduled = false
    /// The number of running commands that write many records.
    var bulks = 0
    /// The completions of their writes that are not in the file yet.
    var completions: [Step] = []
    /// True if they are scheduled to be written.
    var isDelayed = false
    var hasMark = false
    var hasUnknown = false
    var begun = 0
    var steps: Int64 = 0
    /// The reason why the file cannot be written; reported once.
    var complaint: String?
    var hasComplained = false
  }

  let folder: JournalFolder?
  private let keep: JournalKeep
  private let executor: (any TaskExecutor)?
  private let state: Mutex<State>

  /// Creates the journal in the user's state folder, without opening it. `run` is the identifier of the run, or empty.
  public init(environment: [String: String], run: String, keep: JournalKeep, executor: (any TaskExecutor)? = nil) {
    folder = UserFolders(environment: environment).state.map(JournalFolder.init)
    self.keep = keep
    self.executor = executor
    self.state = Mutex(State(run: run))
  }

  var run: String {
    state.withLock { state in
      if state.run.isEmpty { state.run = RunID.make() }
      return state.run
    }
  }

  /// Returns the next number of a command in this process. Its entries share it.
  func nextStep() -> Int64 {
    state.withLock { state in
      state.steps += 1
      return state.steps
    }
  }

  // MARK: Writing

  /// Writes an entry before its write is sent, and returns its number.
  func begin(_ entry: JournalEntry) async throws(FileFailure) -> Int64 {
    state.withLock { $0.inFlight += 1 }
    do { return try await submit(.begin(entry)) } catch {
      state.withLock { $0.inFlight -= 1 }
      throw error
    }
  }

  /// Adds the outcome to an entry. Between ``beginBulk()`` and ``endBulk()`` it is written with the next entry, or
  /// within 20 ms: if the run is killed before, the outcome remains unknown.
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

  /// The maximum delay of an outcome during bulk writes.
  private static let longestDelay = Duration.milliseconds(20)

  /// Begins a command that writes many records: outcomes are written together with later entries.
  func beginBulk() { state.withLock { $0.bulks += 1 } }

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

  /// Adds the later finding to an entry whose outcome was unknown.
  func settle(_ number: Int64, _ completion: JournalCompletion) throws(FileFailure) {
    _ = try state.withLock { state throws(FileFailure) in try carryOut([.settle(number, completion)], &state) }
  }

  /// Adds the address of the job that performs the write.
  func accept(_ number: Int64, _ job: String) async throws(FileFailure) { _ = try await submit(.accept(number, job)) }

  /// Writes steps of concurrent writes together, since each transaction costs a write to the file; a single one is
  /// written immediately.
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

  /// Writes steps after the delayed completions.
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

  var shown: String { folder?.file ?? "journal.db" }

  /// Notes that a write continues although the journal lacks it, or a part of it.
  func complain(_ failure: FileFailure) { state.withLock { complain(failure, &$0) } }

  private func complain(_ failure: FileFailure, _ state: inout State) {
    if state.hasComplained { return }
    state.hasComplained = true
    state.complaint = failure.reason
  }

  /// The problem that makes writes continue without the journal, as a sentence; returned once.
  func takeProblem() -> String? {
    state.withLock { $0.complaint.take() }.map {
      "the journal \(shown) cannot be written: \($0); writes continue without it"
    }
  }

  /// Ends the run. The process leaves its mark only if it has a write with an unknown outcome.
  func end() {
    state.withLock { state in
      writeCompletions(&state)
      if state.hasMark, state.inFlight == 0, !state.hasUnknown { folder?.unmark() }
    }
  }

  // MARK: Reading

  /// Reads from the file; nil if there is none yet.
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

struct JournalCompletion: Sendable {
  var ended: Int64
  var outcome: JournalEntry.Outcome
  var code: String?
  var message: String?
  var id: String?
  var after: JournalImage?
  /// The finding of a later check.
  var settled: String?
  /// The address of the job that performs the write.
  var job: String?
}

enum JournalClock {
  static func now() -> Int64 { Int64(SystemClock.milliseconds) }
}
