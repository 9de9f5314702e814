import BackendClient
import BackendKit
import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Expressions")
struct ExpressionTests {
  private static let record: Value = [
    "title": "  Käse und Brot ", "qty": 3, "price": .number(Number("19.90") ?? Number(0)), "zip": "0041", "none": nil,
    "created": "2026-10-20T08:00:00+02:00", "seconds": 1_700_000_000, "tags": ["a", "b"],
  ]

  private func inputs() throws -> ExpressionInputs {
    var scope = Scope()
    scope.set("n", to: .known(.value("5")))
    scope.set("last", to: .known(.value(["qty": 4])))
    return ExpressionInputs(
      fields: Self.record.object ?? Object(), scope: scope, now: try #require(Moment("2026-11-24T09:30:00Z")))
  }

  private func value(_ text: String) throws -> String {
    let expression = try ExpressionParser.assigned(Word(text: text, isQuoted: false, column: 1), to: "x")
    return try expression.result(inputs()).map { JSONWriter.compact($0) } ?? "nothing"
  }

  @Test(
    "Values of a record",
    arguments: [
      ("qty + 1", "4"), ("qty * 2 - 10 / 4", "3.5"), ("(qty + 1) * 2", "8"), ("7 % 4", "3"), ("0.1 + 0.2", "0.3"),
      ("price * 3", "59.7"), ("1 / 3", "0.333333333333333333"), ("round(price)", "20"), ("round(2.345, 2)", "2.35"),
      ("round(-2.5)", "-3"), ("99999999999999999999 + 1", "100000000000000000000"),
      ("zip + 'x'", "\"0041x\""), ("'a' + qty + 'b'", "\"a3b\""), ("none + 'x'", "\"x\""),
      ("none ?? 0", "0"), ("missing ?? none ?? 'z'", "\"z\""), ("(none ?? 2) + qty", "5"),
      ("lower(trim(title))", "\"käse und brot\""), ("upper('ä')", "\"Ä\""), ("replace(zip, '0', '9')", "\"9941\""),
      ("split('a,b,,c', ',')", "[\"a\",\"b\",\"\",\"c\"]"), ("split('a b', ' ', 1)", "\"b\""),
      ("split('a', ' ', 1)", "nothing"), ("length('Käse')", "4"), ("length(tags)", "2"), ("lower(none)", "null"),
      ("lower(missing)", "nothing"), ("matches(title, '^ *K.se')", "true"), ("not(matches(zip, '[a-z]'))", "true"),
      ("first(missing, none, qty)", "3"), ("number(zip + '')", "error"), ("text(qty)", "\"3\""),
      ("now - 30d", "\"2026-10-25T09:30:00Z\""), ("now-30d", "\"2026-10-25T09:30:00Z\""), ("today", "\"2026-11-24\""),
      ("today + 1mo", "\"2026-12-24\""), ("date(created)", "\"2026-10-20T06:00:00Z\""),
      ("created + 1d", "\"2026-10-21T06:00:00Z\""),
      ("date(seconds)", "\"2023-11-14T22:13:20Z\""), ("now - date(created)", "3036600"),
      ("day('2026-11-24T23:30:00Z', '+01:00')", "\"2026-11-25\""),
      ("date('2026-01-01T00:00', '-05:00')", "\"2026-01-01T05:00:00Z\""),
    ])
  func values(text: String, expected: String) throws {
    guard expected != "error" else {
      #expect(throws: UsageError.self) { try value(text) }
      return
    }
    #expect(try value(text) == expected)
  }

  @Test(
    "What cannot be computed says why",
    arguments: [
      ("none + 1", "none is null, not a number"), ("missing * 2", "missing is null, not a number"),
      ("title * 2", "title is not a number: \"  Käse und Brot \""), ("qty / 0", "3 / 0 is not a number"),
      ("title - 3d", "title is not a date: \"  Käse und Brot \""),
      ("date(tags)", "date(…) needs a date, not [\"a\",\"b\"]"),
      ("day(created, 'Nowhere/City')", "day(…): unknown time zone \"Nowhere/City\""),
      ("today + 9999y", "the date is outside the years 1 to 9999"),
      ("1mo", "1mo is a duration in months, which has no fixed length"),
      ("1e300 + 1", "1e300 +: the number has more than 38 digits"),
      ("matches(title, zip + '(')", "matches(…): invalid pattern \"0041(\""),
    ])
  func failures(text: String, message: String) {
    #expect(performing: { try value(text) }, throws: { ($0 as? UsageError)?.message == message })
  }

  @Test(
    "A mistake has its column",
    arguments: [
      ("qty +", "x, column 6: expected a value, found the end"),
      ("lowr(title)", "x, column 1: \"lowr\" is not a function"),
      ("'a", "x, column 1: the quote ' is not closed"),
      ("(qty", "x, column 5: expected the \")\" for column 1, found the end"),
      ("qty qty", "x, column 5: expected an operator or the end, found \"qty\""),
      ("split(title)", "x, column 12: split(…) takes 2 to 3 values, not 1"),
      ("matches(title, '(?=a)')", "x, column 23: matches(…): invalid pattern \"(?=a)\""),
    ])
  func mistakes(text: String, message: String) {
    #expect(performing: { try value(text) }, throws: { ($0 as? UsageError)?.message == message })
  }

  @Test("In a script a variable counts as a number if it reads as one, and a text in quotes has variables")
  func variables() throws {
    func value(_ text: String) throws -> Value? {
      try ExpressionParser.statement(text, indent: 0).result(inputs())
    }
    #expect(try value("$n + 1") == 6)
    #expect(try value("$n + $n") == 10)
    #expect(try value("'5' + '1'") == "51")
    #expect(try value("\"n is $n\" + '!'") == "n is 5!")
    #expect(try value("$last.qty * 2") == 8)
    #expect(try value("$last.none ?? none") == "none")
    #expect(try value("$nothing ?? 'Milk'") == "Milk")
    #expect(throws: UsageError.self) { try value("$nothing + 1") }
  }

  @Test("A mistake after a variable has the column of its line")
  func columns() {
    #expect(
      performing: { _ = try ExpressionParser.statement("${n} + )", indent: 7) },
      throws: { ($0 as? UsageError)?.column == 15 })
  }

  @Test("An expression without end is refused instead of using up the stack", arguments: ["(", "1 + ", "lower("])
  func depth(opening: String) {
    #expect(throws: UsageError.self) { try value(String(repeating: opening, count: 100_000) + "1") }
  }
}

@Suite("Where with expressions")
struct WhereExpressionTests {
  private func filter(_ text: String) throws -> Filter {
    try WhereParser.filter(from: text, now: try #require(Moment("2026-11-24T09:30:00Z")))
  }

  @Test("A field compared with a constant is a condition as any other")
  func constants() throws {
    let created = FieldPath("created")
    #expect(try filter("created < now - 30d") == .compare(created, .less, .word("2026-10-25T09:30:00Z")))
    #expect(
      try filter("created<today and qty = 1 + 2")
        == .and([
          .compare(created, .less, .word("2026-11-24")), .compare(FieldPath("qty"), .equal, .value(3)),
        ]))
    #expect(try filter("title = lower('ABC')") == .compare(FieldPath("title"), .equal, .value("abc")))
    #expect(try filter("title = C++") == .compare(FieldPath("title"), .equal, .word("C++")))
    #expect(try filter("title = 'now'") == .compare(FieldPath("title"), .equal, .value("now")))
    #expect(
      try filter("created in (today, today + 1d)") == .among(created, [.word("2026-11-24"), .word("2026-11-25")]))
  }

  @Test(
    "Anything else is computed of each record",
    arguments: [
      ("lower(title) = milk", true), ("matches(title, '^M')", true), ("not (matches(title, '^N'))", true),
      ("(qty + 1) * 2 > 7", true), ("qty > least + 1", true), ("date(created) < now - 30d", true),
      ("now - date(created) > 36d", false), ("now - date(created) > 35d", true), ("qty ?? 0 = 3", true),
      ("lower(none) is null", true), ("not(title = Milk) or length(title) = 4", true),
      ("(title ~ ilk) and qty * 2 = 6", true),
    ])
  func computed(text: String, holds: Bool) throws {
    let value: Value = ["title": "Milk", "qty": 3, "least": 1, "created": "2026-10-20T08:00:00+02:00", "none": nil]
    let record = try #require(value.object)
    let filter = try filter(text)
    #expect(filter.isComputed)
    #expect(QueryRules.matches(filter, record) == holds)
  }

  @Test("A record of which it cannot be computed throws, unless what stands before decides")
  func failures() throws {
    let value: Value = ["title": "Milk", "qty": nil]
    let record = try #require(value.object)
    #expect(throws: BackendError.self) { try QueryRules.judge(try filter("qty + 1 > 2"), record) }
    #expect(try QueryRules.judge(try filter("qty is null or qty + 1 > 2"), record))
    #expect(try !QueryRules.judge(try filter("title = Bread and qty + 1 > 2"), record))
  }
}
