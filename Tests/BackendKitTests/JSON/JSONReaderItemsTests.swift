import BackendKit
import Synchronization
import Testing

@Suite("JSON reader: items") struct JSONReaderItemsTests {
  @Test func `the elements of a list are handed out as they close`() throws {
    var reader = JSONReader(items: .at([[]]))
    #expect(try reader.feed(Array("[{\"a\":1},{\"a".utf8)) == [["a": 1]])
    #expect(try reader.feed(Array("\":2}".utf8)) == [["a": 2]])
    #expect(try reader.feed(Array(" , 3".utf8)) == [])
    #expect(reader.foundItems)
    #expect(try reader.feed(Array("4]".utf8)) == [34])
    #expect(try reader.finish() == [])
  }

  @Test func `a list below member names is found, and the document keeps the rest`() {
    let inItem = ReadOutcome(#"{"total":2,"item":[{"a":1},{"a":2}],"next":null}"#, items: .at([["item"]]))
    #expect(inItem.elements == [["a": 1], ["a": 2]])
    #expect(inItem.document == ["total": 2, "item": [], "next": nil])
    let embedded = ReadOutcome(
      #"{"_embedded":{"item":[1,[2],"3"]},"item":[4]}"#, items: .at([["_embedded", "item"]]))
    #expect(embedded.elements == [1, [2], "3"])
    #expect(embedded.document == ["_embedded": ["item": []], "item": [4]])
  }

  @Test func `any of several places will do`() {
    let items = JSONReader.Items.at([[], ["item"]])
    #expect(ReadOutcome("[1,2]", items: items).elements == [1, 2])
    #expect(ReadOutcome(#"{"item":[1,2]}"#, items: items).elements == [1, 2])
  }

  @Test func `lists within an element are part of it`() {
    let nested = ReadOutcome(#"[[1,[2]],{"item":[3]}]"#, items: .at([[], ["item"]]))
    #expect(nested.elements == [[1, [2]], ["item": [3]]])
    // A list in a list has no member name that could lead to it.
    let below = ReadOutcome(#"[{"item":[1]}]"#, items: .at([["item"]]))
    #expect(below.elements == [])
    #expect(!below.foundItems)
    #expect(below.document == [["item": [1]]])
  }

  @Test func `a place that holds no list is told apart from an empty list`() {
    #expect(!ReadOutcome(#"{"item":{}}"#, items: .at([["item"]])).foundItems)
    #expect(!ReadOutcome(#"{"item":null}"#, items: .at([["item"]])).foundItems)
    #expect(!ReadOutcome(#"{"Item":[]}"#, items: .at([["item"]])).foundItems)
    #expect(ReadOutcome(#"{"item":[]}"#, items: .at([["item"]])).foundItems)
  }

  @Test func `a list after another object of the same names is still found`() {
    let text = #"{"a":{"item":[0]},"b":{"item":[1]}}"#
    #expect(ReadOutcome(text, items: .at([["b", "item"]])).elements == [1])
    #expect(ReadOutcome(text, items: .at([["a", "item"]])).elements == [0])
  }

  @Test func `an element may be as long as the limit and no longer`() {
    let text = #"[{"a":1},"# + #"{"a":"0123456789"},"# + "3]"
    let longest = #",{"a":"0123456789"}"#.utf8.count
    let limits = (0...40).map { JSONReader.Limits(element: $0) }
    for limit in limits {
      let outcome = ReadOutcome(text, items: .at([[]]), limits: limit)
      #expect((outcome.error == nil) == (limit.element >= longest), "\(limit.element)")
      for pieces in ReadOutcome.cuts(of: Array(text.utf8)) {
        #expect(ReadOutcome(pieces, items: .at([[]]), limits: limit) == outcome)
      }
    }
    #expect(
      ReadOutcome(text, items: .at([[]]), limits: limits[12]).error
        == JSONError("a record is longer than 12 bytes", offset: 20))
  }

  @Test func `a document without lists handed out may be as long as the limit and no longer`() {
    let text = #"{"a":"0123456789","b":[1,2]}"#
    for limit in 0...40 {
      let outcome = ReadOutcome(text, limits: JSONReader.Limits(document: limit))
      #expect((outcome.error == nil) == (limit >= text.utf8.count), "\(limit)")
      for pieces in ReadOutcome.cuts(of: Array(text.utf8)) {
        #expect(ReadOutcome(pieces, limits: JSONReader.Limits(document: limit)) == outcome)
      }
    }
  }

  @Test func `elements handed out do not count for the document, what follows them does`() {
    let elements = Array(repeating: "1234567890", count: 1000).joined(separator: ",")
    let limits = JSONReader.Limits(document: 40)
    let short = ReadOutcome("{\"item\":[\(elements)],\"end\":true}", items: .at([["item"]]), limits: limits)
    #expect(short.elements.count == 1000)
    let long = ReadOutcome(
      "{\"item\":[\(elements)],\"end\":\"\(String(repeating: "x", count: 40))\"}", items: .at([["item"]]),
      limits: limits)
    #expect(long.error?.reason == "the body is longer than 40 bytes")
  }

  @Test func `limits without bound do not overflow`() {
    let limits = JSONReader.Limits(element: .max, document: .max, depth: .max)
    #expect(ReadOutcome(#"{"item":[1,2]}"#, items: .at([["item"]]), limits: limits).elements == [1, 2])
  }

  /// The elements of a list that may have values that are no JSON, and these.
  private func passed(_ pieces: [[UInt8]]) async throws -> (elements: [Value], flaws: [Int: String]) {
    let rest = Mutex(pieces[...])
    let body = HTTPBody { () throws(BackendError) in rest.withLock { $0.popFirst() } }
    var (elements, flaws): ([Value], [Int: String]) = ([], [:])
    _ = try await body.elements(passing: { flaws[elements.count + $0] = $1.reason }) { values throws(BackendError) in
      elements += values
      return .more
    }
    return (elements, flaws)
  }

  @Test(
    "a value that is no JSON does not hide other elements, however the text is cut",
    arguments: [
      ("NaN", "NaN is not a value of JSON (byte 25)"), ("-Infinity", "-Infinity is not a value of JSON (byte 31)"),
      ("nan", "nan is not a value of JSON (byte 25)"), ("nul", "nul is not a value of JSON (byte 25)"),
      ("trux", "trux is not a value of JSON (byte 26)"), ("01", "01 is not a value of JSON (byte 24)"),
      ("1.", "1. is not a value of JSON (byte 24)"), ("-", "- is not a value of JSON (byte 23)"),
      ("\"a\u{1}b\"", "a string contains an unescaped control character (byte 24)"),
      (#""a\x""#, "a string contains an unknown escape (byte 25)"),
    ])
  func flaws(_ value: String, _ flaw: String) async throws {
    let text = #"[{"id":1},{"id":2,"a":\#(value)},{"id":3}]"#
    for pieces in ReadOutcome.cuts(of: Array(text.utf8)) {
      let found = try await passed(pieces)
      #expect(found.elements == [["id": 1], ["id": 2, "a": nil], ["id": 3]])
      #expect(found.flaws == [1: "member a: \(flaw)"])
    }
  }

  @Test(
    "half a surrogate pair is replaced, and the element is kept",
    arguments: [
      (#"\ud800"#, "\u{FFFD}", 29), (#"\udc00"#, "\u{FFFD}", 28), (#"\ud800\ud83d\ude00"#, "\u{FFFD}😀", 34),
      (#"\ud800x\udc00\n"#, "\u{FFFD}x\u{FFFD}\n", 29), (#"\ud800\ud800"#, "\u{FFFD}\u{FFFD}", 34),
    ])
  func replaced(_ value: String, _ text: String, _ byte: Int) async throws {
    let list = #"[{"id":1},{"id":2,"a":"\#(value)"},{"id":3}]"#
    for pieces in ReadOutcome.cuts(of: Array(list.utf8)) {
      let found = try await passed(pieces)
      #expect(found.elements == [["id": 1], ["id": 2, "a": .string(text)], ["id": 3]])
      #expect(found.flaws == [1: "member a: a string contains a lone surrogate (byte \(byte))"])
    }
  }

  @Test func `the first value of an element that is no JSON is named by its path`() async throws {
    let text = #"[{"a":{"b":[1,NaN]},"c":NaN},{"a":{"\ud800":1}},NaN]"#
    let found = try await passed([Array(text.utf8)])
    #expect(found.elements.count == 3 && found.elements[0] == ["a": ["b": [1, nil]], "c": nil])
    #expect(found.elements[2] == .null)
    #expect(
      found.flaws == [
        0: "member a.b[1]: NaN is not a value of JSON (byte 17)",
        1: "member a: a string contains a lone surrogate (byte 42)", 2: "NaN is not a value of JSON (byte 51)",
      ])
  }

  @Test(
    "where the end of a value is not certain, or it is in no element, the list cannot be read",
    arguments: [
      #"[{"a":1},{"a":NaN"#, #"[{"a":1},{"a":'b, c'}]"#, #"[{"a":1},{"a":"\u12"}]"#, #"[{"a":1},{"a":1 2}]"#,
      #"[{"a":1},]"#, #"[{"a":1},{"a":}]"#, #"[{"a":1}] NaN"#,
    ])
  func unreadable(_ text: String) async throws {
    await #expect(throws: BackendError.self) { try await passed([Array(text.utf8)]) }
    await #expect(throws: BackendError.self) {
      let piece = Array(#"[{"a":NaN}]"#.utf8)
      let body = HTTPBody { () throws(BackendError) in piece }
      _ = try await body.elements { _ throws(BackendError) in .more }
    }
  }
}
