import BackendKit
import Testing

@testable import Console

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
      ("", "--where, column 1: the end stands where a field was expected"),
      ("a", "--where, column 2: the end stands where an operator was expected"),
      ("a =", "--where, column 4: the end stands where a value was expected"),
      ("日 = 'x", "--where, column 5: the quote ' is not closed"),
      ("a=1 b=2", "--where, column 5: \"b\" stands where \"and\", \"or\" or the end was expected"),
      ("(a=1", "--where, column 5: the end stands where the \")\" for column 1 was expected"),
      ("a=1)", "--where, column 4: \")\" stands where \"and\", \"or\" or the end was expected"),
      ("a = null", "--where, column 5: nothing is compared with null"),
      ("a = and", "--where, column 5: \"and\" stands where a value was expected"),
      ("and = 1", "--where, column 1: \"and\" stands where a field was expected"),
      ("a in 1", "--where, column 6: \"1\" stands where \"(\" was expected"),
      ("a in ()", "--where, column 7: \")\" stands where a value was expected"),
      ("a in (1,)", "--where, column 9: \")\" stands where a value was expected"),
      ("a in (1 2)", "--where, column 9: \"2\" stands where \",\" or \")\" was expected"),
      ("a is 1", "--where, column 6: \"1\" stands where \"null\" or \"missing\" was expected"),
      ("a not 1", "--where, column 7: \"1\" stands where \"in\" was expected"),
    ])
  func errors(text: String, message: String) {
    #expect(performing: { _ = try WhereParser.filter(from: text) }, throws: { ($0 as? UsageError)?.message == message })
  }

  @Test("Nesting without end is refused instead of using up the stack", arguments: ["(", "not "])
  func depth(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect(
      performing: { _ = try WhereParser.filter(from: text) },
      throws: { ($0 as? UsageError)?.message.hasSuffix("the nesting is deeper than 200 levels") == true })
  }
}
