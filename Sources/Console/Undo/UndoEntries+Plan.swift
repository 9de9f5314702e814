import BackendKit
import ConsoleSystem
import Files

extension UndoEntries {
  /// The writes of an applied plan that the journal has, and that were not undone.
  init(of file: PlanFile, undone: [Int64: Int64?], _ ports: CommandContext) throws {
    self.init(undone: undone)
    isOrdered = true
    let progress: PlanProgress
    do throws(FileFailure) { progress = try PlanProgress(of: file, ports) } catch {
      throw CommandFailure(.configuration, "undo: cannot read how far \(file.name) was applied: \(error.reason)")
    }
    guard progress.isBegun else { throw CommandFailure(.failure, "undo: \(file.name) was not applied") }
    let lines = Dictionary(file.rows.map { ($0.mark, $0.line) }) { first, _ in first }
    var missing: [Int] = []
    for (name, entry) in progress.made {
      let found = try entry.flatMap { try JournalEntries(ports).found($0.number) }
      guard let found, found.run == entry?.run else {
        missing.append(lines[name] ?? 0)
        continue
      }
      let isUndone = if let doubt = undone[found.number] { doubt == nil } else { false }
      if found.outcome == .done || found.outcome == .unknown, !isUndone { add(found) }
    }
    numbers.sort(by: >)
    unproved = missing.sorted().map { line in
      (line == 0 ? "a line that \(file.name) no longer has" : "\(file.name):\(line)")
        + " cannot be undone: the journal has no entry of its write"
    }
    guard !numbers.isEmpty || !unproved.isEmpty else {
      throw CommandFailure(.failure, "undo: every write of \(file.name) is undone")
    }
  }
}
