import BackendKit
import TestSupport
import Testing

@Suite("Value and Object") struct ValueTests {
  @Test func `texts are the same only if written with the same code points`() {
    #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    #expect(Value.array([.string("\u{E9}")]) != .array([.string("e\u{301}")]))
    #expect(Value.string("\u{E9}") == .string("\u{E9}"))
    #expect(Object([("\u{E9}", 1)]) != Object([("e\u{301}", 1)]))
    #expect(Set([Value.string("\u{E9}"), .string("e\u{301}")]).count == 2)
  }

  @Test func `a value as plain text is its text, or JSON on one line`() {
    let number: Value = Number("1.10").map { Value.number($0) } ?? nil
    let values: [Value] = ["", "a \"b\"", 1, number, true, nil, ["a", [:]], ["b": ["c"]]]
    #expect(
      values.map(\.plainText) == [
        "", "a \"b\"", "1", "1.10", "true", "null", "[\"a\",{}]", "{\"b\":[\"c\"]}",
      ])
  }

  @Test(
    "a whole number has its digits, however it is written",
    arguments: [
      ("0", "0"), ("-0", "0"), ("7", "7"), ("-7", "-7"), ("3.0", "3"), ("3e2", "300"), ("1.5", nil),
      ("123456789012345678", "123456789012345678"), ("9223372036854775807", "9223372036854775807"),
      ("9223372036854775808", nil), ("1e400", nil),
    ] as [(String, String?)])
  func digits(text: String, expected: String?) { #expect(Number(text)?.integerText == expected) }

  @Test func `Of equal elements the first stays in its place`() {
    #expect([3, 1, 3, 2, 1].unique == [3, 1, 2] && [Int]().unique == [])
    #expect(["b", "A", "B", "a"].unique { $0.lowercased() } == ["b", "A"])
  }

  @Test func `hexadecimal digits are padded and never cut`() {
    #expect(String(hex: 0, digits: 2) == "00" && String(hex: UInt8(255), digits: 4) == "00ff")
    #expect(String(hex: UInt64.max, digits: 2) == "ffffffffffffffff")
    #expect(String(hex: 0x1F600 as UInt32, digits: 8, uppercase: true) == "0001F600")
  }

  @Test func `an absent member is not a null one`() {
    var object: Object = Object([("a", nil), ("b", 1)])
    #expect(object["a"] == .null)
    #expect(object["c"] == nil)
    object["a"] = nil
    #expect(object.names == ["b"])
    object["b"] = .null
    #expect(object["b"] == .null)
    #expect(object.count == 1)
  }

  @Test func `members keep their order through every change`() {
    var object = Object([("a", 1), ("b", 2), ("c", 3)])
    object["b"] = 4
    object["d"] = 5
    object["a"] = nil
    #expect(object.names == ["b", "c", "d"])
    #expect(object != Object([("c", 3), ("b", 4), ("d", 5)]))
    #expect(object == Object([("b", 4), ("c", 3), ("d", 5)]))
  }

  @Test func `records are equal in any order of their members, and objects are not`() {
    let (one, other) = (Object([("a", 1), ("b", 2)]), Object([("b", 2), ("a", 1)]))
    #expect(one != other && Record(id: "1", fields: one) == Record(id: "1", fields: other))
    #expect(Set([Record(id: "1", fields: one), Record(id: "1", fields: other)]).count == 1)
    for fields in [Object([("b", 2), ("a", 3)]), Object([("a", 1)]), Object([("a", 1), ("c", 2)])] {
      #expect(Record(id: "1", fields: one) != Record(id: "1", fields: fields))
    }
    #expect(Record(id: "1", fields: one) != Record(id: "2", fields: other))
  }

  @Test func `a large object behaves like a small one`() {
    var generator = SeededGenerator(seed: 3)
    var object = Object()
    var model: [(String, Int)] = []
    for step in 0..<2000 {
      let name = "n\(Int.random(in: 0..<80, using: &generator))"
      if Int.random(in: 0..<3, using: &generator) == 0 {
        object[name] = nil
        model.removeAll { $0.0 == name }
      } else {
        object[name] = .int(step)
        if let place = model.firstIndex(where: { $0.0 == name }) {
          model[place].1 = step
        } else {
          model.append((name, step))
        }
      }
      #expect(object == Object(model.map { ($0.0, .int($0.1)) }))
      #expect(object.names == model.map(\.0))
    }
  }
}
