import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSystem
import Files

extension BrowseModel {
  /// Takes a key that looks at records.
  mutating func take(_ key: ScreenKey) -> Effect? {
    if let row = key.moved(row, by: height, last: max(0, count - 1)) {
      // Only the end of what is read is known.
      (self.row, isReadingAll) = (row, key == .end)
      return nil
    }
    switch key {
    case .left: column = max(0, column - 1)
    case .right: column = min(max(0, columns.shown.count - 1), column + 1)
    case .character("/"): mode = .typing(InputLine(filter), .filter)
    case .character("s"): return sortByColumn()
    case .character("c"): mode = .columns(place: columns.shown.indices.contains(column) ? columns.shown[column] : 0)
    case .character("r"): return .read()
    case .character("?"): mode = .text(BrowsedText("keys", BrowseKey.text(edits: isEditable, width: size.columns)))
    case .character("q"): return leave(.leave)
    case .enter:
      if let record = record(ofRow: row) { return .show(record) }
    case .tab: return follow()
    case .backspace: return leave(.back)
    case .escape, .control("c"): return escape()
    default: break
    }
    return nil
  }

  /// Sorts by the cursor's column: ascending, then descending, then not at all.
  private mutating func sortByColumn() -> Effect? {
    guard let path else { return nil }
    let orders = [[SortKey(path)], [SortKey(path, isDescending: true)], []]
    let present = orders.firstIndex { $0 == sort } ?? 2
    sort = orders[(present + 1) % 3]
    return .read()
  }

  /// Ends the last thing that was begun; without any goes back.
  private mutating func escape() -> Effect? {
    if isReadingAll {
      isReadingAll = false
      say("stopped after \(counted(list.count, "record"))")
    } else if range != nil {
      range = nil
    } else if lists.hasMarks {
      lists.unmark()
    } else {
      return leave(.back)
    }
    return nil
  }

  private mutating func follow() -> Effect? {
    guard let record = record(ofRow: row).map(edits.edited) else { return nil }
    let relations = resource.relations
    let own = relations.filter { $0.path == path || $0.path.field == path?.text }
    guard let relation = own.first ?? (relations.count == 1 ? relations.first : nil) else {
      say(
        relations.isEmpty
          ? "\(resource.name) has no reference fields"
          : "this field refers to no record; others do: \(relations.map(\.path.text).joined(separator: ", "))")
      return nil
    }
    guard let name = relation.names(in: record).lazy.compactMap(\.self).first else {
      say("\(relation.path) refers to no record here")
      return nil
    }
    return .follow(relation, name)
  }

  // MARK: Typing

  mutating func takeTyping(_ key: ScreenKey, _ line: InputLine, _ purpose: Purpose) -> Effect? {
    switch (key, purpose) {
    case (.escape, _), (.control("c"), _):
      mode = purpose == .file ? .leaving : .rows
      return purpose == .filter ? filter(by: "", isTyping: false) : nil
    case (.enter, .filter):
      do throws(UsageError) {
        _ = try BrowseFilter(filter, of: resource)
        mode = .rows
      } catch { say("\(error.sentence)") }
    case (.enter, .value): takeValue(line.text)
    case (.enter, .file):
      guard !line.text.isEmpty else { break }
      mode = .rows
      return .keep(line.text)
    default:
      var line = line
      guard line.take(key) else { break }
      mode = .typing(line, purpose)
      return purpose == .filter ? filter(by: line.text, isTyping: true) : nil
    }
    return nil
  }

  private mutating func filter(by text: String, isTyping: Bool) -> Effect? {
    guard text != filter else { return nil }
    filter = text
    return .read(isTyping: isTyping)
  }

  mutating func takeColumns(_ key: ScreenKey, _ place: Int) {
    if let place = key.moved(place, by: height, last: max(0, columns.paths.count - 1)) {
      mode = .columns(place: place)
    } else if key == .character(" ") {
      columns.hideOrShow(place)
    } else if [.enter, .escape, .control("c"), .character("c"), .character("q")].contains(key) {
      mode = .rows
    }
  }
}
