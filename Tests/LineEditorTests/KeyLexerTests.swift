import Testing

@testable import LineEditor

@Suite struct `Keys and bytes` {
  @Test(arguments: [
    ("\u{1B}[A", [KeyEvent.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5C", [.wordRight]), ("\u{1B}[1~", [.home]),
    ("\u{1B}b", [.meta("b")]), ("a\u{1B}[Bc", [.character("a"), .down, .character("c")]),
    ("\u{1B}[200~x\u{1B}[201y\u{1B}[201~", [.paste("x[201y")]), ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    ("\u{1B}\u{1B}[D", [.left]), ("\u{1B}[\u{1B}[D", [.left]), ("\u{0}\u{9C}", []),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[Z", [.pageUp, .pageDown, .backTab]),
    // Function keys, the last as a Linux console sends it.
    ("\u{1B}OP\u{1B}[15~\u{1B}[[Ax", [.character("x")]), ("\u{1B}[[\u{1B}[A", [.up]),
  ])
  func `sequences become events`(input: String, events: [KeyEvent]) {
    var lexer = KeyLexer()
    #expect(input.unicodeScalars.compactMap { lexer.feed($0) } == events)
  }

  @Test(arguments: [
    [], [0x41], [0xC3, 0xA9], [0xE5, 0x85, 0xAC], [0xF0, 0x9F, 0x8E, 0x89], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80],
    [0xE5, 0x85, 0x41], [0xF0, 0x9F, 0x41], [0xF4, 0x90, 0x80, 0x80], [0x80, 0x42], [0xE5, 0xE5, 0x85, 0xAC, 0x41],
  ])
  func `bytes decode as the standard library decodes them`(bytes: [UInt8]) {
    var decoder = ScalarDecoder()
    var scalars = String.UnicodeScalarView()
    for byte in bytes { decoder.feed(byte) { scalars.append($0) } }
    #expect(String(scalars) == String(decoding: bytes, as: UTF8.self))
  }

  @Test(arguments: [
    ("a> ", "a> ", "a> "),
    ("\u{1B}[1ma> \u{1B}[0m", "\u{1}\u{1B}[1m\u{1}a>\u{1}\u{1B}[0m\u{1} ", "a> "),
    ("\u{1B}[1m\u{1B}[32ma\u{1B}[0m> ", "\u{1}\u{1B}[1m\u{1B}[32m\u{1}a\u{1}\u{1B}[0m\u{1}> ", "a> "),
    ("\u{1B}[32m>\u{1B}[0m", "\u{1}\u{1B}[32m\u{1B}[0m\u{1}>", ">"),
    ("a\u{1}\u{7}\u{1B}[2Jb", "a[2Jb", "a[2Jb"),
  ])
  func `a prompt is wrapped as libedit wants it`(text: String, wrapped: String, visible: String) {
    let prompt = Prompt(text, plain: false)
    #expect(prompt.wrapped == wrapped)
    #expect(prompt.visible == visible)
    #expect(Prompt(text, plain: true).wrapped == visible)
  }
}
