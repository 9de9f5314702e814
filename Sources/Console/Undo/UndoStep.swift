import BackendClient
import BackendKit

/// What taking one entry of the journal back would do.
struct UndoStep: Sendable {
  /// What becomes of one field.
  enum Fate: Sendable {
    /// It gets the value from before the write back; nil is none.
    case restored(from: Value?, to: Value?)
    /// It has that value already.
    case unchanged
    /// Somebody has changed it since, and it is left alone.
    case changed(left: Value?, now: Value?)
    /// What it was before is not known.
    case unknown(String)
    /// Only the server sets it.
    case readOnly

    /// Whether it is left as it is although the write changed it.
    var isLost: Bool {
      switch self {
      case .restored, .unchanged, .readOnly: false
      case .changed, .unknown: true
      }
    }
  }

  let entry: JournalEntry
  /// Where the inverse is sent; nil where nothing can be done.
  var target: Target?
  /// The inverse; nil where nothing can be done.
  var write: Write?
  /// Why nothing can be done, as a clause.
  var obstacle: String?
  /// The fields of the write in their order.
  var fates: [(field: String, fate: Fate)] = []
  /// What else the operator should know.
  var notes: [String] = []
  /// The record as the plan has seen it; nil where there was none, or an earlier step changes it.
  var record: Record?
  /// What the record has to show just before the inverse is sent.
  var expected = Object()

  init(_ entry: JournalEntry) { self.entry = entry }

  init(_ entry: JournalEntry, obstacle: String) {
    self.entry = entry
    self.obstacle = obstacle
  }

  /// Whether something of what the write did stays.
  var isPartial: Bool { !isSettled && (write == nil || fates.contains { $0.fate.isLost }) }

  /// Whether the record already has the values from before the write, with nothing left to undo.
  var isSettled = false
}
