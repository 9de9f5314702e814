import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// The plans that assistants propose and their user decides on: numbered files in the state folder.
struct PlanInbox {
  private static let most = (files: 100, bytes: 16 << 20)
  private static let ending = ".plan"

  /// The folder, which also has the progress of applied plans.
  private let folder: String

  /// The inbox of a user; nil without a state folder.
  init?(state: String?) {
    guard let state else { return nil }
    folder = "\(state)/plans"
  }

  func path(_ number: Int) -> String { "\(folder)/\(number)\(Self.ending)" }

  /// The time of its last change; nil if there never was one.
  var changed: [Int]? {
    var status = stat()
    return lstat(folder, &status) == 0 ? [status.st_mtim.tv_sec, status.st_mtim.tv_nsec] : nil
  }

  /// The names of its files.
  private var names: [String] { FolderListing.names(in: folder) ?? [] }

  /// The numbers of the plans, oldest first.
  private var numbers: [Int] {
    names.compactMap { name in
      let number = name.hasSuffix(Self.ending) ? Int(name.dropLast(Self.ending.count)) : nil
      return number.flatMap { (1..<Int(Int32.max)).contains($0) ? $0 : nil }
    }.sorted()
  }

  /// The plans that can be read, oldest first. One that is being written, or is no plan, is left out.
  var plans: [ProposedPlan] { numbers.compactMap(plan) }

  /// The plan with a number; nil if there is none that can be read.
  func plan(_ number: Int) -> ProposedPlan? {
    guard let file = try? PlanFile(path(number), number: number), let proposal = file.header.proposal else {
      return nil
    }
    return ProposedPlan(number: number, file: file, proposal: proposal, outcome: outcome(of: file))
  }

  // MARK: Adding

  /// Makes a plan under a number of its own, which is given back if that fails. An empty file, locked by this process,
  /// keeps the number until the plan takes its place.
  func add(_ make: (Int) async throws -> Object) async throws -> Object {
    let (number, file) = try reserve()
    defer { close(file) }
    do {
      let answer = try await make(number)
      try checkSize()
      return answer
    } catch {
      release(number)
      throw error
    }
  }

  /// Makes room for a plan, and returns its number and its locked file. The oldest plans that are decided go first.
  private func reserve() throws(UsageError) -> (number: Int, file: Int32) {
    try Restriction.current.checkProposing()
    do throws(FileFailure) { try OwnedFolder.prepare(of: path(1)) } catch {
      throw UsageError("a plan cannot be proposed: \(error.reason)")
    }
    // One assistant at a time, so that none finds a file before it is locked.
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    var isLocked = false
    repeat { isLocked = flock(lock, LOCK_EX) == 0 } while !isLocked && errno == EINTR
    for number in isLocked ? numbers : [] where isLeftover(number) { release(number) }
    let numbers = numbers
    let next = (numbers.last ?? 0) + 1
    var (count, size) = (numbers.count, numbers.reduce(0) { $0 + self.size($1) })
    for plan in plans where count >= Self.most.files || size >= Self.most.bytes {
      guard !plan.isOpen else { continue }
      size -= self.size(plan.number)
      count -= 1
      remove(plan)
    }
    guard count < Self.most.files, size < Self.most.bytes else {
      throw UsageError(
        "\(counted(count, "plan")) in the inbox wait for a decision, and it takes no more",
        hint: "ask the person who can apply or refuse them")
    }
    let file = open(path(next), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw UsageError("a plan cannot be proposed: \(FileFailure.system.reason)") }
    flock(file, LOCK_EX)
    return (next, file)
  }

  /// Returns whether the file of a number is one that a process left that was ended before its plan was made.
  private func isLeftover(_ number: Int) -> Bool {
    let file = open(path(number), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { close(file) }
    var status = stat()
    // Its lock ends with the process, or with the plan that took its place and left it without a name.
    return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 && status.st_size == 0
      && status.st_nlink > 0
  }

  /// Gives a number back, with what was written of its plan.
  private func release(_ number: Int) {
    for name in names where name.hasPrefix("\(number)\(Self.ending).") { unlink("\(folder)/\(name)") }
    unlink(path(number))
  }

  /// Throws if a plan that was written makes the inbox too large.
  private func checkSize() throws(CommandFailure) {
    guard numbers.reduce(0, { $0 + size($1) }) > Self.most.bytes else { return }
    throw CommandFailure(.failure, "the plans in the inbox may have \(Self.most.bytes >> 20) MiB; propose fewer writes")
  }

  /// The size of a plan in bytes; 0 of one that is being written, or is not there.
  func size(_ number: Int) -> Int {
    var status = stat()
    return lstat(path(number), &status) == 0 ? Int(status.st_size) : 0
  }

  private func remove(_ plan: ProposedPlan) {
    unlink(outcomePath(plan.file.header.id))
    release(plan.number)
  }

  // MARK: Outcomes

  private func outcomePath(_ id: String) -> String { "\(folder)/\(id).outcome" }

  /// The outcome that was noted for a plan; nil if it waits.
  func outcome(of file: PlanFile) -> PlanOutcome? {
    guard case .success(let file)? = OwnedFile.read(outcomePath(file.header.id)), file.problem == nil,
      let object = (try? JSONReader.read(file.bytes))?.object
    else { return nil }
    return PlanOutcome(object)
  }

  func note(_ outcome: PlanOutcome, of file: PlanFile) throws(FileFailure) {
    let path = outcomePath(file.header.id)
    try OwnedFolder.prepare(of: path)
    try OwnedFile.write(Array(JSONWriter.compact(.object(outcome.object)).utf8), to: path)
  }
}

/// A plan in the inbox.
struct ProposedPlan: Sendable {
  let number: Int
  let file: PlanFile
  let proposal: PlanProposal
  /// Nil while nobody has decided.
  let outcome: PlanOutcome?

  /// True if it can still be applied.
  var isOpen: Bool { outcome.map { $0.state == .partly } ?? !file.header.isExpired }

  /// The numbers of its writes and their backends: `3 updates of crm (production)`.
  var writes: String {
    let places = zip(file.backends, file.counts.backends).filter { $1.total > 0 }.map { backend, counts in
      counts.name + (backend.label.map { " (\($0))" } ?? "")
    }
    return "\(file.counts.words) of \(places.joined(separator: ", "))"
  }

  var facts: Object {
    Object(facts: [
      ("plan", number), ("state", state), ("reason", outcome?.reason), ("made", outcome?.made), ("writes", writes),
      ("time", ClockTime.text(of: file.header.time)), ("by", proposal.author), ("for", proposal.purpose),
    ])
  }

  var state: String { outcome?.state.rawValue ?? (file.header.isExpired ? "expired" : "waiting") }
}

/// The outcome of a proposed plan, as far as the user's own commands know.
struct PlanOutcome: Sendable {
  enum State: String, Sendable {
    case refused, applied, undone
    /// Some of its writes were made, or may have been.
    case partly = "partly applied"
  }

  let state: State
  /// The user's reason for a refusal.
  var reason: String?
  /// The number of writes that were made.
  var made: Int?

  init(_ state: State, reason: String? = nil, made: Int? = nil) {
    (self.state, self.reason, self.made) = (state, reason, made)
  }

  init?(_ object: Object) {
    guard let state = object["state"]?.text.flatMap(State.init(rawValue:)) else { return nil }
    self.init(state, reason: object["reason"]?.text, made: object["made"]?.integer)
  }

  var object: Object { Object(facts: [("state", state.rawValue), ("reason", reason), ("made", made)]) }
}
