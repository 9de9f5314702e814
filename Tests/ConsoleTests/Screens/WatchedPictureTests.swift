import Files
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleScreen

/// The lines of a watched command in windows of several heights.
@Suite struct WatchedPictureTests {
  private static let dark = Theme.chosen(.dark, use: .always, environment: [:], isTerminal: true)

  private static func picture(_ count: Int) -> WatchedPicture {
    var picture = WatchedPicture()
    picture.take((0..<count).map { "line \($0)" }, .plain)
    return picture
  }

  private static func text(_ picture: WatchedPicture, rows: Int) -> [String] { picture.content(of: rows).map(\.text) }

  @Test func `lines that fit are shown below an empty row`() {
    #expect(Self.text(Self.picture(3), rows: 5) == ["", "line 0", "line 1", "line 2"])
    #expect(Self.text(Self.picture(0), rows: 5) == [""])
  }

  @Test func `the last row says which lines are shown if they do not fit`() {
    #expect(Self.text(Self.picture(4), rows: 5) == ["", "line 0", "line 1", "lines 1–2 of 4"])
    for rows in 0...4 {
      #expect(Self.text(Self.picture(3), rows: rows) == ["", "line 0", "lines 1–1 of 3"], "\(rows) rows")
    }
  }

  @Test func `keys scroll to both ends and no further`() {
    var picture = Self.picture(6)
    let steps: [(ScreenKey, Int)] = [
      (.up, 0), (.down, 1), (.pageDown, 3), (.pageDown, 4), (.down, 4), (.pageUp, 2), (.home, 0), (.end, 4),
      (.resized, 4),
      (.character("x"), 4),
    ]
    for (key, first) in steps {
      picture.scroll(key, in: 5)
      #expect(
        Self.text(picture, rows: 5)
          == ["", "line \(first)", "line \(first + 1)", "lines \(first + 1)–\(first + 2) of 6"], "\(key)")
    }
    // A higher window has no lines beyond the last.
    #expect(Self.text(picture, rows: 8) == ["", "line 0", "line 1", "line 2", "line 3", "line 4", "line 5"])
    #expect(Self.text(picture, rows: 7) == ["", "line 2", "line 3", "line 4", "line 5", "lines 3–6 of 6"])
  }

  @Test func `the place stays while pictures follow, unless there are fewer lines`() {
    var picture = Self.picture(6)
    picture.scroll(.end, in: 5)
    picture.take((0..<9).map { "row \($0)" }, .plain)
    #expect(Self.text(picture, rows: 5) == ["", "row 4", "row 5", "lines 5–6 of 9"])
    picture.take(["a", "b", "c", "d"], .plain)
    #expect(Self.text(picture, rows: 5) == ["", "c", "d", "lines 3–4 of 4"])
  }

  @Test(arguments: [
    ("abc", "abc", "abc"), ("abc", "axc", "a\u{1B}[1;4mx\u{1B}[mc"), ("abc", "abcd", "abc\u{1B}[1;4md\u{1B}[m"),
    ("abc", "", ""), ("a\u{1B}[1mb\u{1B}[m", "a\u{1B}[1mb\u{1B}[m", "a\u{1B}[1mb\u{1B}[m"),
    ("a\u{1B}[1mb\u{1B}[m", "a\u{1B}[1mc\u{1B}[m", "a\u{1B}[1;4mc\u{1B}[m"),
  ])
  func `what differs from the picture before is marked`(before: String, line: String, marked: String) {
    var picture = WatchedPicture()
    picture.take([before], Self.dark)
    #expect(Self.text(picture, rows: 5) == ["", before])
    picture.take([line, "new"], Self.dark)
    #expect(Self.text(picture, rows: 5) == ["", marked, "\u{1B}[1;4mnew\u{1B}[m"])
    picture.take([line, "new"], Self.dark)
    #expect(Self.text(picture, rows: 5) == ["", line, "new"])
  }

  @Test func `nothing is marked without colors`() {
    var picture = Self.picture(1)
    picture.take(["changed"], .plain)
    #expect(Self.text(picture, rows: 5) == ["", "changed"])
  }
}
