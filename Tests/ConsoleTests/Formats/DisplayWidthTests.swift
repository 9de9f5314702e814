import Testing

@testable import ConsoleOutput

@Suite("Display width")
struct DisplayWidthTests {
  @Test(
    "Columns of text",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("天気", 4), ("ｶﾅ", 2), ("ＡＢ", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2),
      ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪🇫🇷", 4), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("…", 1), ("\u{A0}x", 2),
      ("ไทย", 3), ("น้ำ", 2), ("שָׁלוֹם", 4), ("\u{7}", 0), ("𠀀", 2), ("☺", 1), ("⌚", 2), ("№", 1), ("㈱", 2), ("〜", 2),
    ])
  func columns(text: String, expected: Int) {
    #expect(DisplayWidth.columns(of: text) == expected)
  }

  @Test(
    "Text is cut at whole characters",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("", 0, ""),
      ("a", 1, "a"),
      ("天気予報", 8, "天気予報"), ("天気予報", 7, "天気予…"), ("天気予報", 6, "天気…"), ("天気予報", 2, "…"),
      ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
      ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"), ("ab天", 3, "ab…"), ("ab天", 4, "ab天"),
    ])
  func cut(text: String, columns: Int, expected: String) {
    #expect(DisplayWidth.cut(text, to: columns) == expected)
    #expect(DisplayWidth.columns(of: DisplayWidth.cut(text, to: columns)) <= columns)
  }

  @Test("Lines are broken at blanks, and within what is too long")
  func wrapping() {
    #expect(Wrapping.lines(of: "one two three", width: 7) == ["one two", "three"])
    #expect(Wrapping.lines(of: "one two three", width: 13) == ["one two three"])
    #expect(Wrapping.lines(of: "a bcdefghij k", width: 4) == ["a bc", "defg", "hij", "k"])
    #expect(Wrapping.lines(of: "天気予報天気", width: 5) == ["天気", "予報", "天気"])
    #expect(Wrapping.lines(of: "see http://example.org/long x", width: 6) == ["see", "http://example.org/long", "x"])
  }

  @Test("The ranges rise without touching, and hold what is wide")
  func ranges() {
    for (left, right) in zip(WideRanges.all, WideRanges.all.dropFirst()) {
      #expect(left.upperBound + 1 < right.lowerBound)
    }
    #expect(WideRanges.contains(0x1100))
    #expect(WideRanges.contains(0x3FFFD))
    #expect(!WideRanges.contains(0x10FF))
    #expect(!WideRanges.contains(0x40000))
    #expect(!WideRanges.contains(0x303F))
  }
}
