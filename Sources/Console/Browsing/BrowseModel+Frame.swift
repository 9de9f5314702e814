import BackendKit
import ConsoleOutput
import ConsoleScreen

/// The cells of a row of the list that were on the screen.
struct CachedRow {
  let id: RecordID?
  var cells: [Int: (text: String, role: Theme.Role?)] = [:]

  func holds(_ columns: [Int]) -> Bool { columns.allSatisfy { cells[$0] != nil } }
}

extension BrowseModel {
  /// The most rows whose cells are kept.
  private static let mostCached = 400

  mutating func frame(_ size: (columns: Int, rows: Int)) -> ScreenFrame {
    if size != self.size {
      (self.size, cells) = (size, [:])
      look()
    }
    switch mode {
    case .text(let text):
      let shown = text.lines.dropFirst(text.top).prefix(height + 2).map { [ScreenSpan($0)] }
      return ScreenFrame(
        [fitted([ScreenSpan(text.title, .name)])] + padded(shown, to: height + 2) + [fitted([lastLine])])
    case .columns(let place): return columnsFrame(place)
    default: return rowsFrame()
    }
  }

  private func padded(_ rows: [[ScreenSpan]], to count: Int) -> [[ScreenSpan]] {
    rows + Array(repeating: [], count: max(0, count - rows.count))
  }

  /// A row of messages, with `…` if it does not fit.
  private func fitted(_ row: [ScreenSpan]) -> [ScreenSpan] {
    var room = size.columns
    return row.map { span in
      defer { room -= DisplayWidth.columns(of: span.text.text) }
      let text = DisplayWidth.cut(span.text.text, to: max(0, room))
      return ScreenSpan(EscapedText(text), span.role, isSelected: span.isSelected)
    }
  }

  private func columnsFrame(_ place: Int) -> ScreenFrame {
    let first = max(0, min(place - height / 2, columns.paths.count - height))
    let rows = columns.paths.indices.dropFirst(first).prefix(height).map { index in
      [ScreenSpan("[\(columns.isShown(index) ? "x" : " ")] \(columns.paths[index])", isSelected: index == place)]
    }
    let head = [[ScreenSpan(title, .name)], [ScreenSpan("columns: Space shows or hides one, Enter ends")]]
    return ScreenFrame(head + padded(rows, to: height) + [[], fitted([lastLine])])
  }

  // MARK: Records

  private mutating func rowsFrame() -> ScreenFrame {
    top = max(0, min(top, row), row - height + 1)
    if cells.count > Self.mostCached { cells = [:] }
    var rows: [[ScreenSpan]] = []
    repeat {
      isNarrow = false
      let shown = columns.fitting(size.columns - 3, from: &left, with: column)
      rows = [fitted(titleRow), head(shown)]
      for row in top..<max(top, min(count, top + height)) { rows.append(spans(ofRow: row, shown)) }
    } while isNarrow
    let (status, cursor) = statusRow
    var frame = ScreenFrame(padded(rows, to: height + 2) + [fitted(status), fitted([lastLine])])
    if let cursor { frame.cursor = (cursor, height + 2) }
    return frame
  }

  private var titleRow: [ScreenSpan] {
    var spans = [ScreenSpan(title, .name)]
    if isProduction { spans.append(ScreenSpan(" (production)", .alarm)) }
    if !filter.isEmpty { spans.append(ScreenSpan("  /\(filter)")) }
    if let sort = sort?.first { spans.append(ScreenSpan("  sorted by \(sort)")) }
    if !isEditable { spans.append(ScreenSpan("  read only")) }
    guard lists.stale == nil else { return spans }
    // Nothing is shown before a list that is sorted here was read.
    guard count > 0 || list.end != nil else { return spans }
    let number = count == 0 ? "" : "\((row + 1).grouped) of "
    spans.append(ScreenSpan("  \(number)\(count.grouped)\(list.end == nil ? " read so far" : "")"))
    return spans
  }

  private mutating func head(_ shown: [(place: Int, width: Int)]) -> [ScreenSpan] {
    var spans = [ScreenSpan("   ")]
    for (place, width) in shown {
      let column = columns.column(columns.shown[place])
      spans += cell(column.header, of: column, width, .name)
    }
    return spans
  }

  /// A cell with the blanks that align it, and those before the next one.
  private func cell(
    _ text: String, of column: SingleColumn, _ width: Int, _ role: Theme.Role?, isSelected: Bool = false
  ) -> [ScreenSpan] {
    let text = DisplayWidth.cut(text, to: width)
    let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)))
    let cell = column.isNumeric ? blanks + text : text + blanks
    return [ScreenSpan(EscapedText(cell), role, isSelected: isSelected), ScreenSpan("  ")]
  }

  private mutating func spans(ofRow row: Int, _ shown: [(place: Int, width: Int)]) -> [ScreenSpan] {
    let isNew = edits.new.indices.contains(row)
    let inList = row - edits.new.count
    let record = isNew || cells[inList]?.holds(shown.map { columns.shown[$0.place] }) != true ? record(ofRow: row) : nil
    var cached = (isNew ? nil : cells[inList]) ?? CachedRow(id: record?.id)
    let edit = edits[cached.id]
    var spans = marks(ofRow: row, edit)
    for (place, width) in shown {
      let index = columns.shown[place]
      let column = columns.column(index)
      if cached.cells[index] == nil {
        let field = record?.state(of: column.path) ?? .absent
        var (text, role) = column.cell(field, isIdentifier: columns.isPinned && index == 0)
        text = DisplayWidth.cut(text, to: max(width, size.columns))
        if let old = cached.id.flatMap({ lists.before[$0] }), old.state(of: column.path) != field { role = .change }
        cached.cells[index] = (text, role)
        // The columns were chosen by the first records.
        if columns.see(index, DisplayWidth.columns(of: text)) { isNarrow = true }
      }
      var (text, role) = cached.cells[index] ?? ("", nil)
      if edit?.isDeletion == true { role = .alarm }
      if let value = edits.value(of: column.path.text, in: cached.id) {
        let new = column.cell(value.map { .value($0) } ?? .absent, isIdentifier: false).text
        if columns.see(index, DisplayWidth.columns(of: "\(text) → \(new)")) { isNarrow = true }
        (text, role) = (Self.arrow(text, new, width), .change)
      }
      spans += cell(text, of: column, width, role, isSelected: row == self.row && place == self.column)
    }
    if !isNew { cells[inList] = cached }
    return spans
  }

  /// The signs before a row: of a mark, and of an edit.
  private func marks(ofRow row: Int, _ edit: BrowseEdits.Edit?) -> [ScreenSpan] {
    let isNew = edits.new.indices.contains(row)
    let inRange = range.map { (min($0, self.row)...max($0, self.row)).contains(row) } ?? false
    let isMarked = inRange && !isNew || marks[row - edits.new.count]
    let sign: ScreenSpan =
      if edit?.obstacle != nil || isNew && edits.new[row].obstacle != nil {
        ScreenSpan("!", .alarm)
      } else if edit?.isDeletion == true {
        ScreenSpan("-", .alarm)
      } else if isNew {
        ScreenSpan("+", .change)
      } else {
        edit == nil ? ScreenSpan(" ") : ScreenSpan("~", .change)
      }
    return [ScreenSpan(isMarked ? "*" : " ", .strong), sign, ScreenSpan(" ")]
  }

  /// The old value and the new one, of which the new one is seen first.
  static func arrow(_ old: String, _ new: String, _ width: Int) -> String {
    let whole = "\(old) → \(new)"
    if DisplayWidth.columns(of: whole) <= width { return whole }
    let second = DisplayWidth.cut(new, to: max(width / 2, width - 3 - DisplayWidth.columns(of: old)))
    let room = width - 3 - DisplayWidth.columns(of: second)
    return room > 0 ? "\(DisplayWidth.cut(old, to: room)) → \(second)" : second
  }
}
