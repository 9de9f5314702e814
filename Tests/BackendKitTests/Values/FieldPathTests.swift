import BackendKit
import Testing

@Suite("FieldPath and Record") struct FieldPathTests {
  static let fields = Object(
    [
      ("title", "A"), ("user", ["name": "ana", "tags": ["x", ["y": 1]], "none": nil]), ("a.b", 1),
      ("a", ["b": 2, "c": 3]),
    ] as [(String, Value)])

  @Test(
    "a path leads to what stands there",
    arguments: [
      ("title", "A"), ("user.name", "ana"), ("user.tags.0", "x"), ("user.tags.1.y", 1), ("user.none", .null),
      ("a.b", 1), ("a.c", 3), ("user.tags.2", nil), ("user.tags.-1", nil), ("user.tags.+0", nil),
      ("user.tags.00", nil), ("title.length", nil), ("nothing", nil), ("", nil), (".", nil), ("user.", nil),
    ] as [(String, Value?)])
  func values(_ path: String, _ expected: Value?) {
    #expect(FieldPath(path).value(in: Self.fields) == expected)
  }

  @Test func `the parts of a path are what stands between the dots`() {
    #expect(FieldPath("a.b.c").names == ["a", "b", "c"])
    #expect(FieldPath("a").field == "a")
    #expect(FieldPath("a.b").field == "a")
    #expect(FieldPath(".a").field == "")
    #expect(FieldPath("a..b").names == ["a", "", "b"])
    // A combining mark behind the dot does not make it another character.
    #expect(FieldPath("a.\u{301}b").names == ["a", "\u{301}b"])
    #expect(FieldPath("a.\u{301}b").field == "a")
  }

  @Test func `a field left out of an answer is neither absent nor null`() {
    let record = Record(id: "1", fields: Object([("n", nil)]), unloaded: ["body", "x.y"])
    #expect(!record.isWhole)
    #expect(record.state(of: FieldPath("n")) == .value(nil))
    #expect(record.state(of: FieldPath("m")) == .absent)
    #expect(record.state(of: FieldPath("body")) == .unloaded)
    #expect(record.state(of: FieldPath("body.text")) == .unloaded)
    #expect(record.state(of: FieldPath("x.y")) == .unloaded)
    #expect(record.state(of: FieldPath("x")) == .absent)
  }

  @Test func `an identifier is a text or a number as written, and nothing else`() throws {
    #expect(RecordID(Value.string("a")) == "a")
    #expect(RecordID(.number(try #require(Number("1.0")))) == "1.0")
    #expect(RecordID(7) == "7")
    for value: Value? in [nil, .null, true, "", [], [:]] { #expect(RecordID(value) == nil) }
    #expect(RecordID("\u{E9}") != RecordID("e\u{301}"))
    #expect(Set([RecordID("\u{E9}"), RecordID("e\u{301}")]).count == 2)
  }

  @Test(
    "an integer identifier has one spelling",
    arguments: [
      ("0", true), ("-1", true), ("9223372036854775807", true), ("9223372036854775808", false), ("+1", false),
      ("01", false), ("-0", false), ("1.0", false), ("", false), (" 1", false), ("１", false), ("1e2", false),
    ])
  func integerIdentifiers(_ text: String, _ fits: Bool) {
    #expect((IdentifierRule(form: .integer).complaint(about: text) == nil) == fits)
  }

  @Test func `a text identifier may be anything but empty`() {
    #expect(IdentifierRule(form: .text).complaint(about: "") != nil)
    #expect(IdentifierRule(form: .text).complaint(about: "a/b ü") == nil)
  }
}
