import BackendKit
import ConsoleOutput

extension UndoStep {
  /// The undone entry, and the fields that are not simply restored: lines below the write, for people.
  var remarks: [String] {
    var lines = ["\(entry.number)  \(ClockTime.shown(entry.began))  \(entry.deed)  (\(entry.command))"]
    if !isOwn { lines.append(entry.writer) }
    if let obstacle { lines.append("\(isSettled ? "nothing to undo" : "cannot be undone"): \(obstacle)") }
    for (field, fate) in fates {
      if case .restored = fate { continue }
      lines.append("\(field): \(fate.words)")
    }
    return lines + notes
  }
}

extension JournalEntry {
  /// The run that wrote it, for people.
  fileprivate var writer: String {
    "by run \(run), process \(process.prefix { $0 != ":" })"
      + (JournalProcess.isRunning(process) ? " (still running)" : "")
      + (place.user.map { ", as \($0)" } ?? "")
  }
}

extension UndoStep.Fate {
  fileprivate var words: String {
    func shown(_ value: Value?) -> String {
      value.map { BackendError.quoted(JSONWriter.compact($0)) ?? "" } ?? "no value"
    }
    return switch self {
    case .restored(_, let old): shown(old)
    case .unchanged: "already restored"
    case .changed(let left, let now): "changed since: \(shown(left)) -> \(shown(now))"
    case .unknown(let reason): "not restored: \(reason)"
    case .readOnly: "only the server sets it"
    }
  }
}
