import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files
import Synchronization

/// The progress of applying a plan: marks in the state folder before and after each write, named by its digest. So a
/// plan that was stopped, killed or edited can be applied again without repeating a write.
struct PlanProgress: Sendable {
  enum Mark: String, Sendable {
    /// It was about to be sent; the outcome is unknown.
    case begun = "b"
    case done = "d"
    /// It was certainly not made.
    case left = "l"
  }

  /// The entry of a write in the journal; the run distinguishes entries of different journals.
  struct Entry: Hashable {
    let number: Int64
    let run: String
  }

  private let path: String?
  private let run: String
  private var marks: [String: Mark] = [:]
  /// The journal entries of writes that were begun or done.
  private var entries: [String: Entry] = [:]
  /// The states that the journal knows better than the marks.
  private var learnt: [Entry: Mark] = [:]
  /// The identifiers of the records that earlier runs created, by the name of the write.
  private var identifiers: [String: RecordID] = [:]
  private let created = CreatedRecords()
  /// The writes whose records later ones name.
  private let named: Set<String>
  private let blanking: Blanking
  private var lines: AppendOnlyStateFile?

  /// The progress of a plan; under another name for each service to which it is applied by a key.
  init(of file: PlanFile, as name: String? = nil, _ ports: CommandContext) throws(FileFailure) {
    path = ports.stateFolder.map { "\($0)/plans/\(name ?? file.header.id)" }
    run = ports.run.console.journal?.run ?? ""
    named = Set(file.rows.compactMap { $0.new == nil ? nil : $0.mark })
    blanking = ports.reporter.blanking
    try read()
  }

  /// The state of the write with a name; nil if it was never begun.
  subscript(name: String) -> Mark? { entries[name].flatMap { learnt[$0] } ?? marks[name] }

  /// The identifier of the record that a write has created, in this run or an earlier one.
  func identifier(of name: String) -> RecordID? {
    created.ids.withLock { $0[name] } ?? (self[name] == .done ? identifiers[name] : nil)
  }

  /// The writes that were made, or may have been, with their entries in the journal.
  var made: [(name: String, entry: Entry?)] { marks.compactMap { $1 == .left ? nil : ($0, entries[$0]) } }

  var isBegun: Bool { !marks.isEmpty }

  private mutating func read() throws(FileFailure) {
    guard let path else { return }
    for line in try AppendOnlyStateFile.read(path) {
      let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard parts.count >= 2, let mark = Mark(rawValue: parts[0]) else { continue }
      let name = parts[1]
      // The lines of an edited plan may not be those that were applied.
      guard Int(name) == nil else {
        throw FileFailure("\(path) is of an earlier version, which counted lines; make a new plan for the rest")
      }
      marks[name] = mark
      if parts.count > 3, let number = Int64(parts[2]) {
        entries[name] = Entry(number: number, run: parts[3])
      } else if mark != .done {
        entries[name] = nil
      }
      if parts.count > 4, let id = (try? JSONReader.read(parts[4]))?.text { identifiers[name] = RecordID(id) }
    }
  }

  /// Opens the marks for writing. Throws while another console applies the same plan.
  mutating func open() throws(FileFailure) {
    guard let path else { throw FileFailure.noStateFolder }
    lines = try AppendOnlyStateFile(path, isAlone: true)
    // Another console may have continued meanwhile.
    try read()
  }

  /// Takes over outcomes from the journal: of writes that were only begun, and of those that were undone. A write that
  /// is only perhaps undone counts as unknown.
  mutating func learn(undone: [Int64: Int64?], _ entry: (Int64) throws -> JournalEntry?) rethrows {
    for (name, own) in entries {
      let undoing = undone[own.number]
      guard undoing != nil || marks[name] == .begun, let found = try entry(own.number), found.run == own.run else {
        continue
      }
      learnt[own] =
        if let undoing { undoing == nil ? .left : .begun } else {
          switch found.outcome {
          case .done: found.code == "notKept" ? .left : .done
          case .failed, .notSent: .left
          case .unknown: .begun
          }
        }
      if learnt[own] == .done, let id = found.id, !id.contains(text: Blanking.mark) { identifiers[name] = RecordID(id) }
    }
  }
}

extension PlanProgress: WriteMarks {
  /// The mark of a write by its name. Several may be written concurrently.
  func row(_ name: String) -> any WriteMark {
    PlanMark(name, run, lines, named.contains(name) ? created : nil, blanking)
  }
}

/// The records that this run has created, by the names of the writes.
private final class CreatedRecords: Sendable {
  let ids = Mutex<[String: RecordID]>([:])
}

private final class PlanMark: WriteMark {
  private let name: String
  private let run: String
  private let lines: AppendOnlyStateFile?
  /// Takes its identifier; nil if no other write needs it.
  private let created: CreatedRecords?
  private let blanking: Blanking
  /// True once the write was sent, with its journal entry.
  private let left = Mutex<(Bool, entry: Int64?)>((false, nil))

  init(
    _ name: String, _ run: String, _ lines: AppendOnlyStateFile?, _ created: CreatedRecords?, _ blanking: Blanking
  ) {
    (self.name, self.run, self.lines, self.created, self.blanking) = (name, run, lines, created, blanking)
  }

  func leave(_ entry: Int64?) throws(BackendError) {
    do { try write(.begun, entry) } catch {
      throw .misconfigured(
        "cannot save the progress of the plan: \(error.reason)", hint: "this write was not sent")
    }
    left.withLock { $0 = (true, entry) }
  }

  func end(_ result: Result<WriteReceipt, BackendError>) {
    let (hasLeft, entry) = left.withLock { $0 }
    guard hasLeft else { return }
    switch result {
    case .success(let receipt): try? write(receipt.isAsSent ? .done : .left, entry, receipt.id)
    case .failure(let error):
      switch error.effect {
      case .notSent, .rejected: try? write(.left)
      case .applied: try? write(.done, entry, error.id.map { RecordID($0) })
      case .unknown: break
      }
    }
  }

  func wasDone() { try? write(.done) }

  /// Writes a mark. The identifier of the record is noted before another write uses it, unless it is a secret.
  private func write(
    _ mark: PlanProgress.Mark, _ entry: Int64? = nil, _ id: RecordID? = nil
  ) throws(FileFailure) {
    let id = created == nil ? nil : id
    let kept = id.flatMap { blanking.text($0.text) == $0.text ? " \(JSONWriter.compact(.string($0.text)))" : nil } ?? ""
    let known = entry.map { " \($0) \(run)" } ?? (kept.isEmpty ? "" : " - -")
    try lines?.add("\(mark.rawValue) \(name)\(known)\(kept)")
    if let id { created?.ids.withLock { $0[name] = id } }
  }
}
