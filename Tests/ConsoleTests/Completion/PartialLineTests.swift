import Testing

@testable import CommandLanguage

/// A line that is still being written, taken apart without complaint.
@Suite("The word at the cursor") struct PartialLineTests {
  @Test(
    "its text and its beginning",
    arguments: [
      ("", "", 0), ("list", "list", 0), ("list ", "", 5), ("get 'a b", "a b", 4), ("get \"a b", "a b", 4),
      ("get a\\ b", "a b", 4), ("größe ü", "ü", 6), ("x title~\"new d", "title~new d", 2),
      ("x y:={\"a\": [1", "y:={a: [1", 2),
      ("x \"a\\\"b", "a\"b", 2), ("x a\\", "a\\", 2), ("x a=\\@b", "a=\\@b", 2), ("x \"\\q$t", "q$t", 2),
    ])
  func word(line: String, text: String, start: Int) {
    let partial = PartialLine(line)
    #expect(partial.last.text == text)
    #expect(partial.last.start == start)
  }

  @Test("the words before it are whole") func words() {
    #expect(PartialLine("get 'a b' c").words.map(\.text) == ["get", "a b"])
    #expect(PartialLine("get 'a b' c ").words.map(\.text) == ["get", "a b", "c"])
  }

  @Test("a comment holds no word") func comment() {
    #expect(PartialLine("list # ti").isComment)
    #expect(!PartialLine("list ti#").isComment)
  }

  @Test(
    "text is written with the quotes that are there, or with those it needs",
    arguments: [
      ("get ", 0, "new day", "get \"new day", "\""), ("get 'ne", 0, "new day", "get 'new day", "'"),
      ("get \"ne", 0, "say \"x\"", "get \"say \\\"x\\\"", "\""),
      ("list title~ne", 6, "new day", "list title~\"new day", "\""),
      ("list title~\"ne", 6, "new day", "list title~\"new day", "\""),
      ("list \"title~ne", 6, "new day", "list \"title~new day", "\""),
      ("list title~\"", 6, "new", "list title~\"new", "\""),
      ("get x", 0, "xyz", "get xyz", ""), ("get 'i", 0, "it's", "get \"it's", "\""),
    ])
  func writing(line: String, head: Int, text: String, written: String, closing: String) throws {
    let writing = PartialLine(line).last.writing(after: head, quoting: Quoting.needsQuotes(text))
    let result = writing(text)
    let kept = String(String.UnicodeScalarView(line.unicodeScalars.prefix(writing.start)))
    #expect(kept + result.text == written)
    #expect(result.closing == closing)
    // Read again, it is the text that was meant.
    let words = try LineLexer.words(in: kept + result.text + result.closing)
    #expect(words.last?.text.hasSuffix(text) == true)
  }
}
