import BackendClient
import BackendKit

/// The effect of undoing one entry of the journal.
struct UndoStep: Sendable {
  /// The effect on one field.
  enum Fate: Sendable {
    /// It gets the value from before the write back; nil is none.
    case restored(from: Value?, to: Value?)
    /// It has that value already.
    case unchanged
    /// Somebody has changed it since, and it is left alone.
    case changed(left: Value?, now: Value?)
    /// The previous value was not recorded.
    case unknown(String)
    /// Only the server sets it.
    case readOnly

    /// True if it keeps its value although the write changed it.
    var isLost: Bool {
      switch self {
      case .restored, .unchanged, .readOnly: false
      case .changed, .unknown: true
      }
    }
  }

  let entry: JournalEntry
  /// The target of the inverse; nil if nothing can be done.
  var target: Target?
  /// The inverse; nil where nothing can be done.
  var write: Write?
  /// The reason why nothing can be done, as a clause.
  var obstacle: String?
  /// The fields of the write in their order.
  var fates: [(field: String, fate: Fate)] = []
  /// Further remarks for the operator.
  var notes: [String] = []
  /// The record as the plan has seen it; nil where there was none, or an earlier step changes it.
  var record: Record?
  /// True if records refer to this one that the same undo deletes before it.
  var waitsForOthers = false
  /// The values that the record has to have just before the inverse is sent.
  var expected = Object()

  /// True if the entry is of the run that plans.
  var isOwn = true

  init(_ entry: JournalEntry) { self.entry = entry }

  init(_ entry: JournalEntry, obstacle: String) {
    self.entry = entry
    self.obstacle = obstacle
  }

  /// True if some effect of the write remains.
  var isPartial: Bool { !isSettled && (write == nil || fates.contains { $0.fate.isLost }) }

  /// True if the record already has the values from before the write, with nothing left to undo.
  var isSettled = false
}
