import BackendKit
import TestSupport

extension SeededGenerator {
  private static let values: [Value] = [
    nil, true, false, 1, 2, -5, 0, "1", "abc", "ABC", "Abc", "天氣", "天", "😀 x", "é", "e\u{301}", "", "true", [1],
    ["abc"], ["name": "abc"], .number(number("1.0")), .number(number("10e-1")), .number(number("1e400")),
    .number(number("9007199254740993")), .number(number("9007199254740992")), .number(number("-0.0")),
  ]
  private static let words = [
    "1", "1.0", "true", "false", "abc", "ABC", "b", "天", "😀", "é", "e\u{301}", "", "-0", "1e400", "9007199254740993",
    "9007199254740992.5", "null", "5",
  ]
  private static let paths = ["id", "n", "title", "user.name", "user.n", "tags.0", "a.b", "body", "nowhere", "n.x"]

  private static func number(_ text: String) -> Number { Number(text) ?? Number(7) }

  /// Returns true with a probability of one in `count`.
  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// Records of mixed kinds, some with fields that others lack; a third of the fields is missing.
  mutating func records(_ count: Int) -> [Object] {
    (0..<count).map { _ in
      var record = Object()
      for field in ["n", "title", "a.b", "body"] where !once(in: 3) { record[field] = pick(Self.values) }
      if !once(in: 3) {
        record["user"] = .object(Object([("name", pick(Self.values)), ("n", pick(Self.values))]))
      }
      if !once(in: 3) { record["tags"] = .array([pick(Self.values), "abc"]) }
      return record
    }
  }

  mutating func query() -> ListQuery {
    var query = ListQuery(.notes)
    query.filters = (0..<pick([0, 0, 1, 1, 2])).map { _ in filter(depth: 2) }
    query.sort = (0..<pick([0, 0, 1, 2])).map { _ in SortKey(path(), isDescending: once(in: 2)) }
    if once(in: 4) { query.search = pick(["a", "天", "😀", "ABC", "1", "é", "x"]) }
    if once(in: 3) { query.fields = (0..<number(1...3)).map { _ in path() } }
    if once(in: 2) { query.pageSize = number(1...7) }
    if once(in: 3) { query.skip = number(0...12) }
    query.ignoreCase = once(in: 2)
    return query
  }

  private mutating func path() -> FieldPath { FieldPath(pick(Self.paths)) }

  private mutating func operand() -> Operand {
    once(in: 3) ? .value(pick(Self.values)) : .word(pick(Self.words))
  }

  private mutating func filter(depth: Int) -> Filter {
    switch number(0...(depth > 0 ? 9 : 6)) {
    case 0, 1: .compare(path(), .equal, operand())
    case 2, 3: .compare(path(), pick(Comparison.allCases), operand())
    case 4: .among(path(), (0..<number(0...3)).map { _ in operand() })
    case 5: .isNull(path())
    case 6: .isMissing(path())
    case 7: .and((0..<number(0...2)).map { _ in filter(depth: depth - 1) })
    case 8: .or((0..<number(1...3)).map { _ in filter(depth: depth - 1) })
    default: .not(filter(depth: depth - 1))
    }
  }
}
