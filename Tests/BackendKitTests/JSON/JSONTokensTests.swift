import BackendKit
import Testing

@Suite("JSON tokens") struct JSONTokensTests {
  private func tokens(_ text: String) -> [String] {
    var tokens = JSONTokens(Array(text.utf8))
    var found: [String] = []
    while let token = tokens.next() {
      found.append("\(token.kind) \(String(decoding: tokens.bytes[token.range], as: UTF8.self))")
    }
    return found
  }

  @Test("Every token has its kind and its text; what is cut or no JSON has some, too")
  func kinds() {
    #expect(
      tokens("\u{FEFF} {\"a\\\"}\": [1.5e3,true]}\n") == [
        "openBrace {", #"text "a\"}""#, "colon :", "openBracket [", "word 1.5e3", "comma ,", "word true",
        "closeBracket ]", "closeBrace }",
      ])
    #expect(tokens(#"x'"cut\"#) == ["word x'", #"text "cut\"#])
    #expect(tokens(" \n") == [])
  }

  @Test(
    "A value ends with its bracket, or with the text",
    arguments: [
      (#"{"a": "}"} rest"#, #"{"a": "}"}"#), ("[[1], [2]], 3", "[[1], [2]]"), (" 12 ", "12"),
      (#"{"a": ]}, 1"#, #"{"a": ]}"#), (#"{"a": {"#, #"{"a": {"#), (#""a" : 1"#, #""a""#),
    ])
  func values(text: String, value: String) throws {
    var tokens = JSONTokens(Array(text.utf8))
    let found = tokens.nextValue()
    let range = try #require(found)
    #expect(String(decoding: tokens.bytes[range], as: UTF8.self) == value)
    #expect(tokens.at == range.upperBound)
  }

  @Test("A placed value knows its line, its column and its bytes") func places() throws {
    let text = "{\n  \"\u{E9}\": 1, \"b\": [true,\n {}]\n}"
    let root = try LocatingScanner.scan(Array(text.utf8))
    let list = try #require(root["b"])
    #expect(list.place == TextPlace(line: 2, column: 16))
    #expect(String(decoding: Array(text.utf8)[list.range], as: UTF8.self) == "[true,\n {}]")
    #expect(root.range == 0..<text.utf8.count)
    guard case .array(let elements) = list.content else { return #expect(Bool(false), "not a list") }
    #expect(elements.map(\.place) == [TextPlace(line: 2, column: 17), TextPlace(line: 3, column: 2)])
  }
}
