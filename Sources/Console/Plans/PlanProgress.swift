import BackendKit
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
  fileprivate struct Entry: Hashable {
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
  private var lines: AppendOnlyStateFile?

  init(_ id: String, environment: [String: String], run: String) throws(FileFailure) {
    path = UserFolders(environment: environment).state.map { "\($0)/plans/\(id)" }
    self.run = run
    try read()
  }

  /// The state of the write with a name; nil if it was never begun.
  subscript(name: String) -> Mark? { entries[name].flatMap { learnt[$0] } ?? marks[name] }

  var isBegun: Bool { !marks.isEmpty }

  private mutating func read() throws(FileFailure) {
    guard let path else { return }
    for line in try AppendOnlyStateFile.read(path) {
      let parts = line.split(separator: " ").map(String.init)
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
    }
  }
}

extension PlanProgress: WriteMarks {
  /// The mark of a write by its name. Several may be written concurrently.
  func row(_ name: String) -> any WriteMark { PlanMark(name, run, lines) }
}

private final class PlanMark: WriteMark {
  private let name: String
  private let run: String
  private let lines: AppendOnlyStateFile?
  /// True once the write was sent, with its journal entry.
  private let left = Mutex<(Bool, entry: Int64?)>((false, nil))

  init(_ name: String, _ run: String, _ lines: AppendOnlyStateFile?) {
    self.name = name
    self.run = run
    self.lines = lines
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
    case .success(let receipt): try? write(receipt.isAsSent ? .done : .left, entry)
    case .failure(let error):
      switch error.effect {
      case .notSent, .rejected: try? write(.left)
      case .applied: try? write(.done, entry)
      case .unknown: break
      }
    }
  }

  func wasDone() { try? write(.done) }

  private func write(_ mark: PlanProgress.Mark, _ entry: Int64? = nil) throws(FileFailure) {
    try lines?.add("\(mark.rawValue) \(name)\(entry.map { " \($0) \(run)" } ?? "")")
  }
}
