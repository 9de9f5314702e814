import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Expanded")
struct ExpandedTests {
  private let body =
    #"The canteen is closed on Friday. Vouchers are valid at <a href="https://example.org/cafe">the café</a>.<br>Bye&nbsp;!"#

  @Test("Each field is a line; HTML is text, its links listed; at a terminal text is wrapped")
  func html() {
    let record = Sample.record(5, ["title": "Canteen closed on Friday", "body": .string(body)])
    #expect(
      Sample.print(.expanded, Presentation(fields: Sample.fields, isSingle: true), [record]) == """
         id     5
         title  Canteen closed on Friday
         body   The canteen is closed on Friday. Vouchers are valid at [1] the café.
                Bye !
                [1] https://example.org/cafe

        """)
    #expect(
      Sample.print(.expanded, Presentation(fields: Sample.fields, width: 40, isTerminal: true), [record]) == """
         id     5
         title  Canteen closed on Friday
         body   The canteen is closed on Friday.
                Vouchers are valid at [1] the
                café.
                Bye !
                [1] https://example.org/cafe

        """)
  }

  @Test("Awkward values have marks, and nothing raw passes; what is absent has no line")
  func awkward() {
    #expect(
      Sample.print(.expanded, Presentation(fields: Sample.fields), Sample.awkward) == #"""
         id     1
         title  ""
         body   null
         tags   ["a",{"b":1}]
         price  1.10
         done   true

         id     2
         title  a,"b"\
                \tc\r\x1b[2J
         body   x < y
         price  null
         done   "null"
         tags   not loaded

         title  天気 \u{202e}

        """#)
  }

  @Test("In a narrow window values stand below their names, and no line is wider than the window", arguments: 15...40)
  func narrow(width: Int) {
    let record = Record("1", ["isComplete": false, "title": "Canteen closed on Friday", "l": ["a", ["k": 5]]])
    let text = Sample.print(.expanded, Presentation(width: width, isTerminal: true), [record])
    for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: String(line)) <= width) }
    #expect(text.hasPrefix(" isComplete\n   false\n") == (width < 25))
    #expect(text.hasPrefix(" isComplete  false\n") == (width >= 25))
  }

  @Test("Nested values that are long stand over several lines; names and columns asked for are shown")
  func nested() {
    let record = Record("1", ["a": ["k": "0123456789", "l": ["0123456789"]], "b\n": 1])
    #expect(
      Sample.print(.expanded, Presentation(width: 24, isTerminal: true), [record]) == #"""
         a    {
                "k": "0123456789",
                "l": [
                  "0123456789"
                ]
              }
         b\n  1

        """#)
    let columns = [FieldPath("a.k"), FieldPath("zz")]
    #expect(Sample.print(.expanded, Presentation(columns: columns), [record]) == " a.k  0123456789\n zz   -\n")
  }
}
