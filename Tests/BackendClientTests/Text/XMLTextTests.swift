import BackendClient
import Testing

@Suite("XML text") struct XMLTextTests {
  @Test func `what has a meaning is escaped, what no document may hold is replaced, and nothing else changes`() {
    #expect(XMLText.escaped("<a b=\"c\">'&amp;\r\n\té\u{301}😀") == "&lt;a b=&quot;c&quot;&gt;'&amp;amp;\r\n\té\u{301}😀")
    #expect(XMLText.escaped("\0\u{FFFE}\u{FFFF}\u{FFFD}") == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test func `the lines of an attribute stay lines for its reader`() {
    #expect(XMLText.escaped("a\n\tb", keepsLines: false) == "a&#10;&#9;b")
  }
}
