import BackendKit
import TestSupport
import Testing

/// Records of a list are kept as text where they can be. They must equal those that are parsed.
@Suite("Objects kept as text") struct CompactObjectTests {
  /// Reads a list as one document and returns its elements, for comparison: none of them is kept as text.
  private func plain(_ bytes: [UInt8]) -> Result<[Value], JSONError> {
    Result { () throws(JSONError) in try JSONReader.read(bytes) }.map { $0.array ?? [] }
  }

  /// The same, handed out as the objects close.
  private func handedOut(_ pieces: [[UInt8]]) -> Result<[Value], JSONError> {
    Result { () throws(JSONError) in
      var reader = JSONReader(items: .at([[]]))
      var values: [Value] = []
      for piece in pieces { values += try reader.feed(piece) }
      _ = try reader.finish()
      return values
    }
  }

  private func texts(_ values: [Value]) -> [String] {
    values.map { JSONWriter.compact($0) + JSONWriter.indented($0) }
  }

  private func without(_ name: String, _ value: Value) -> Value {
    var object = value.object ?? Object()
    object[name] = nil
    return .object(object)
  }

  /// A value as services write it: in this console's spelling, in another one, or damaged.
  private func value(_ random: inout SeededGenerator) -> String {
    let common = [
      "1", "-0", "1.10", "1e400", "true", "false", "null", #""""#, #""short""#, #""a text of more than fifteen bytes""#,
      #""日本語 é 😀""#, #""tab\tline\nquote\"back\\slash""#, "12345678901234567890123456789",
      #"{"a":1}"#, "[1,2]", "[]", "{}", #"{"a":{"b":["x",null,{"é":-1.5}]},"b":[[],{}]}"#,
      #"{ "a" : [ 1 ,"b \" c" ] ,"b": { } }"#, "[\n  {\"a\": 1e400},\n  [ ]\n]",
    ]
    let other = [
      #""\u0041""#, #""\/""#, #""\u0085""#, "\"\u{85}\"", "\"\u{7F}\"", "\"\u{A0}\"", #""\b\f\r""#, #""\ud83d\ude00""#,
      #"{"a": "\/"}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":1,"b":2}}"#, #"[{"\u0041":1}]"#, #"{"a":1,"\u0061":2}"#,
      String(repeating: "[", count: 20) + String(repeating: "]", count: 20),
      "{" + (0..<40).map { "\"\($0)\":1" }.joined(separator: ",") + "}",
    ]
    let damaged = [
      "01", "tru", "nulll", #""\x""#, #""\ud800""#, "\"\u{1}\"", "-", "1.", "", "'a'", "\"open",
      "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "[1}", #"{"a":1]"#, "[", "{", "[01]", #"{"a" 1}"#,
    ]
    return switch Int.random(in: 0..<40, using: &random) {
    case 0: damaged.randomElement(using: &random) ?? ""
    case 1...8: other.randomElement(using: &random) ?? ""
    default: common.randomElement(using: &random) ?? ""
    }
  }

  private func list(_ random: inout SeededGenerator) -> [UInt8] {
    let names = ["id", "title", "é", "user name", "a\\\"b", "x\u{85}y", "completed"].shuffled(using: &random).prefix(
      Int.random(in: 1...5, using: &random))
    let blank = ["", "", " ", "\n  ", "\t"].randomElement(using: &random) ?? ""
    let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      var names = Array(names)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2: names.shuffle(using: &random)
      case 3: names.removeLast()
      case 4: names.append(names[0])
      case 5: names.insert("another", at: Int.random(in: 0...names.count, using: &random))
      default: break
      }
      let members = names.map { "\(blank)\"\($0)\"\(blank):\(blank)\(value(&random))" }
      return "\(blank){\(members.joined(separator: ","))\(blank)}"
    }
    var bytes = Array("[\(rows.joined(separator: ","))\(blank)]".utf8)
    if Int.random(in: 0..<12, using: &random) == 0, let place = bytes.indices.randomElement(using: &random) {
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  @Test("thousands of lists, some of them damaged, are read and written as they are without it") func same() {
    var random = SeededGenerator(seed: 18)
    var kept = 0
    for _ in 0..<6_000 {
      let bytes = list(&random)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      let expected = plain(bytes)
      for pieces in [[bytes], [Array(bytes[..<cut]), Array(bytes[cut...])]] {
        let found = handedOut(pieces)
        switch (expected, found) {
        case (.success(let left), .success(let right)):
          kept += 1
          #expect(left == right && texts(left) == texts(right), "\(String(decoding: bytes, as: UTF8.self))")
          for (left, right) in zip(left, right) {
            #expect(left.hashValue == right.hashValue)
            for name in left.object?.names ?? [] {
              #expect(left.object?[name] == right.object?[name])
              #expect(texts([without(name, left)]) == texts([without(name, right)]))
            }
          }
        case (.failure(let left), .failure(let right)): #expect(left == right)
        default: Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(expected) \(found)")
        }
      }
    }
    #expect(kept > 4_000)
  }

  @Test("objects with more members than stay text are read all the same", arguments: [63, 64, 65, 200])
  func wide(count: Int) throws {
    let objects = (0..<3).map { row in
      "{" + (0..<count).map { "\"n\(($0 + row) % count)\": [\($0), \"\\u00e9\"]" }.joined(separator: ", ") + "}"
    }
    let bytes = Array("[\(objects.joined(separator: ",\n"))]".utf8)
    #expect(try texts(handedOut([bytes]).get()) == texts(plain(bytes).get()))
  }

  @Test func `a member that is changed, added or taken away leaves the others as they are`() throws {
    var reader = JSONReader(items: .at([[]]))
    let values = try reader.feed(Array(#"[{"a":1,"b":"x"},{"a":2,"b":"y"}]"#.utf8))
    var object = try #require(values.last?.object)
    object["c"] = nil
    #expect(JSONWriter.compact(.object(object)) == #"{"a":2,"b":"y"}"#)
    object["b"] = "z"
    object["c"] = true
    #expect(JSONWriter.compact(.object(object)) == #"{"a":2,"b":"z","c":true}"#)
    object["a"] = nil
    #expect(Value.object(object) == ["b": "z", "c": true])
  }

  @Test func `a record with more levels than the limit is refused as it is without it`() throws {
    let limits = JSONReader.Limits(depth: 4)
    let bytes = { (inner: String) in Array(#"[{"a":[0]},{"a":[\#(inner)]}]"#.utf8) }
    var reader = JSONReader(items: .at([[]]), limits: limits)
    #expect(try reader.feed(bytes("[1]")).count == 2)
    for inner in ["[[1]]", #"{"b":[]}"#] {
      #expect(throws: JSONError.self) { try JSONReader.read(bytes(inner), limits: limits) }
      var reader = JSONReader(items: .at([[]]), limits: limits)
      #expect(throws: JSONError.self) { try reader.feed(bytes(inner)) }
    }
  }

  @Test func `a record beyond the limit is refused as it is without it`() {
    let long = String(repeating: "x", count: 200)
    let bytes = Array(#"[{"a":"y"},{"a":"\#(long)"}]"#.utf8)
    var reader = JSONReader(items: .at([[]]), limits: JSONReader.Limits(element: 100))
    #expect(throws: JSONError.self) { try reader.feed(bytes) }
  }
}
