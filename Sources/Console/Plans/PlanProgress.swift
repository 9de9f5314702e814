import BackendClient
import BackendKit
import ConsoleSystem
import Files
import Synchronization

/// The progress of applying a plan: a mark before and after each write, by its line in the plan, in the state folder.
/// So a plan that was stopped or killed can be applied again, and no write of it is repeated.
struct PlanProgress: Sendable {
  /// The state of a write.
  enum Mark: String, Sendable {
    /// It was about to be sent, and nothing is known of it.
    case begun = "b"
    case done = "d"
    /// It was certainly not made.
    case left = "l"
  }

  private let path: String?
  private var marks: [Int: Mark] = [:]
  /// The entries in the journal of the writes that were done.
  private var entries: [Int: Int64] = [:]
  /// The entries that were undone since.
  private var undone: Set<Int64> = []
  private var lines: AppendOnlyStateFile?

  /// Reads the progress of a plan.
  init(_ id: String, environment: [String: String]) throws(FileFailure) {
    path = UserFolders(environment: environment).state.map { "\($0)/plans/\(id)" }
    try read()
  }

  /// The state of the write of a line; nil if it was never begun, or has been undone since.
  subscript(line: Int) -> Mark? { entries[line].map(undone.contains) == true ? nil : marks[line] }

  /// True if the plan was applied before, in whole or in part.
  var isBegun: Bool { !marks.isEmpty }

  private mutating func read() throws(FileFailure) {
    guard let path else { return }
    for line in try AppendOnlyStateFile.read(path) {
      let parts = line.split(separator: " ")
      guard parts.count >= 2, let mark = Mark(rawValue: String(parts[0])), let number = Int(parts[1]) else { continue }
      marks[number] = mark
      entries[number] = parts.count > 2 ? Int64(parts[2]) : nil
    }
  }

  /// Opens the marks for writing; throws where another console applies the same plan.
  mutating func open() throws(FileFailure) {
    guard let path else { throw FileFailure.noStateFolder }
    lines = try AppendOnlyStateFile(path, isAlone: true)
    // Another one may have gone on meanwhile.
    try read()
  }

  /// Takes writes that were undone for such as were never made.
  mutating func forget(undone: some Sequence<Int64>) { self.undone = Set(undone) }
}

extension PlanProgress: WriteMarks {
  /// The mark of a write, by its line. Several may be written at once.
  func row(_ name: String) -> any WriteMark { PlanMark(name, lines) }
}

/// The mark of one write of a plan.
private final class PlanMark: WriteMark {
  private let name: String
  private let lines: AppendOnlyStateFile?
  /// True once the write has left, and its entry in the journal.
  private let left = Mutex<(Bool, entry: Int64?)>((false, nil))

  init(_ name: String, _ lines: AppendOnlyStateFile?) {
    self.name = name
    self.lines = lines
  }

  func leave(_ entry: Int64?) throws(BackendError) {
    do { try write(.begun) } catch {
      throw .misconfigured(
        "cannot save the progress of the plan: \(error.reason)", hint: "this write was not sent")
    }
    left.withLock { $0 = (true, entry) }
  }

  func end(_ result: Result<WriteReceipt, BackendError>) {
    let (hasLeft, entry) = left.withLock { $0 }
    guard hasLeft else { return }
    switch result {
    case .success(let receipt): try? write(receipt.isKept ? .done : .left, entry)
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
    try lines?.add("\(mark.rawValue) \(name)\(entry.map { " \($0)" } ?? "")")
  }
}
