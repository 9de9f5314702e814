import BackendClient
import BackendKit
import ConsoleOutput
import Files

/// A screen of records: the state of what is shown, which keys change. Sends and reads nothing itself: what a key asks
/// for is its effect.
struct BrowseModel {
  /// The use of keys.
  enum Mode {
    case rows
    case typing(InputLine, Purpose)
    case choice([Value], place: Int)
    case columns(place: Int)
    case text(BrowsedText)
    /// The question about edits that are not sent.
    case leaving
  }

  /// The use of a line that is typed: the conditions, the value of a field, or the name of a plan file.
  enum Purpose { case filter, value, file }

  enum Effect: Equatable {
    /// Read the list anew: its conditions or its order have changed, or only its records may have. `isTyping` if the
    /// conditions may be about to change again.
    case read(isTyping: Bool = false)
    case show(Record)
    /// Read a record whole, and make a new one with its values.
    case copy(Record)
    case follow(Relation, RecordID)
    case openEditor(Record)
    /// Show the plan of the edits, or send them.
    case preview, send
    case keep(String)
    case undo
    /// Go back to the screen before, if there is one, otherwise leave.
    case back
    case leave
  }

  let title: EscapedText
  let isProduction: Bool
  let resource: ResourceDescription
  let isEditable: Bool
  /// True if there is a screen to go back to.
  let isInner: Bool
  var lists: ListSuccession
  var columns: BrowseColumns
  var edits: BrowseEdits {
    didSet {
      columns.forgetWidths()
      cells = [:]
    }
  }
  var mode = Mode.rows
  var filter = ""
  /// The order chosen with a key, empty for that of the service; nil for that of the command.
  var sort: [SortKey]?
  /// The row of the cursor: of new records first, then of the list.
  var row = 0
  var top = 0
  /// The place of the cursor among the shown columns.
  var column = 0
  var left = 0
  /// The row of the list from which the last new record was copied.
  var copied = 0
  /// The row at which a range was begun; nil for none.
  var range: Int?
  var isReadingAll = false
  /// Returns whether values under a name are secrets, also without a description.
  var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// The number of edits of the screens to go back to.
  var editsBefore = 0
  /// The message in place of what is known of the list.
  var message: EscapedText?
  var size = (columns: 80, rows: 24)
  var cells: [Int: CachedRow] = [:]
  /// True if a column has to be wider than it was drawn.
  var isNarrow = false
  /// The effect after the edits were sent.
  var afterwards: Effect?

  init(
    _ title: EscapedText, isProduction: Bool = false, _ resource: ResourceDescription, _ list: BrowsedList,
    _ presentation: Presentation, _ edits: BrowseEdits, isEditable: Bool, isInner: Bool = false
  ) {
    (self.title, self.isProduction, self.resource, self.edits) = (title, isProduction, resource, edits)
    (lists, self.isEditable, self.isInner) = (ListSuccession(list), isEditable, isInner)
    columns = BrowseColumns(presentation, identifier: resource.identifier.field)
  }

  var list: BrowsedList { lists.shown }
  var marks: RowMarks { lists.marks }

  /// The number of rows.
  var count: Int { edits.new.count + list.count }

  /// The rows of records in the window: those above and below are for the title, the names, messages and counts.
  var height: Int { max(1, size.rows - 4) }

  /// The record of a row, without edits.
  func record(ofRow row: Int) -> Record? {
    if edits.new.indices.contains(row) { return Record(id: nil, fields: edits.new[row].fields) }
    return list.record(at: row - edits.new.count)
  }

  /// The column of the cursor.
  var path: FieldPath? {
    columns.shown.indices.contains(column) ? columns.paths[columns.shown[column]] : nil
  }

  // MARK: Keys

  mutating func handle(_ key: ScreenKey) -> Effect? {
    if case .resized = key { return nil }
    defer { look() }
    (message, lists.created) = (nil, nil)
    switch mode {
    case .rows: return isEditable && lists.stale == nil ? takeEditing(key) : take(key)
    case .typing(let line, let purpose): return takeTyping(key, line, purpose)
    case .choice(let values, let place): takeChoice(key, values, place)
    case .columns(let place): takeColumns(key, place)
    case .text(var text): mode = text.take(key, height: height + 2) ? .text(text) : .rows
    case .leaving: return takeAnswer(key)
    }
    return nil
  }

  mutating func say(_ message: EscapedText) { self.message = message }

  /// Leaves, or goes back, unless there are edits.
  mutating func leave(_ effect: Effect) -> Effect? {
    if effect == .back, !isInner { return nil }
    guard !edits.isEmpty else { return effect }
    afterwards = effect
    mode = .leaving
    return nil
  }

  private mutating func takeAnswer(_ key: ScreenKey) -> Effect? {
    switch key {
    case .character("s"):
      mode = .rows
      return .send
    case .character("k"): mode = .typing(InputLine(), .file)
    case .character("d"):
      mode = .rows
      edits.dropAll()
      return afterwards
    case .escape:
      mode = .rows
      afterwards = nil
    default: break
    }
    return nil
  }
}
