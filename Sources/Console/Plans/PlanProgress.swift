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
  private var lines: AppendOnlyStateFile?

  /// Reads the progress of a plan.
  init(_ id: String, environment: [String: String]) throws(FileFailure) {
    path = UserFolders(environment: environment).state.map { "\($0)/plans/\(id)" }
    try read()
  }

  /// The state of the write of a line; nil if it was never begun.
  subscript(line: Int) -> Mark? { marks[line] }

  /// True if the plan was applied before, in whole or in part.
  var isBegun: Bool { !marks.isEmpty }

  private mutating func read() throws(FileFailure) {
    guard let path else { return }
    for line in try AppendOnlyStateFile.read(path) {
      guard let mark = Mark(rawValue: String(line.prefix(1))), let number = Int(line.dropFirst(2)) else { continue }
      marks[number] = mark
    }
  }

  /// Opens the marks for writing; throws where another console applies the same plan.
  mutating func open() throws(FileFailure) {
    guard let path else { throw FileFailure.noStateFolder }
    lines = try AppendOnlyStateFile(path, isAlone: true)
    // Another one may have gone on meanwhile.
    try read()
  }

}

extension PlanProgress: WriteMarks {
  /// The mark of a write, by its line. Several may be written at once.
  func row(_ name: String) -> any WriteMark { PlanMark(name, lines) }
}

/// The mark of one write of a plan.
private final class PlanMark: WriteMark {
  private let name: String
  private let lines: AppendOnlyStateFile?
  private let hasLeft = Mutex(false)

  init(_ name: String, _ lines: AppendOnlyStateFile?) {
    self.name = name
    self.lines = lines
  }

  func leave(_ entry: Int64?) throws(BackendError) {
    do { try write(.begun) } catch {
      throw .misconfigured(
        "cannot save the progress of the plan: \(error.reason)", hint: "this write was not sent")
    }
    hasLeft.withLock { $0 = true }
  }

  func end(_ result: Result<WriteReceipt, BackendError>) {
    guard hasLeft.withLock(\.self) else { return }
    switch result {
    case .success(let receipt): try? write(receipt.isKept ? .done : .left)
    case .failure(let error):
      switch error.effect {
      case .notSent, .rejected: try? write(.left)
      case .applied: try? write(.done)
      case .unknown: break
      }
    }
  }

  func wasDone() { try? write(.done) }

  private func write(_ mark: PlanProgress.Mark) throws(FileFailure) { try lines?.add("\(mark.rawValue) \(name)") }
}
