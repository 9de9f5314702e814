import Testing

@testable import Console
@testable import ConsoleOutput

@Suite("Texts for spreadsheets") struct SpreadsheetTextTests {
  private static let signs = ["=", "+", "-", "@", "\t", "\n", "\r", "\r\n", "＝", "＋", "－", "＠"]
  private static let pieces = signs + ["'", "''", "a", " ", "\u{301}", "\"", "0"]

  @Test(
    "what begins with the sign of a formula gets an apostrophe, also before apostrophes of its own; nothing else does")
  func marks() {
    for sign in Self.signs {
      #expect(SpreadsheetText.marked(sign + "1") == "'" + sign + "1")
      #expect(SpreadsheetText.marked("'" + sign) == "''" + sign)
      #expect(SpreadsheetText.marked("\"" + sign) == "'\"" + sign)
      // A mark that belongs to one character with what follows is a sign all the same.
      #expect(SpreadsheetText.marked(sign + "\u{301}").unicodeScalars.first == "'")
    }
    for text in ["", "'", "''", "'a", "a=", " =", "\"a"] {
      #expect(SpreadsheetText.marked(text) == text)
      #expect(SpreadsheetText.unmarked(text) == text)
    }
  }

  @Test("each text is read back as it was") func roundTrip() {
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func next(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    for _ in 0..<20_000 {
      let text = (0...next(5)).map { _ in Self.pieces[next(Self.pieces.count)] }.joined()
      let marked = SpreadsheetText.marked(text)
      #expect(SpreadsheetText.unmarked(marked).utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
      #expect(!Self.signs.contains { marked.unicodeScalars.first == $0.unicodeScalars.first })
    }
  }
}

@Suite("The beginning of a text") struct TextBeginningTests {
  @Test("a byte-order mark is taken off once, at the start, however the text is cut", arguments: 1...7)
  func cut(length: Int) {
    let cases: [(given: String, read: String)] = [
      ("", ""), ("a", "a"), ("\u{FEFF}", ""), ("\u{FEFF}abc", "abc"), ("a\u{FEFF}b", "a\u{FEFF}b"),
      ("\u{FEFF}\u{FEFF}a", "\u{FEFF}a"), ("\u{FEFE}a", "\u{FEFE}a"),
    ]
    for (given, read) in cases {
      var beginning = TextBeginning()
      var bytes: [UInt8] = []
      var rest = Array(given.utf8)[...]
      while !rest.isEmpty {
        bytes += beginning.take(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      bytes += beginning.rest
      #expect(bytes == Array(read.utf8), "\(given.debugDescription)")
    }
    var cut = TextBeginning()
    #expect(Array(cut.take([0xEF, 0xBB])) + cut.rest == [0xEF, 0xBB])
  }
}
