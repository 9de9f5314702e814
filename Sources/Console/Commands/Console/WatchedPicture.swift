import ConsoleOutput
import ConsoleSystem
import Files

/// The result of a watched command in a window: a title, and as many of its lines as fit.
struct WatchedPicture {
  var title: EscapedText = ""
  private var lines: [EscapedText] = []
  /// The lines without colors and marks; nil before the first picture.
  private var plain: [String]?
  private var top = 0

  /// Takes the lines of the next picture, and marks what differs from the one before.
  mutating func take(_ new: [String], _ theme: Theme) {
    lines = new.enumerated().map { index, line in
      EscapedText(formatted: plain.map { Self.marked(line, before: index < $0.count ? $0[index] : "", theme) } ?? line)
    }
    plain = new.map(OutputCopy.plain)
  }

  /// Scrolls the lines in a window of so many rows.
  mutating func scroll(_ key: ScreenKey, in rows: Int) {
    top = key.scrolled(top, by: room(in: rows), of: lines.count)
  }

  /// The rows of a window below the title. If some lines do not fit, the last row says so.
  func content(of rows: Int) -> [EscapedText] {
    let room = room(in: rows)
    let first = max(0, min(top, lines.count - room))
    let shown = lines.dropFirst(first).prefix(room)
    guard shown.count < lines.count else { return [""] + shown }
    return [""] + shown + ["lines \(first + 1)–\(first + shown.count) of \(lines.count)"]
  }

  /// The number of lines that fit below the title and an empty row.
  private func room(in rows: Int) -> Int { max(1, rows - (lines.count > rows - 2 ? 3 : 2)) }

  /// The line with its differences from the previous one highlighted.
  private static func marked(_ line: String, before: String, _ theme: Theme) -> String {
    let new = Array(OutputCopy.plain(line))
    let old = Array(before)
    guard new != old, !theme.isPlain else { return line }
    var (result, run) = ("", "")
    for (index, character) in new.enumerated() {
      guard index < old.count, old[index] == character else {
        run.append(character)
        continue
      }
      result += theme.paint(run, .change) + String(character)
      run = ""
    }
    return result + theme.paint(run, .change)
  }
}
