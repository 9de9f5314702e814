import BackendClient
import BackendKit
import ConsoleOutput

/// The list that is shown, and the cursor, marks and edits that another one takes over.
extension BrowseModel {
  /// The number of rows in which a record is looked for.
  private static let reach = 500

  /// Takes another list in place of the one shown.
  mutating func show(_ list: BrowsedList) {
    let ids = [lists.created, record(ofRow: row)?.id].compactMap(\.self)
    let place = row - edits.new.count
    let isTyping =
      switch mode {
      case .typing(_, .value), .choice: record(ofRow: row)?.id != nil
      default: false
      }
    if lists.absentMarks + marks.count > BrowseEdits.most {
      lists.unmark()
      say("marks of more than \(BrowseEdits.most.grouped) records are not kept")
    }
    let isSame = lists.isShown(list)
    lists.show(list, edited: edits.ids, window: (top..<(top + height)).compactMap(record(ofRow:)))
    if !isSame { (row, top) = (0, 0) }
    columns.forget()
    (range, cells, isReadingAll) = (nil, [:], false)
    if isSame, !ids.isEmpty { find(ids, near: place) }
    look()
    if isTyping, record(ofRow: row)?.id != ids.last { mode = .rows }
    let gone = lists.absent(lists.before.keys)
    if gone > 0 { say("no longer in its place: \(counted(gone, "marked or edited record"))") }
  }

  /// Moves the cursor to the first of these records that is there: one that was created, which is often the last, or
  /// the one under it before, which another one may have pushed to another row.
  private mutating func find(_ ids: [RecordID], near place: Int) {
    let end = min(list.count, max(0, place + Self.reach))
    var places = (min(end, max(0, place - Self.reach))..<end).sorted { abs($0 - place) < abs($1 - place) }
    places += max(0, list.count - Self.reach)..<list.count
    let found = ids.lazy.compactMap { [list] id in places.first { list.record(at: $0)?.id == id } }.first
    guard let found else { return say("the record under the cursor is no longer in its place") }
    top = max(0, min(top + found + edits.new.count - row, count - height))
    row = found + edits.new.count
  }

  /// Takes notice of what was read, and asks for what will be looked at next.
  mutating func look() {
    list.look()
    while let record = lists.findNext() {
      if edits.isMade(in: record), let id = record.id { edits.drop(id) }
    }
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

  /// Takes notice that a write was made. From a new record the cursor goes to what was created, or back to what was
  /// copied.
  mutating func made(_ write: Write, _ id: RecordID? = nil) {
    if case .create(_, let fields) = write, edits.new.indices.contains(row), edits.new[row].fields == fields {
      (lists.created, row) = (id, edits.new.count + copied)
      top = max(0, row - height)
    }
    let count = edits.new.count
    edits.made(write)
    row = max(0, row + edits.new.count - count)
  }

  /// True if all records of the list were read.
  var isWhole: Bool { if case .success(let summary)? = list.end { !summary.isCut } else { false } }
}
