import ConsoleOutput
import Testing

@testable import ConsoleScreen

/// The bytes that bring a window from one frame to the next.
@Suite struct `The grid of a screen` {
  private static let rest = "\u{1B}[K"
  private static let dark = Theme.chosen(.dark, use: .always, environment: [:], isTerminal: true)
  private static let family = "👩‍👩‍👧‍👦"

  private static func frame(_ rows: [String], cursor: (column: Int, row: Int)? = nil) -> ScreenFrame {
    var frame = ScreenFrame(rows.map { [ScreenSpan(EscapedText($0))] })
    frame.cursor = cursor
    return frame
  }

  private static func row(_ text: EscapedText, columns: Int = 5) -> String {
    ScreenRow.text([ScreenSpan(text)], columns: columns, .plain)
  }

  /// A row without its sequences.
  private static func visible(_ row: String) -> String {
    row.replacing(/\u{1B}\[[0-9;]*[mK]/.matchingSemantics(.unicodeScalar), with: "")
  }

  @Test func `only rows that differ are written, and the cursor is hidden meanwhile`() {
    var grid = ScreenGrid(theme: .plain)
    func update(_ rows: [String], cursor: (column: Int, row: Int)? = nil) -> String {
      grid.update(to: Self.frame(rows, cursor: cursor), columns: 5, rows: 3)
    }
    #expect(update(["abc"]) == "\u{1B}[?25l\u{1B}[m\u{1B}[2J\u{1B}[1;1Habc\u{1B}[K")
    #expect(update(["abc"]) == "")
    #expect(update(["abc", "de"]) == "\u{1B}[2;1Hde\u{1B}[K")
    #expect(update(["abc", "", "f"]) == "\u{1B}[2;1H\u{1B}[K\u{1B}[3;1Hf\u{1B}[K")
    #expect(update(["abcde", "", "f", "beyond"]) == "\u{1B}[1;1H\u{1B}[Kabcde")
    #expect(update(["abcde", "", "f"], cursor: (2, 1)) == "\u{1B}[2;3H\u{1B}[?25h")
    #expect(update(["abcde", "", "f"], cursor: (2, 1)) == "")
    #expect(update(["abcde", "", "g"], cursor: (9, 9)) == "\u{1B}[?25l\u{1B}[3;1Hg\u{1B}[K\u{1B}[3;5H\u{1B}[?25h")
    #expect(update(["abcde", "", "g"]) == "\u{1B}[?25l")
  }

  @Test func `a window that has another size or was covered is written whole`() {
    var grid = ScreenGrid(theme: .plain)
    let frame = Self.frame(["abcdef", "g"])
    let whole = grid.update(to: frame, columns: 9, rows: 2)
    #expect(grid.update(to: frame, columns: 9, rows: 2) == "")
    grid.forget()
    #expect(grid.update(to: frame, columns: 9, rows: 2) == whole)
    #expect(grid.update(to: frame, columns: 4, rows: 2).contains("\u{1B}[2J\u{1B}[1;1H\u{1B}[Kabcd\u{1B}[2;1Hg"))
    #expect(grid.update(to: frame, columns: 4, rows: 1).hasSuffix("\u{1B}[2J\u{1B}[1;1H\u{1B}[Kabcd"))
    #expect(grid.update(to: frame, columns: 0, rows: 0) == "\u{1B}[?25l\u{1B}[m\u{1B}[2J")
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc" + rest), ("abcde", rest + "abcde"), ("abcdefgh", rest + "abcde"),
    ("公告公", rest + "公告 "), ("abcd公", rest + "abcd "), ("e\u{301}bcdef", rest + "e\u{301}bcde"),
    (family + family + family, rest + family + family + " "), ("a\tb", #"a\tb"# + rest),
    ("\u{1B}[2J", rest + #"\x1b["#),
    ("\u{202E}", rest + #"\u{20"#), ("\u{301}a", "\u{301}a" + rest), ("שלום", "שלום" + rest),
  ])
  func `a text is cut at the width`(text: String, row: String) {
    #expect(Self.row(EscapedText(text)) == row)
  }

  @Test(arguments: [
    ("\u{1B}[1mabcdefgh\u{1B}[m", rest + "\u{1B}[1mabcde\u{1B}[m"),
    ("\u{1B}[1;4mab\u{1B}[mc", "\u{1B}[1;4mab\u{1B}[mc\u{1B}[m" + rest),
    ("abcde\u{1B}[1mf\u{1B}[m", rest + "abcde"),
    ("\u{1B}[1m\u{301}a\u{1B}[m", "\u{1B}[1m\u{301}a\u{1B}[m\u{1B}[m" + rest),
    // Nothing but colors is left to formats.
    ("a\nb\r\nc", rest + "a b  "), ("\u{1B}[2Jx", rest + " [2Jx"), ("\u{1B}[1", " [1" + rest), ("\u{1B}", " " + rest),
    ("\u{9B}1m", " 1m" + rest),
  ])
  func `colors of a format are kept whole, and other sequences shown`(text: String, row: String) {
    #expect(Self.row(EscapedText(formatted: text)) == row)
  }

  @Test func `roles are painted by the theme, and a selection is seen without colors, too`() {
    let spans = [
      ScreenSpan("1", .number), ScreenSpan("2", .number, isSelected: true), ScreenSpan("3", isSelected: true),
    ]
    #expect(
      ScreenRow.text(spans, columns: 5, Self.dark)
        == "\u{1B}[92m1\u{1B}[m\u{1B}[7m\u{1B}[92m2\u{1B}[m\u{1B}[27m\u{1B}[7m3\u{1B}[27m\u{1B}[K")
    #expect(ScreenRow.text(spans, columns: 5, .plain) == "1\u{1B}[7m2\u{1B}[27m\u{1B}[7m3\u{1B}[27m\u{1B}[K")
    let colored = ScreenSpan(EscapedText(formatted: "\u{1B}[1ma\u{1B}[mb"), isSelected: true)
    #expect(
      ScreenRow.text([colored], columns: 5, .plain)
        == "\u{1B}[7m\u{1B}[1m\u{1B}[7ma\u{1B}[m\u{1B}[7mb\u{1B}[m\u{1B}[27m\u{1B}[K")
  }

  @Test(arguments: 0...9)
  func `spans of any texts fill the width and never more`(columns: Int) {
    let pieces = ["", "ab", "公", "e\u{301}", Self.family, "\u{301}", "🇩🇪", "x\u{1B}", "한글", "\u{1160}"]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          let texts = [first, second, third].map { EscapedText($0) }
          let row = ScreenRow.text(texts.map { ScreenSpan($0, .name) }, columns: columns, Self.dark)
          let width = texts.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
          let shown = Self.visible(row)
          #expect(DisplayWidth.columns(of: shown) == min(width, columns), "\(texts) in \(columns): \(row)")
          #expect(row.contains("\u{1B}[K") || row.isEmpty)
        }
      }
    }
  }

  @Test(arguments: [
    "e" + String(repeating: "\u{301}", count: 1 << 19), String(repeating: "x", count: 1 << 20),
    String(repeating: "\u{1160}", count: 1 << 18), String(repeating: "👩\u{200D}", count: 1 << 17),
    String(repeating: "\u{1B}[31m", count: 1 << 17),
  ])
  func `a text of any length makes a short row`(text: String) {
    #expect(Self.row(EscapedText(text), columns: 80).unicodeScalars.count <= 80 * 16 + 3)
    #expect(Self.row(EscapedText(formatted: text), columns: 80).unicodeScalars.count <= 80 * 16 * 5 + 6)
  }
}
