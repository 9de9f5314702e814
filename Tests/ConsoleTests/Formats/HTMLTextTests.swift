import Testing

@testable import ConsoleOutput

@Suite("Text of HTML")
struct HTMLTextTests {
  @Test(
    "Blocks become lines, runs of blanks one",
    arguments: [
      ("", [""]), ("plain", ["plain"]), ("two\nlines & 1 > 0", ["two", "lines & 1 > 0"]),
      ("a &amp; b&nbsp;&eacute;", ["a & b é"]),
      ("<p>One\n  two</p><p>Three</p>", ["One two", "", "Three"]), ("a<br>b<br/><br>c", ["a", "b", "", "c"]),
      ("<div>a</div><div><div>b</div></div>c", ["a", "b", "c"]),
      ("x <b> bold</b> <code>let a</code>.", ["x bold let a."]),
      ("<ul><li>a<li><p>b</p><ol><li>c</li></ol></li></ul>d", ["- a", "- b", "  1. c", "", "d"]),
      ("<pre>  a\n   b\n</pre>c", ["  a", "   b", "", "c"]),
      ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", ["a  b", "c"]),
      ("<script>alert(1)</script><style>x</style>t<!-- c -->", ["t"]),
      ("a<img src=x.png alt='a cat'>b", ["a[image: a cat (x.png)]b"]), ("<img src=x.png>", ["[image: x.png]"]),
      ("<img alt='a cat'>", ["[image: a cat]"]), ("<img src='data:image/png;base64,x' alt=dot>", ["[image: dot]"]),
      ("<img src='data:image/png;base64,x'>", ["[image: data:image/png]"]),
      ("<iframe src=\"https://example.org/v\">no</iframe>", ["[iframe: https://example.org/v]"]),
      ("<iframe title=Map src=https://example.org/v></iframe>", ["[iframe: Map (https://example.org/v)]"]),
      ("<p>unclosed <i>tags", ["unclosed tags"]), ("a<hr>b", ["a", "---", "b"]), ("<h1>H</h1>t", ["H", "", "t"]),
      ("<p>a<br></p><p><br></p><p>b</p>", ["a", "", "b"]),
    ] as [(String, [String])])
  func lines(html: String, expected: [String]) {
    #expect(HTMLText.lines(html) == expected)
  }

  @Test("Links are numbered and their targets listed")
  func links() {
    let html =
      #"at <a href="https://example.org/cafe">the café</a>, <a href='#x'>here</a> or <a href="https://example.org/cafe">there</a> <a href="mailto:a@b.c">mail</a>"#
    #expect(
      HTMLText.lines(html) == [
        "at [1] the café, here or [1] there [2] mail", "[1] https://example.org/cafe", "[2] mailto:a@b.c",
      ])
    #expect(HTMLText.oneLine(html) == "at the café, here or there mail")
  }

  @Test("On one line, blocks stand side by side")
  func oneLine() {
    #expect(HTMLText.oneLine("<p>a</p>\n<p>b<br>c</p>") == "a b c")
    #expect(HTMLText.oneLine("a\nb") == #"a\nb"#)
    #expect(HTMLText.oneLine("<img src=x.png alt='a cat'><img src=y.png>") == "[image: a cat][image: y.png]")
  }

  @Test("Control characters that entities stand for do not pass")
  func entities() {
    #expect(
      HTMLText.lines("<a href='x&#27;]8;;'>a&#x1b;[2J&#x202e;&#155;</a>") == [
        #"[1] a\x1b[2J\u{202e}›"#, #"[1] x\x1b]8;;"#,
      ])
  }

  @Test("A tag with a thousand attributes is read as markup, and so are many with a few")
  func attributes() {
    #expect(HTMLText.lines("<p " + (0..<1000).map { "a\($0)=\"1\" " }.joined() + ">x</p>") == ["x"])
    #expect(
      HTMLText.oneLine(String(repeating: "<b class=\"x\" title=\"y\">z</b>", count: 9_000))
        == String(repeating: "z", count: 9_000))
  }

  @Test("Markup made to be costly is shown as it is, or quickly", .timeLimit(.minutes(10)))
  func hostile() {
    let many = String(repeating: "<b>", count: 300_000)
    #expect(HTMLText.lines(many) == [many])
    let deep = String(repeating: "<div>", count: 19_000) + "x"
    #expect(HTMLText.lines(deep) == ["x"])
    let fonts = "<p>" + (0..<9_000).map { "<font size=\($0)>" }.joined() + String(repeating: "<p>y", count: 9_000)
    #expect(HTMLText.lines(fonts) == [fonts])
    // Each attribute is compared with all before it, also one that is there already.
    let named = "<p " + (0..<800_000).map { "a\($0) " }.joined() + ">x"
    #expect(HTMLText.oneLine(named) == named)
    let repeated = "<p " + (0..<2_000).map { "a\($0) " }.joined() + String(repeating: "a1999 ", count: 800_000) + ">x"
    #expect(HTMLText.oneLine(repeated) == repeated)
    let ended = "<p>x</p " + (0..<800_000).map { "a\($0) " }.joined() + ">"
    #expect(HTMLText.oneLine(ended) == ended)
  }
}
