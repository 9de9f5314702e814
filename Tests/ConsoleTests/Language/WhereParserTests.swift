import BackendKit
import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Where")
struct WhereParserTests {
  private let a = Filter.compare(FieldPath("a"), .equal, .word("1"))
  private let b = Filter.compare(FieldPath("b"), .notEqual, .value("x y"))
  private let c = Filter.isNull(FieldPath("c"))

  @Test("Or binds weakest, then and, then not; parentheses group")
  func precedence() throws {
    #expect(try WhereParser.filter(from: "a=1 or b != 'x y' and not c is null") == .or([a, .and([b, .not(c)])]))
    #expect(try WhereParser.filter(from: "(a=1 OR b!='x y') And Not (c IS NULL)") == .and([.or([a, b]), .not(c)]))
    #expect(try WhereParser.filter(from: "a=1 and a = 1 and a =1") == .and([a, a, a]))
    #expect(try WhereParser.filter(from: "not not ((a=1))") == .not(.not(a)))
  }

  @Test(
    "A bare value that begins with another minus or a curly quote is refused; in quotes it is text",
    arguments: ["−5", "–", "“x”", "’s-Hertogenbosch"])
  func lookAlikes(value: String) throws {
    for text in ["a != \(value)", "a in (1, \(value))", "\(value) = a"] {
      let error = #expect(throws: UsageError.self) { try WhereParser.filter(from: text) }
      #expect(error?.message.contains("U+2") == true && error?.message.hasPrefix("--where, column ") == true)
    }
    let filter = try WhereParser.filter(from: "a != '\(value)'")
    #expect(filter == .compare(FieldPath("a"), .notEqual, .value(.string(value))))
  }

  @Test("Every form of condition")
  func forms() throws {
    let path = FieldPath("user.name")
    #expect(try WhereParser.filter(from: "user.name ~ 'it''s'") == .compare(path, .contains, .value("it's")))
    #expect(try WhereParser.filter(from: #"user.name<="a""b""#) == .compare(path, .lessOrEqual, .value(#"a"b"#)))
    #expect(
      try WhereParser.filter(from: "user.name in (1,'1', -1e3 ,true)")
        == .among(path, [.word("1"), .value("1"), .word("-1e3"), .word("true")]))
    #expect(try WhereParser.filter(from: "user.name not in (a)") == .not(.among(path, [.word("a")])))
    #expect(try WhereParser.filter(from: "user.name is not null") == .not(.isNull(path)))
    #expect(try WhereParser.filter(from: "user.name is missing") == .isMissing(path))
    #expect(try WhereParser.filter(from: "user.name is not missing") == .not(.isMissing(path)))
    #expect(
      try WhereParser.filter(from: "'is' = '' and 'a b' > 2026-01-02T03:04:05Z")
        == .and([
          .compare(FieldPath("is"), .equal, .value("")),
          .compare(FieldPath("a b"), .greater, .word("2026-01-02T03:04:05Z")),
        ]))
    // A mark that combines with a sign of the language belongs to the text.
    let marked = try WhereParser.filter(from: "n='\u{301}x'\u{20}and m in ('a',\u{301}b)")
    #expect(
      marked
        == .and([
          .compare(FieldPath("n"), .equal, .value("\u{301}x")),
          .among(FieldPath("m"), [.value("a"), .word("\u{301}b")]),
        ]))
    #expect(try WhereParser.filter(from: "名=天") == .compare(FieldPath("名"), .equal, .word("天")))
  }

  @Test("What a filter says of itself is read back as the same filter")
  func description() throws {
    let text = "not (a=1 or (b!='x y' and c in (1, 'z')) or d is missing) and e~f"
    let filter = try WhereParser.filter(from: text)
    #expect(try WhereParser.filter(from: filter.description) == filter)
  }

  @Test(
    "An error names the column",
    arguments: [
      ("", "--where, column 1: expected a field, found the end"),
      ("a", "--where, column 2: expected an operator, found the end"),
      ("a =", "--where, column 4: expected a value, found the end"),
      ("日 = 'x", "--where, column 5: the quote ' is not closed"),
      ("a=1 b=2", "--where, column 5: expected \"and\", \"or\" or the end, found \"b\""),
      ("(a=1", "--where, column 5: expected the \")\" for column 1, found the end"),
      ("a=1)", "--where, column 4: expected \"and\", \"or\" or the end, found \")\""),
      ("a = null", "--where, column 5: a comparison with null is never true"),
      ("a = and", "--where, column 5: expected a value, found \"and\""),
      ("and = 1", "--where, column 1: expected a field, found \"and\""),
      ("a in 1", "--where, column 6: expected \"(\", found \"1\""),
      ("a in ()", "--where, column 7: expected a value, found \")\""),
      ("a in (1,)", "--where, column 9: expected a value, found \")\""),
      ("a in (1 2)", "--where, column 9: expected \",\" or \")\", found \"2\""),
      ("a is 1", "--where, column 6: expected \"null\" or \"missing\", found \"1\""),
      ("a not 1", "--where, column 7: expected \"in\", found \"1\""),
    ])
  func errors(text: String, message: String) {
    #expect(performing: { _ = try WhereParser.filter(from: text) }, throws: { ($0 as? UsageError)?.message == message })
  }

  @Test("Nesting without end is refused instead of using up the stack", arguments: ["(", "not "])
  func depth(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect(
      performing: { _ = try WhereParser.filter(from: text) },
      throws: { ($0 as? UsageError)?.message.hasSuffix("nested more than 200 levels deep") == true })
  }
}
