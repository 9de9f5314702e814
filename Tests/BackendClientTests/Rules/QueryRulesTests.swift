import BackendClient
import BackendKit
import Testing

@Suite("The rules of queries") struct QueryRulesTests {
  private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

  /// One row: what a field holds, what it is compared with, and the operators that then hold.
  struct Row: CustomTestStringConvertible {
    var value: Value?
    var operand: Operand
    var holding: [Comparison]
    var ignoringCase = false

    var testDescription: String { "\(value.map { "\($0)" } ?? "missing") and \(operand)" }
  }

  private static let same: [Comparison] = [.equal, .lessOrEqual, .greaterOrEqual]
  private static let before: [Comparison] = [.notEqual, .less, .lessOrEqual]
  private static let after: [Comparison] = [.notEqual, .greater, .greaterOrEqual]
  private static func number(_ text: String) -> Value { Number(text).map { .number($0) } ?? .null }

  private static let numbers: [Row] = [
    Row(value: 1, operand: .word("1.0"), holding: same), Row(value: 1, operand: .word("10e-1"), holding: same),
    Row(value: number("9007199254740993"), operand: .word("9007199254740992"), holding: after),
    Row(value: number("1e400"), operand: .word("1e401"), holding: before),
    Row(value: number("-0.0"), operand: .word("0"), holding: same),
    Row(value: 9, operand: .word("10"), holding: before),
    Row(value: 12, operand: .value(1), holding: after), Row(value: 1, operand: .word("abc"), holding: [.notEqual]),
    Row(value: 1, operand: .value("1"), holding: [.notEqual]),
    Row(value: 1, operand: .word("true"), holding: [.notEqual]),
  ]
  private static let texts: [Row] = [
    Row(value: "abc", operand: .word("abc"), holding: same), Row(value: "9", operand: .word("10"), holding: after),
    Row(value: "ABC", operand: .word("abc"), holding: before),
    Row(value: "ABC", operand: .word("abc"), holding: same, ignoringCase: true),
    Row(value: "e\u{301}", operand: .word("é"), holding: before), Row(value: "天", operand: .word("😀"), holding: before),
    Row(value: "\u{FFFD}", operand: .word("😀"), holding: before),
    Row(value: "1", operand: .value(1), holding: [.notEqual]),
    Row(value: "true", operand: .value(true), holding: [.notEqual]), Row(value: "", operand: .word(""), holding: same),
    Row(value: "2026-01-02T00:00:00Z", operand: .word("2026-01-10T00:00:00Z"), holding: before),
  ]
  private static let others: [Row] = [
    Row(value: true, operand: .word("true"), holding: same), Row(value: false, operand: .word("true"), holding: before),
    Row(value: true, operand: .value(false), holding: after),
    Row(value: true, operand: .word("1"), holding: [.notEqual]),
    Row(value: .null, operand: .word("null"), holding: [.notEqual]),
    Row(value: .null, operand: .value(nil), holding: [.notEqual]),
    Row(value: nil, operand: .word(""), holding: [.notEqual]),
    Row(value: [1], operand: .word("1"), holding: [.notEqual]),
    Row(value: ["a": 1], operand: .value(["a": 1]), holding: [.notEqual]),
  ]

  private static func moment(_ text: String) -> Operand { Instant(text).map { .moment($0) } ?? .word(text) }
  private static let moments: [Row] = [
    Row(value: "2026-07-01T13:30:00+02:00", operand: moment("2026-07-01T11:00:00Z"), holding: after),
    Row(value: "2026-07-01T12:30:00+02:00", operand: moment("2026-07-01T11:00:00Z"), holding: before),
    Row(value: "2026-07-01T06:30:00-0500", operand: moment("2026-07-01T11:00:00Z"), holding: after),
    Row(value: "2026-07-01T11:00:00Z", operand: moment("2026-07-01T13:00:00+02:00"), holding: same),
    Row(value: "2026-07-01 11:00:00.500Z", operand: moment("2026-07-01T11:00:00.5Z"), holding: same),
    Row(value: "2026-07-01T11:00:00.500Z", operand: moment("2026-07-01T11:00:00Z"), holding: after),
    Row(value: "2026-07-01T11:00:00.499Z", operand: moment("2026-07-01T11:00:00.500Z"), holding: before),
    // One that is no moment is compared as a text.
    Row(value: "2026-07-01", operand: moment("2026-07-01T11:00:00Z"), holding: before),
    Row(value: "2026-07-01T11:30:00", operand: moment("2026-07-01T13:00:00+02:00"), holding: before),
    Row(value: 1, operand: moment("2026-07-01T11:00:00Z"), holding: [.notEqual]),
  ]

  @Test("a field compared with an operand", arguments: numbers + texts + moments + others)
  func comparing(_ row: Row) {
    var record = Object()
    record["f"] = row.value
    let holding = Self.comparisons.filter {
      QueryRules.matches(.compare(FieldPath("f"), $0, row.operand), record, ignoringCase: row.ignoringCase)
    }
    #expect(Set(holding) == Set(row.holding))
  }

  @Test(
    "~ looks into texts and the text of numbers only",
    arguments: [
      ("weather 天氣 here", "天氣", true, true), ("Abc", "b", true, true), ("Abc", "B", false, true),
      (12, "2", true, true), (.array(["abc"]), "abc", false, false), (true, "tru", false, false),
      (.null, "null", false, false), ("é", "e", false, false), ("abc", "", true, true),
    ] as [(Value, String, Bool, Bool)])
  func containing(_ value: Value, _ text: String, _ holds: Bool, _ holdsIgnoringCase: Bool) {
    let filter = Filter.compare(FieldPath("f"), .contains, .word(text))
    let record = Object([("f", value)])
    #expect(QueryRules.matches(filter, record) == holds)
    #expect(QueryRules.matches(filter, record, ignoringCase: true) == holdsIgnoringCase)
    #expect(!QueryRules.matches(filter, Object()))
  }

  @Test("null is there, missing is not; paths lead into objects after names with a dot")
  func presence() {
    let record = Object([("a", nil), ("b.c", 1), ("b", .object(Object([("c", 2), ("d", 3)])))])
    func holds(_ filter: Filter) -> Bool { QueryRules.matches(filter, record) }
    #expect(holds(.isNull(FieldPath("a"))))
    #expect(!holds(.isMissing(FieldPath("a"))))
    #expect(holds(.isMissing(FieldPath("z"))))
    #expect(!holds(.isNull(FieldPath("z"))))
    #expect(holds(.compare(FieldPath("b.c"), .equal, .word("1"))))
    #expect(holds(.compare(FieldPath("b.d"), .equal, .word("3"))))
    #expect(holds(.isMissing(FieldPath("b.e"))))
  }

  @Test("and, or, not and in")
  func combining() {
    let record = Object([("f", "b")])
    let yes = Filter.compare(FieldPath("f"), .equal, .word("b"))
    let no = Filter.compare(FieldPath("f"), .equal, .word("a"))
    func holds(_ filter: Filter) -> Bool { QueryRules.matches(filter, record) }
    #expect(holds(.and([yes, yes])))
    #expect(!holds(.and([yes, no])))
    #expect(holds(.or([no, yes])))
    #expect(!holds(.or([no, no])))
    #expect(holds(.not(no)))
    #expect(!holds(.not(yes)))
    #expect(holds(.among(FieldPath("f"), [.word("a"), .word("b")])))
    #expect(!holds(.among(FieldPath("f"), [.word("a"), .word("c")])))
    #expect(!holds(.among(FieldPath("f"), [])))
  }

  @Test(
    "a search looks into texts at any depth, in lower case, and not into numbers, booleans and names",
    arguments: [("DEEP", true), ("天", true), ("42", false), ("true", false), ("name", false), ("listed", true)])
  func searching(_ text: String, _ holds: Bool) {
    let record = Object([
      ("name", .array([.object(Object([("x", "so Deep")])), "LISTED"])), ("n", 42), ("b", true), ("t", "今天"),
    ])
    #expect(QueryRules.contains(text, record) == holds)
  }

  @Test("values of all kinds are sorted, and the other way round with a minus")
  func sorting() {
    let order: [Value?] = [
      false, true, -5, 1, 2, Self.number("1e400"), "", "B", "a", "é", "天", "😀", [1], .null, nil,
    ]
    for (left, first) in order.enumerated() {
      for (right, second) in order.enumerated() {
        let wanted: Order = left == right ? .same : left < right ? .before : .after
        #expect(QueryRules.compare(first, second) == wanted)
        var records = [Object(), Object()]
        records[0]["f"] = first
        records[1]["f"] = second
        let keys = [SortKey(FieldPath("f"), isDescending: true)]
        #expect(QueryRules.compare(records[0], records[1], by: keys) == wanted.reversed)
      }
    }
    #expect(QueryRules.compare("B", "a", ignoringCase: true) == .after)
    #expect(QueryRules.compare([1], ["a": 1]) == .same)
    #expect(QueryRules.compare(1, Self.number("1.0")) == .same)
  }

  @Test("a field of dates is compared and sorted by moments, wherever it is; any other by its texts")
  func dates() {
    let within = FieldDescription("o", .object, fields: [FieldDescription("at", .date)])
    let resource = ResourceDescription(
      name: "notes", identifier: IdentifierRule(form: .text),
      fields: [FieldDescription("at", .date), FieldDescription("text", .text), within],
      capabilities: Capabilities(operations: [.list]))
    let ordered = [
      "", "2026-07-01T06:00:00Z", "2026-07-01T12:30:00+02:00", "2026-07-01T11:00:00Z", "2026-07-01T11:00:00.05Z",
      "2026-07-01T11:00:00.5Z", "2026-07-01T06:30:00-05:00", "2026-07-01", "2026-07-01T00:00:00", "soon",
    ]
    for (name, sorted) in [("at", ordered), ("o.at", ordered), ("text", ordered.sorted())] {
      func record(_ text: String) -> Object {
        name == "o.at" ? Object([("o", .object(Object([("at", .string(text))])))]) : Object([(name, .string(text))])
      }
      var query = ListQuery(ResourcePath(name: "notes"), sort: [SortKey(FieldPath(name))])
      query.filters = [.compare(FieldPath(name), .greaterOrEqual, .word("2026-07-01T13:00:00+02:00"))]
      query = query.widened(for: resource)
      let records = ordered.reversed().map { Record(id: nil, fields: record($0)) }
      let found = ReferenceEvaluator.sorted(records, by: query.sort, ignoringCase: true)
      #expect(found.compactMap { FieldPath(name).value(in: $0.fields)?.text } == sorted)
      let meets = QueryRules.matches(query.filters[0], record("2026-07-01T11:00:00Z"))
      #expect(meets == (name != "text"))
    }
  }

  @Test("a later key decides where the first does not, and else the place in the list")
  func keys() {
    let rows: [(Int, Int)] = [(2, 1), (1, 1), (2, 3), (1, 1)]
    let records = rows.enumerated().map { place, row in
      Record(id: RecordID("\(place)"), fields: Object([("a", .int(row.0)), ("b", .int(row.1))]))
    }
    let keys = [SortKey(FieldPath("a")), SortKey(FieldPath("b"), isDescending: true)]
    let sorted = ReferenceEvaluator.sorted(records, by: keys, ignoringCase: false)
    #expect(sorted.compactMap { $0.id?.text } == ["1", "3", "2", "0"])
  }

  @Test("a projection keeps the order asked for and tells missing from not loaded")
  func projecting() {
    let record = Record(
      id: "1", fields: Object([("a", 1), ("b", .object(Object([("c", nil)])))]), unloaded: ["body"])
    let projected = ReferenceEvaluator.project(record, onto: ["b.c", "body", "z", "a"].map { FieldPath($0) })
    #expect(projected == Record(id: "1", fields: Object([("b.c", nil), ("a", 1)]), unloaded: ["body"]))
  }
}
