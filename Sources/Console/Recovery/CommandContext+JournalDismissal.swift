import BackendKit
import ConsoleOutput
import ConsoleSystem
import Files

extension CommandContext {
  /// `journal dismiss`: ends the reminders of writes whose outcome is unknown. It stays unknown, and `journal check N` can still find
  /// it out.
  func dismissEntries(_ invocation: Invocation) throws {
    var entries = try entries(invocation)
    if invocation.has("all") {
      let unknown = try reading { database throws(FileFailure) in try database.unknown() }
      entries = (unknown ?? []).filter { !$0.isBeingSent }
    }
    for entry in entries where entry.outcome != .unknown || entry.isBeingSent {
      let state = entry.isBeingSent ? "it is being sent" : "its outcome is known: \(entry.outcome.rawValue)"
      throw CommandFailure(.failure, "entry \(entry.number) cannot be dismissed: \(state)")
    }
    var text: EscapedText = entries.isEmpty ? "no write has an unknown outcome\n" : ""
    for index in entries.indices {
      try dismiss(&entries[index])
      text += "dismissed \(String(entries[index].number)): \(entries[index].deed)\n"
    }
    try present(entries.map(\.record), isSingle: false, invocation, text: text)
  }

  private func dismiss(_ entry: inout JournalEntry) throws {
    guard let journal = run.console.journal else { return }
    let settled = "dismissed by the operator"
    let completion = JournalCompletion(
      ended: entry.ended ?? JournalClock.now(), outcome: .unknown, code: entry.code, message: entry.message,
      settled: settled)
    do { try journal.settle(entry.number, completion) } catch {
      throw CommandFailure(.configuration, "the journal \(journal.shown) cannot be written: \(error.reason)")
    }
    entry.settled = settled
    entry.ended = completion.ended
  }
}
