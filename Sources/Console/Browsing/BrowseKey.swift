import ConsoleOutput

/// A key of the screen, for its help and its guide.
struct BrowseKey {
  let keys: String
  let says: String
  /// True if it marks or edits.
  var edits = false

  static let all = [
    BrowseKey(keys: "arrows, Page Up, Page Down, Home", says: "move the cursor; columns scroll sideways"),
    BrowseKey(keys: "End", says: "read to the end; Escape or Ctrl-C stops"),
    BrowseKey(keys: "/", says: "filter while you type: conditions as of list, other words are searched for"),
    BrowseKey(keys: "s", says: "sort by the column; again: descending, then in the order of the service"),
    BrowseKey(keys: "c", says: "choose columns with Space"),
    BrowseKey(keys: "Enter", says: "show the whole record"),
    BrowseKey(keys: "Tab", says: "go to the record that the field refers to"),
    BrowseKey(keys: "Backspace, Escape", says: "go back"),
    BrowseKey(keys: "r", says: "read again, and mark what has changed"),
    BrowseKey(keys: "Space", says: "mark the record", edits: true),
    BrowseKey(keys: "v", says: "begin a range, and at its other end mark it", edits: true),
    BrowseKey(keys: "*", says: "mark all records that were read; again: none", edits: true),
    BrowseKey(keys: "e", says: "edit the field, in all marked records if there are any", edits: true),
    BrowseKey(keys: "Delete", says: "clear the field: null, or an empty text", edits: true),
    BrowseKey(keys: "E", says: "edit the record, with its edits, in your editor", edits: true),
    BrowseKey(keys: "d", says: "delete the record, or the marked ones; again: keep them", edits: true),
    BrowseKey(keys: "o", says: "make a new record with the same values", edits: true),
    BrowseKey(keys: "x", says: "take back the edits of the record, or of the marked ones", edits: true),
    BrowseKey(keys: "p", says: "show the edits as a plan", edits: true),
    BrowseKey(keys: "w", says: "send the edits, after a question", edits: true),
    BrowseKey(keys: "u", says: "undo the last writes", edits: true),
    BrowseKey(keys: "q", says: "leave"),
  ]

  /// The keys as lines that fit a window.
  static func text(edits: Bool, width: Int) -> String {
    Columns.text(all.filter { edits || !$0.edits }.map { [" " + $0.keys, $0.says] }).fitted(to: width).text
  }
}
