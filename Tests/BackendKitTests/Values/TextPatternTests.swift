import BackendKit
import Testing

/// Regular expressions of a server, which are decided here only where every dialect agrees, and never for long.
@Suite("Patterns of a description") struct TextPatternTests {
  @Test(
    "text matches where the pattern is found anywhere in it",
    arguments: [
      ("", ["", "x"], []), ("b", ["abc", "b"], ["", "a"]), ("^b", ["bc"], ["ab"]), ("b$", ["ab", "ab\n"], ["ba"]),
      ("^[A-Z][a-z]+$", ["Anna", "Bo"], ["A", "anna", "Anna Maria"]),
      (#"^\d{3}-\d{2,}$"#, ["123-45", "123-4567"], ["12-45", "123-4"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
      ("^(ab|cd)*$", ["", "abcd", "cdcd"], ["abc"]), ("^a?b+?$", ["b", "abb"], ["a"]),
      ("^(?:x|y|z)$", ["x", "y", "z"], ["xy"]), (#"^[\w.-]+@[\w-]+\.[a-z]+$"#, ["a.b@c-d.org"], ["a@b", "@c.de"]),
      (#"^\S+\s\S+$"#, ["a b"], ["ab"]), ("^[^,]*$", ["a b"], ["a,b"]), (#"^\x41\u0042\.$"#, ["AB."], ["ABC"]),
      ("^[a-c-]$", ["b", "-"], ["d"]), ("(a|)$", ["", "b"], []), ("^é$", ["é"], ["e"]), ("a|b|c", ["xcx"], ["d"]),
    ] as [(String, [String], [String])])
  func matches(_ source: String, _ good: [String], _ bad: [String]) throws {
    let pattern = try #require(TextPattern(source))
    for text in good { #expect(pattern.isFound(in: text) == true, "\(source) in \(text)") }
    for text in bad { #expect(pattern.isFound(in: text) == false, "\(source) in \(text)") }
  }

  @Test(
    "what dialects understand in different ways is left to the server",
    arguments: [
      #"(a)\1"#, "(?=a)", "(?!a)", "(?<n>a)", "(?i)a", #"\p{L}"#, #"\bword"#, "[]a]", "[a-z-[aeiou]]", "a++", "a**",
      "(", "a)",
      "[a", "a{2", "a{3,2}", "{", "*", #"\"#, #"[\D]"#, "[z-a]", "^*", "😀", #"\Aa\Z"#, "[a&&b]",
    ])
  func undecided(_ source: String) { #expect(TextPattern(source) == nil) }

  @Test("beyond ASCII a class means something else in each dialect")
  func classes() throws {
    for source in [#"^\d+$"#, #"^\w+$"#, "^.$", "^[^a]$", #"^\S$"#] {
      #expect(try #require(TextPattern(source)).isFound(in: "é") == nil)
    }
    #expect(try #require(TextPattern(".")).isFound(in: "\r") == nil)
  }

  @Test(
    "what would take exponential time elsewhere ends at once",
    arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^([a-z]+)*$", "(x+x+)+y", "^(a?){200}a{200}$"])
  func bounded(_ source: String) throws {
    let text = String(repeating: source.contains("x") ? "x" : "a", count: 5_000) + "!"
    #expect(try #require(TextPattern(source)).isFound(in: text) == false)
  }

  @Test(
    "one that is too large is left to the server",
    arguments: [
      "(((a{1000}){1000}){1000}){1000}", "((((){1000}){1000}){1000}){1000}", String(repeating: "(", count: 1_000),
      String(repeating: "a", count: 3_000), "a{9999}",
    ])
  func large(_ source: String) { #expect(TextPattern(source) == nil) }

  @Test("so is text that is too long")
  func long() throws {
    let pattern = try #require(TextPattern("^[a-z]{100}$"))
    #expect(pattern.isFound(in: String(repeating: "a", count: 1_000_000)) == nil)
  }
}

@Suite("What a field may have") struct FieldConstraintTests {
  @Test(
    "what is not allowed is named with what is",
    arguments: [
      (FieldDescription("t", .text, minimumLength: 3), "ab", "t is 2 characters long; the minimum is 3"),
      (FieldDescription("t", .text, minimumLength: 2), "é", "t is 1 character long; the minimum is 2"),
      (FieldDescription("t", .text, minimumLength: 2, lengthUnit: .bytes), "é", nil),
      (FieldDescription("t", .text, minimumLength: 3), " a ", nil),
      (FieldDescription("n", .integer, minimum: NumberBound(Number(1))), 1, nil),
      (FieldDescription("n", .integer, minimum: NumberBound(Number(1))), 0, "n must be at least 1, but 0 is not"),
      (
        FieldDescription("n", .number, minimum: NumberBound(Number(1), isExcluded: true)), 1,
        "n must be more than 1, but 1 is not"
      ),
      (
        FieldDescription("n", .number, minimum: NumberBound(Number(0)), maximum: NumberBound(Number(9))), 10,
        "n must be at least 0 and at most 9, but 10 is not"
      ),
      (
        FieldDescription("n", .number, maximum: NumberBound(Number(9), isExcluded: true)), 9,
        "n must be less than 9, but 9 is not"
      ),
      (FieldDescription("c", .text, pattern: "^[A-Z]+$"), "ab", "c must match ^[A-Z]+$, but \"ab\" does not"),
      (
        FieldDescription("c", .text, pattern: "^[A-Z]+$", isSecret: true), "ab",
        "c must match ^[A-Z]+$, but the given value does not"
      ),
      (FieldDescription("c", .text, pattern: "^(?=x)"), "ab", nil),
      (FieldDescription("c", .text, pattern: "x"), .null, nil),
    ] as [(FieldDescription, Value, String?)])
  func complaints(_ field: FieldDescription, _ value: Value, _ complaint: String?) {
    #expect(field.complaint(about: value) == complaint)
  }
}
