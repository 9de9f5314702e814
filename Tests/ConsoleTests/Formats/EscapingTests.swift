import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Escaped text")
struct EscapingTests {
  @Test(
    "What moves the cursor, turns the direction or cannot be seen is spelled out",
    arguments: [
      ("plain ~text~", "plain ~text~"), ("a\nb\r\nc\td", #"a\nb\r\nc\td"#), ("\u{1B}[31mred\u{7}", #"\x1b[31mred\x07"#),
      ("\u{0}\u{7F}\u{9B}2J", #"\x00\x7f\x9b2J"#), ("\u{202E}evil\u{2069}", #"\u{202e}evil\u{2069}"#),
      ("a\u{200B}b\u{FEFF}c\u{AD}d", #"a\u{200b}b\u{feff}c\xadd"#), ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
      ("pay\u{200D}pal", #"pay\u{200d}pal"#), ("x\u{FE0F}", #"x\u{fe0f}"#), ("\u{E0041}", #"\u{e0041}"#),
      ("\u{200E}\u{61C}", #"\u{200e}\u{061c}"#), ("\u{3164}\u{115F}", #"\u{3164}\u{115f}"#),
    ])
  func hidden(text: String, expected: String) {
    #expect(Escaping.text(text) == expected)
    #expect(Escaping.text(expected) == expected)
  }

  @Test(
    "What makes a character stays",
    arguments: [
      "天気 é e\u{301} ñ", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "می\u{200C}خواهم", "क्\u{200D}ष",
      "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "葛\u{E0100}", "🇩🇪👍🏽", "“quotes”\u{A0}—",
    ])
  func kept(text: String) {
    #expect(Array(Escaping.text(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("Lines are divided at LF and CRLF only")
  func lines() {
    #expect(Escaping.lines("a\r\nb\n\nc\u{2028}d\re\n") == ["a", "b", "", #"c\u{2028}d\re"#])
    #expect(Escaping.lines("") == [""])
    #expect(Escaping.lines("\n") == [""])
  }

  @Test("A JSON document stays the same document")
  func json() throws {
    let value: Value = ["a\u{202E}": "x\u{200B}\u{E0041}\u{7F}天"]
    let shown = Escaping.json(JSONWriter.compact(value))
    #expect(shown == #"{"a\u202e":"x\u200b\udb40\udc41\u007f天"}"#)
    #expect(try JSONReader.read(shown) == value)
  }

  @Test("What is put into text that is shown is made visible, what the text itself says is not")
  func shown() {
    let outside = "gone\u{1B}[2J\n"
    let inner: EscapedText = "[\(outside)]\n"
    #expect(
      "no: \(inner)\(outside.prefix(5)) \(7)" as EscapedText
        == EscapedText(formatted: #"no: [gone\x1b[2J\n]"# + "\n" + #"gone\x1b 7"#))
    #expect(EscapedText(outside).text == #"gone\x1b[2J\n"#)
    #expect(EscapedText(lines: "a\u{9B}\nb").text == #"a\x9b"# + "\nb\n")
    #expect(EscapedText(json: "a\u{2028}").text == #""a\u2028""#)
    let parts: [EscapedText] = ["\(outside)", "b"]
    #expect(parts.joined(separator: ",\n").text == #"gone\x1b[2J\n"# + ",\nb")
  }
}
