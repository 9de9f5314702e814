import BackendKit
import Testing

@Suite("JSON that is an input") struct InputJSONTests {
  @Test(
    "a name that an object has twice is an error at its place, at any depth",
    arguments: [
      (#"{"a":1,"a":2}"#, "a", 9), (#"[{"b":{"c":1,"d":2,"c":3}}]"#, "c", 21), (#"{"a":1,"\u0061":2}"#, "a", 14),
      // Members that the objects before had in this order, and then one again.
      (#"[{"a":1,"b":2},{"a":1,"b":2,"b":3}]"#, "b", 30), (#"[{"a":1,"b":2},{"a":1,"a":3}]"#, "a", 24),
    ])
  func twice(text: String, name: String, offset: Int) throws {
    #expect(throws: JSONError("the name \"\(name)\" appears twice in an object", offset: offset)) {
      try JSONReader.read(input: Array(text.utf8))
    }
    // A server's response is taken as it is: the last value counts.
    #expect(throws: Never.self) { try JSONReader.read(text) }
  }

  @Test("one of many names twice is found, and names in different objects are not one") func many() throws {
    let members = (0..<2_000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    #expect(try JSONReader.read(input: Array("{\(members)}".utf8)).object?.count == 2_000)
    #expect(throws: JSONError.self) { try JSONReader.read(input: Array("{\(members),\"m7\":0}".utf8)) }
    #expect(try JSONReader.read(input: Array(#"[{"a":{"a":1}},{"a":2}]"#.utf8)).array?.count == 2)
    #expect(try JSONReader.read(input: Array("{\"é\":1,\"e\u{301}\":2}".utf8)).object?.count == 2)
  }

  @Test("a byte-order mark is taken at the start of a file only") func mark() throws {
    let text: [UInt8] = [0xEF, 0xBB, 0xBF, 0x31]
    #expect(try JSONReader.read(input: text) == 1)
    #expect(throws: JSONError("a byte-order mark is allowed at the start of a file only", offset: 0)) {
      try JSONReader.read(input: text, takesMark: false)
    }
  }
}
