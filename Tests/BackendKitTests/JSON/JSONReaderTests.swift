import BackendKit
import Testing

@Suite("JSON reader") struct JSONReaderTests {
  static let awkward: [String] = [
    "", " ", "0", "-0", "1.10", "1e400 ", "\"\"", "true", "false", "null", "[]", "{}", " [ ] ", "\u{FEFF}[1]",
    "\u{FEFF}",
    #"{"a":1,"b":[true,false,null,{"c":"d"}],"a":2}"#, #"["\u00e9é\ud83d\ude00😀\/\b\f\n\r\t\"\\"]"#,
    #"[{"id":1,"n":"x"},{"id":2,"n":"y"},{"n":"z","id":3},{"id":4},{"id":5,"n":"x","m":0},{"id":6,"id":7}]"#,
    #"{"":{"":{"":[[[[]]]]}}}"#, #"{"é":1,"é":2,"日本語のかなり長い名前":3}"#, "[1,2", "[1 2]", "[1,]", "{,}", "{\"a\"}",
    "{\"a\":}",
    "[01]", "[1-2]", "[tru]", "[trux]", "[nulll]", "[\"a\u{1}\"]", #"["\ud800"]"#, #"["\ud800x"]"#, #"["\ud800\n"]"#,
    #"["\ud800\u0041"]"#, #"["\udc00"]"#, #"["\x"]"#, #"["\u12g4"]"#, "[] []", "]", "{]", "[}", "1 1", "[1]\u{FEFF}",
  ]

  @Test("how text is cut into chunks changes nothing", arguments: awkward)
  func chunks(_ text: String) {
    let bytes = Array(text.utf8)
    for items in [JSONReader.Items.none, .at([[]]), .at([["a"], ["b"]]), .members] {
      let whole = ReadOutcome([bytes], items: items)
      for pieces in ReadOutcome.cuts(of: bytes) {
        #expect(ReadOutcome(pieces, items: items) == whole, "\(pieces.map { String(decoding: $0, as: UTF8.self) })")
      }
    }
  }

  @Test func `bytes without contiguous storage are read alike`() throws {
    var reader = JSONReader(items: .at([[]]))
    let elements = try reader.feed(sequence(state: Array(#"["a\u0062",1.10]"#.utf8)[...]) { $0.popFirst() })
    #expect(elements == ["ab", .number(try #require(Number("1.10")))])
    #expect(try reader.finish() == [])
  }

  @Test func `elements of every list of a document are handed out under its name`() throws {
    var reader = JSONReader(items: .members)
    let elements = try reader.feed(Array(#"{"a":[1,[2]],"b":{"c":[3]},"d":[],"e":[{"f":[4]}]}"#.utf8))
    #expect(elements == [["a": 1], ["a": [2]], ["e": ["f": [4]]]])
    #expect(try reader.finish() == ["a": [], "b": ["c": [3]], "d": [], "e": []])
  }

  @Test(
    "a number is kept as written",
    arguments: ["-0", "1e400", "1.10", "9007199254740993", "123456789012345678901234567890", "0.0", "1E+2", "-1.5e-07"])
  func numbersKept(_ text: String) throws {
    #expect(try JSONReader.read(text) == .number(try #require(Number(text))))
    #expect(try JSONReader.read("{\"a\":\(text)}") == ["a": .number(try #require(Number(text)))])
    #expect(JSONWriter.compact(try JSONReader.read("[\(text),\(text)]")) == "[\(text),\(text)]")
  }

  @Test(
    "what is not valid JSON number is refused",
    arguments: [
      "01", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "-", "--1", "1.2.3", "1e2e3", "-01", "1_0",
    ])
  func numbersRefused(_ text: String) {
    #expect(throws: JSONError.self) { try JSONReader.read(text) }
    #expect(throws: JSONError.self) { try JSONReader.read("[\(text)]") }
    #expect(Number(text) == nil)
  }

  @Test func `escapes and surrogate pairs become the characters they name`() throws {
    #expect(try JSONReader.read(#""\ud83d\ude00\u00E9\u0000\/\b\f\n\r\t\\\"""#) == "😀é\u{0}/\u{8}\u{C}\n\r\t\\\"")
    #expect(try JSONReader.read(#""\uDBFF\uDFFF""#) == "\u{10FFFF}")
  }

  @Test(
    "half a surrogate pair is an error",
    arguments: [
      #""\ud800""#, #""\ud800a""#, #""\ud800\n""#, #""\ud800\ud800""#, #""\ud800\u0041""#, #""\udc00""#,
      #""\udc00\ud800""#, #"{"\ud800":1}"#,
    ])
  func loneSurrogates(_ text: String) throws {
    let error = try #require(ReadOutcome(text).error)
    #expect(error.reason == "a string contains a lone surrogate")
  }

  @Test(
    "invalid UTF-8 is an error in text and in a name",
    arguments: [
      [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0x80], [0xFF],
      [0xFE],
    ] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    let quoted = [0x22] + bytes + [0x22]
    #expect(throws: JSONError.self) { try JSONReader.read(quoted) }
    #expect(throws: JSONError.self) { try JSONReader.read([0x7B] + quoted + Array(":1}".utf8)) }
    // Also where valid pieces of a character meet an escape in between.
    #expect(throws: JSONError.self) { try JSONReader.read([0x22] + bytes + Array("\\n\"".utf8)) }
  }

  @Test func `a character cut apart by an escape is not put together`() {
    let bytes: [UInt8] = [0x22, 0xC3] + Array(#"\u0020"#.utf8) + [0xA9, 0x22]
    #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
  }

  @Test func `every control character in text has to be escaped`() throws {
    for byte in UInt8(0)..<0x20 {
      // Behind enough plain bytes to be found by words as well as alone.
      for padding in 0..<17 {
        let bytes = [0x22] + [UInt8](repeating: 0x61, count: padding) + [byte, 0x22]
        #expect(throws: JSONError("a string contains an unescaped control character", offset: padding + 1)) {
          try JSONReader.read(bytes)
        }
      }
    }
    #expect(try JSONReader.read("\"\u{7F}\u{80}\u{A0}\"") == "\u{7F}\u{80}\u{A0}")
  }

  @Test func `the end of text is found behind any number of plain bytes`() throws {
    for padding in 0..<40 {
      for filler in ["a", " ", "!", "#", "[", "]", "\u{7F}", "é", "\u{A2}", "\u{1F600}"] {
        let text = String(repeating: filler, count: padding)
        #expect(try JSONReader.read("[\"\(text)\",\"\(text)\\\\\"]") == [.string(text), .string(text + "\\")])
      }
    }
  }

  @Test func `nesting is read to the limit and no deeper`() throws {
    let limits = JSONReader.Limits(depth: 10)
    let deepest = String(repeating: "[", count: 10) + String(repeating: "]", count: 10)
    #expect(ReadOutcome(deepest, limits: limits).error == nil)
    #expect(
      ReadOutcome("[\(deepest)]", limits: limits).error == JSONError("nested more than 10 levels deep", offset: 10)
    )
    let objects = String(repeating: "{\"a\":", count: 11)
    #expect(ReadOutcome(objects, limits: limits).error?.reason == "nested more than 10 levels deep")
    #expect(ReadOutcome(String(repeating: "[", count: 100_000)).error?.offset == 256)
  }

  @Test func `of a name given twice the last value counts, at the first's place`() throws {
    let expected = Object([("a", 3), ("b", 2)])
    #expect(try JSONReader.read(#"{"a":1,"b":2,"a":3}"#).object == expected)
    #expect(try JSONReader.read(#"{"a":1,"b":2,"\u0061":3}"#).object == expected)
    // Also after an object with the same names, whose order the reader expects.
    #expect(try JSONReader.read(#"[{"a":1,"b":2},{"a":1,"b":2,"a":3}]"#).array?.last?.object == expected)
    #expect(try JSONReader.read(#"[{"a":1,"b":2,"c":0},{"a":1,"b":2,"a":3}]"#).array?.last?.object == expected)
  }

  @Test func `two spellings of one character are two names`() throws {
    let object = try #require(try JSONReader.read("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
    #expect(object.count == 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    let after = try JSONReader.read("[{\"\u{E9}\":1},{\"e\u{301}\":2}]").array?.last?.object
    #expect(after?["\u{E9}"] == nil)
    #expect(after?["e\u{301}"] == 2)
  }

  @Test func `text that ends too early is an error wherever it ends`() {
    let text = #"{"a":[1.5e3,"x\u00e9\ud83d\ude00",{"b":null,"c":[true,false]}],"d":-0}"#
    let bytes = Array(text.utf8)
    #expect(ReadOutcome([bytes]).error == nil)
    for end in 0..<bytes.count {
      let outcome = ReadOutcome([Array(bytes[..<end])], items: .at([["a"]]))
      #expect(outcome.error == JSONError(end == 0 ? "the text is empty" : "the text ends unexpectedly", offset: end))
    }
  }

  @Test(
    "text after the document is an error",
    arguments: ["[] x", "{}{}", "1 2", "null,", "\"a\"\"b\"", "[]]", "true false"])
  func trailing(_ text: String) throws {
    #expect(try #require(ReadOutcome(text).error).reason == "unexpected text after the document")
  }

  @Test func `a byte-order mark is passed over at the very beginning and nowhere else`() throws {
    #expect(try JSONReader.read("\u{FEFF}{\"a\":1}") == ["a": 1])
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let broken: [[UInt8]] = [
      [0xEF, 0x5B, 0x5D], [0xEF, 0xBB, 0x5B, 0x5D], [0x5B, 0xBB, 0x5D], [0x5B, 0x31, 0xBF, 0x5D], [0x20, 0xBB, 0x31],
      [0x20] + mark + [0x31], mark + mark + [0x31], [0x31] + mark, mark,
    ]
    for bytes in broken { #expect(throws: JSONError.self) { try JSONReader.read(bytes) } }
  }

  @Test(.timeLimit(.minutes(10))) func `an object of a hundred thousand members is read in passing`() throws {
    let members = (0..<100_000).map { "\"name \($0)\":\($0)" }
    let object = try #require(
      try JSONReader.read("{" + (members + ["\"name 0\":-1"]).joined(separator: ",") + "}").object)
    #expect(object.count == 100_000)
    #expect(object["name 0"] == -1)
    #expect(object["name 99999"] == 99_999)
    #expect(object.names.first == "name 0")
  }
}
