import BackendKit
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
}
