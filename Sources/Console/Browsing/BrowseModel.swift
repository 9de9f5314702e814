import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleScreen

/// A screen of records: the state of what is shown, which keys change. Sends and reads nothing itself: what a key asks
/// for is its effect.
struct BrowseModel {
  /// The use of keys.
  enum Mode {
    case rows
    case filter(InputLine)
    case value(InputLine)
    case choice([Value], place: Int)
    case columns(place: Int)
    case text(BrowsedText)
    /// The question about edits that are not sent.
    case leaving
    case file(InputLine)
  }

  enum Effect: Equatable {
    /// Read the list anew: its conditions or its order have changed, or only its records may have. `isTyping` if the
    /// conditions may be about to change again.
    case read(isTyping: Bool = false)
    case show(Record)
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
  var list: BrowsedList
  var columns: BrowseColumns
  var edits: BrowseEdits
  var mode = Mode.rows
  var filter = ""
  /// The order chosen with a key; nil for that of the command.
  var sort: SortKey?
  /// The row of the cursor: of new records first, then of the list.
  var row = 0
  var top = 0
  /// The place of the cursor among the shown columns.
  var column = 0
  var left = 0
  var marks = RowMarks()
  /// The row at which a range was begun; nil for none.
  var range: Int?
  var isReadingAll = false
  /// The message in place of what is known of the list.
  var message: EscapedText?
  var size = (columns: 80, rows: 24)
  /// The records on the screen before the list was read anew.
  var before: [RecordID: Record] = [:]
  var cells: [Int: CachedRow] = [:]
  /// True if a column has to be wider than it was drawn.
  var isNarrow = false
  /// The effect after the edits were sent.
  var afterwards: Effect?

  init(
    _ title: EscapedText, isProduction: Bool = false, _ resource: ResourceDescription, _ list: BrowsedList,
    _ presentation: Presentation, _ edits: BrowseEdits, isEditable: Bool, isInner: Bool = false
  ) {
    (self.title, self.isProduction, self.resource, self.list) = (title, isProduction, resource, list)
    (self.edits, self.isEditable, self.isInner) = (edits, isEditable, isInner)
    columns = BrowseColumns(presentation, identifier: resource.identifier.field)
  }

  /// The number of rows.
  var count: Int { edits.new.count + list.count }

  /// The rows of records in the window: those above and below are for the title, the names, messages and counts.
  var height: Int { max(1, size.rows - 4) }

  /// The record of a row, without edits.
  func record(ofRow row: Int) -> Record? {
    if edits.new.indices.contains(row) { return Record(id: nil, fields: edits.new[row]) }
    return list.record(at: row - edits.new.count)
  }

  /// The column of the cursor.
  var path: FieldPath? {
    columns.shown.indices.contains(column) ? columns.paths[columns.shown[column]] : nil
  }

  // MARK: Reading

  /// Takes another list in place of the one shown.
  mutating func show(_ list: BrowsedList) {
    let place = row - edits.new.count
    let id = record(ofRow: row)?.id
    before = [:]
    for row in top..<(top + height) {
      if let record = record(ofRow: row), let id = record.id { before[id] = record }
    }
    let isSame = list.request == self.list.request
    if !isSame {
      (before, row, top) = ([:], 0, 0)
      columns.forget()
    }
    self.list = list
    (marks, range, cells, isReadingAll) = (RowMarks(), nil, [:], false)
    if isSame, let id { find(id, near: place) }
    look()
  }

  /// Moves the cursor to the record under it before, which another one may have pushed to another row.
  private mutating func find(_ id: RecordID, near place: Int) {
    let places = max(0, place - Self.reach)..<max(0, min(list.count, place + Self.reach))
    let nearest = places.sorted { abs($0 - place) < abs($1 - place) }
    guard let found = nearest.first(where: { list.record(at: $0)?.id == id }) else {
      return say("the record under the cursor is no longer in its place")
    }
    row += found - place
    top = max(0, top + found - place)
  }

  /// The number of rows in which a record is looked for.
  private static let reach = 500

  /// Takes notice of what was read, and asks for what will be looked at next.
  mutating func look() {
    list.look()
    if columns.learn(list) { cells = [:] }
    column = min(column, max(0, columns.shown.count - 1))
    if isReadingAll {
      row = max(0, count - 1)
      isReadingAll = list.end == nil
    }
    // A list that is read anew may not have come to the row yet.
    if list.end != nil { row = min(row, max(0, count - 1)) }
    list.want(isReadingAll ? .max : max(row, top + height) + 4 * height)
  }

  // MARK: Keys

  mutating func handle(_ key: ScreenEvent) -> Effect? {
    if case .resized = key { return nil }
    defer { look() }
    message = nil
    switch mode {
    case .rows: return isEditable ? takeEditing(key) : take(key)
    case .filter, .value, .file: return takeTyping(key)
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

  private mutating func takeAnswer(_ key: ScreenEvent) -> Effect? {
    switch key {
    case .character("s"):
      mode = .rows
      return .send
    case .character("k"): mode = .file(InputLine())
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
