import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Structure of HTML")
struct HTMLStructureTests {
  @Test(
    "Tables are aligned, layouts are not, captions stand above",
    arguments: [
      (
        "<table><caption>C</caption><tr><th>Room</th><th>Seats</th></tr><tr><td>Blue room</td><td>7</td></tr></table>after",
        ["C", "Room       Seats", "Blue room  7", "", "after"]
      ),
      ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", ["a", "b", "c"]),
      ("x<table><tr><td>1<table><tr><td>i<td>j</table></td></tr></table>y", ["x", "", "1", "i  j", "", "y"]),
      ("<table><tr><td></td></tr><tr></tr></table>y", ["y"]), ("<table>", [""]),
      ("<ul><li>a<table><tr><td>b<td>c</table></ul>", ["- a", "b  c"]),
      ("<table><tr><td>天気<td>1</tr><tr><td>abc<td>2</tr></table>", ["天気  1", "abc   2"]),
    ] as [(String, [String])])
  func tables(html: String, expected: [String]) {
    let lines = HTMLText.lines(html)
    #expect(lines == expected || (expected == [""] && lines.isEmpty))
  }

  @Test("A table that is too wide is not aligned")
  func wide() {
    let html = "<table><tr><td>a long cell<td>b</tr><tr><td>c<td>d</tr></table>"
    #expect(HTMLText.lines(html, HTMLLines.Manner(width: 14)) == ["a long cell  b", "c            d"])
    #expect(HTMLText.lines(html, HTMLLines.Manner(width: 13)) == ["a long cell  b", "c  d"])
  }

  @Test("Numbered lists begin where they say")
  func numbers() {
    #expect(HTMLText.lines("<ol start=9><li>a<li>b</ol>") == ["9. a", "10. b"])
    #expect(HTMLText.lines("<ol start=99999999999999999999><li>a</ol>") == ["1. a"])
  }

  @Test("Lines of a list item stand below its text")
  func hanging() {
    #expect(Wrapping.hangingLines(of: "  - one two three", width: 12) == ["  - one two", "    three"])
    #expect(Wrapping.hangingLines(of: "10. one two", width: 9) == ["10. one", "    two"])
    #expect(Wrapping.hangingLines(of: "one two", width: 4) == ["one", "two"])
    #expect(Wrapping.hangingLines(of: "1.5 two", width: 4) == ["1.5", "two"])
  }

  @Test("Numbers of links go on from field to field")
  func links() {
    let fields = [FieldDescription("a", .html), FieldDescription("b", .html)]
    let record = Record(
      "1", ["a": "<a href='http://x'>x</a>", "b": "<a href='http://y'>y</a><a href='http://y'>z</a>"])
    #expect(
      Sample.print(.expanded, Presentation(fields: fields), [record])
        == " a  [1] x\n    [1] http://x\n b  [2] y [2] z\n    [2] http://y\n".replacing("y [2]", with: "y[2]"))
    #expect(HTMLText.links("<a href='http://y'>z</a><a href='#q'>q</a>") == ["http://y"])
  }

  @Test("At a terminal with colors, emphasis, code and links stand out, on every line they go on to")
  func styles() {
    var presentation = Presentation(fields: [FieldDescription("a", .html)], width: 24, isTerminal: true)
    presentation.theme = Theme(.mono)
    let record = Record(
      "1", ["a": "x <b>bold and <i>both</i> of them</b> <code>c</code> <a href='http://x'>l</a> <b></b>"])
    #expect(
      Sample.print(.expanded, presentation, [record])
        == """
         \u{1B}[1ma\u{1B}[m  x \u{1B}[1mbold and \u{1B}[m\u{1B}[1;3mboth\u{1B}[m \u{1B}[1mof\u{1B}[m
            \u{1B}[1mthem\u{1B}[m \u{1B}[7mc\u{1B}[m \u{1B}[4m[1] l\u{1B}[m
            [1] \u{1B}[4mhttp://x\u{1B}[m

        """)
  }

  @Test("A style goes on over lines that neither begin nor end it")
  func longStyle() {
    var presentation = Presentation(fields: [FieldDescription("a", .html)], width: 24, isTerminal: true)
    presentation.theme = Theme(.mono)
    let record = Record("1", ["a": "<b>0123456789 0123456789 0123456789 0123456789</b>"])
    let lines = Sample.print(.expanded, presentation, [record]).split(separator: "\n")
    #expect(lines.count > 2)
    for line in lines { #expect(line.contains("\u{1B}[1m0123456789")) }
  }

  @Test("A server's text cannot begin a style")
  func forged() {
    var presentation = Presentation(fields: [FieldDescription("a", .html)], width: 60, isTerminal: true)
    presentation.theme = Theme(.mono)
    let mark = TextStyle.strong.begin
    let record = Record("1", ["a": .string("<b>\(TextStyle.emphasis.end)x\(mark)</b> &#xFDD0;y")])
    #expect(
      Sample.print(.expanded, presentation, [record]) == " \u{1B}[1ma\u{1B}[m  \u{1B}[1m\u{FFFD}x\u{FFFD}\u{1B}[m y\n")
    #expect(TextStyle.removed(from: "\(mark)a\u{FB01}") == "a\u{FB01}")
    #expect(Escaping.text(mark) == "\\u{fdd0}")
  }
}
