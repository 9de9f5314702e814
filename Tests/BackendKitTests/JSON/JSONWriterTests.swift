import BackendKit
import TestSupport
import Testing

@Suite("JSON writer") struct JSONWriterTests {
  @Test("what was written is read back the same", arguments: 0..<40)
  func roundTrip(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<50 {
      let value = generator.value()
      #expect(try JSONReader.read(JSONWriter.compact(value)) == value)
      #expect(try JSONReader.read(JSONWriter.indented(value)) == value)
    }
  }

  @Test func `a list of records of changing shape is read back the same`() throws {
    var generator = SeededGenerator(seed: 7)
    let names = ["id", "title", "é", "e\u{301}", "a name that is longer than a short one"]
    let records = (0..<300).map { number -> Value in
      let count = Int.random(in: 0...names.count, using: &generator)
      let chosen =
        Bool.random(using: &generator) ? Array(names[..<count]) : Array(names.shuffled(using: &generator)[..<count])
      return .object(Object(chosen.map { ($0, .int(number)) }))
    }
    let text = JSONWriter.compact(.array(records))
    #expect(ReadOutcome(text, items: .at([[]])).elements == records)
    #expect(JSONWriter.compact(try JSONReader.read(text)) == text)
  }

  @Test func `control characters are escaped and everything else is plain`() {
    #expect(
      JSONWriter.compact("\u{0}\u{8}\n\r\t\u{1B}\u{7F}\u{85}\u{9F}") == #""\u0000\u0008\n\r\t\u001b\u007f\u0085\u009f""#
    )
    #expect(JSONWriter.compact("\"\\/é😀\u{A0}") == "\"\\\"\\\\/é😀\u{A0}\"")
    #expect(JSONWriter.compact(.object(Object([("\u{1B}[2J", 1)]))) == #"{"\u001b[2J":1}"#)
  }

  @Test("whatever stands before and behind it, each character is written as it is alone") func places() {
    let plain = ["", "a", "seven b", "eight by", "nine byte", "é", "😀 and more of it", "\u{BF}"]
    let codes = Array(UInt32(0)...0x17F) + [0x7FF, 0x800, 0x2028, 0xD7FF, 0xE000, 0xFFFD, 0x10FFFF]
    for scalar in codes.compactMap({ Unicode.Scalar($0) }) {
      let alone = JSONWriter.compact(.string(String(scalar))).dropFirst().dropLast()
      for before in plain {
        for behind in plain {
          let text = "\(before)\(scalar)\(scalar)\(behind)"
          #expect(JSONWriter.compact(.string(text)).utf8.elementsEqual("\"\(before)\(alone)\(alone)\(behind)\"".utf8))
        }
      }
    }
  }

  @Test func `a list of which the elements come one by one has the text of the whole list`() {
    var generator = SeededGenerator(seed: 14)
    for count in 0..<4 {
      let values = (0..<count).map { _ in generator.value() }
      var list = JSONWriter.List()
      var bytes: [UInt8] = []
      for value in values { list.add(value, to: &bytes) }
      #expect(list.isEmpty == values.isEmpty)
      list.end(to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == JSONWriter.indented(.array(values)))
    }
    #expect(JSONWriter.indented([]) == "[]")
  }

  @Test func `the indented form has two spaces a level and keeps what is empty on one line`() {
    let value: Value = ["a": [1, ["b": nil]], "c": [], "d": [:]]
    #expect(
      JSONWriter.indented(value) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "c": [],
          "d": {}
        }
        """)
    #expect(JSONWriter.compact(value) == #"{"a":[1,{"b":null}],"c":[],"d":{}}"#)
  }
}
