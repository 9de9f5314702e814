import BackendClient
import BackendKit
import TestSupport
import Testing

@testable import ServiceDescription

@Suite struct YAMLWriterTests {
  @Test func `members stand in their order, texts are plain only where they are words, and short lists on one line`() {
    let value: Value = [
      "product": "Acme Desk", "preset": "jsonapi", "page": ["style": "number", "first": 1],
      "fields": ["a", "no", "null", "a b", ""], "empty": [:], "none": [], "base": "/api/v1",
      "list": [["a": 1, "c": [[]]], ["b": [2]], "d"],
      "true": "true", "@odata.count": "x\n\u{7}é\"\\",
    ]
    #expect(
      YAMLWriter.text(value, listsOnOneLine: true) == """
        product: Acme Desk
        preset: jsonapi
        page:
          style: number
          first: 1
        fields: [a, "no", "null", a b, ""]
        empty: {}
        none: []
        base: /api/v1
        list:
          - a: 1
            c:
              - []
          - b: [2]
          - d
        "true": "true"
        "@odata.count": "x\\n\\u0007é\\"\\\\"
        """)
  }

  @Test func `whatever is written is read as it was`() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    for _ in 0..<2_000 {
      let value = Value.object(Object([("root", Self.value(&generator, depth: 0))]))
      for listsOnOneLine in [false, true] {
        let text = YAMLWriter.text(value, listsOnOneLine: listsOnOneLine)
        let read = try DescriptionText.read(Array(text.utf8), file: "a.yaml").value
        #expect(read == value, "\(text)")
      }
    }
  }

  private static func value(_ generator: inout SeededGenerator, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &generator) {
    case 0: return nil
    case 1: return .bool(Bool.random(using: &generator))
    case 2:
      return Number("\(Int.random(in: -9...9, using: &generator)).\(Int.random(in: 0...99, using: &generator))e5")
        .map { .number($0) } ?? nil
    case 3, 4, 5: return .string(text(&generator))
    case 6:
      return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(&generator, depth: depth + 1) })
    default:
      var object = Object()
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        object[text(&generator)] = value(&generator, depth: depth + 1)
      }
      return .object(object)
    }
  }

  private static let parts = [
    "a", "no", "~", "null", "1", ".5", "0x1", "- ", ": ", " #", "\n", "\t", "\r", "\u{0}", "\u{85}", "\u{2028}",
    "\u{FEFF}",
    "\u{FFFE}", "é", "🙂", "\"", "'", "\\", "[", "{", "&", "*", "!", "|", ">", "%", "@", "`", "---", "true", "=", "<<",
    "?",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
  }
}
