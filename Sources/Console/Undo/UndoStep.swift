import BackendClient
import BackendKit

/// The effect of undoing one journal entry.
struct UndoStep: Sendable {
  enum Fate: Sendable {
    /// It gets its previous value back; nil is none.
    case restored(from: Value?, to: Value?)
    case unchanged
    /// It was changed since by something else, and is left alone.
    case changed(left: Value?, now: Value?)
    /// The previous value was not recorded.
    case unknown(String)
    /// Only the server sets it.
    case readOnly

    /// True if it keeps the value that the write gave it.
    var isLost: Bool {
      switch self {
      case .restored, .unchanged, .readOnly: false
      case .changed, .unknown: true
      }
    }
  }

  let entry: JournalEntry
  var target: Target?
  /// The inverse; nil if nothing can be done.
  var write: Write?
  /// The reason why nothing can be done, as a clause.
  var obstacle: String?
  var fates: [(field: String, fate: Fate)] = []
  var notes: [String] = []
  /// The record when planned; nil if there was none, or an earlier step changes it.
  var record: Record?
  /// True if records refer to this one that the same undo deletes first.
  var waitsForOthers = false
  /// The values that the record must have just before the inverse is sent.
  var expected = Object()

  /// True if the entry is of the planning run.
  var isOwn = true

  init(_ entry: JournalEntry) { self.entry = entry }

  init(_ entry: JournalEntry, obstacle: String) {
    self.entry = entry
    self.obstacle = obstacle
  }

  var isPartial: Bool { !isSettled && (write == nil || fates.contains { $0.fate.isLost }) }

  /// True if the record already has its previous values.
  var isSettled = false
}
