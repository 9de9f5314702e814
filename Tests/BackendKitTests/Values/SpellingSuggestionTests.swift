import BackendKit
import Testing

@Suite("Spelling suggestions")
struct SpellingSuggestionTests {
  private static let verbs = ["list", "get", "create", "update", "delete", "describe", "help"]

  @Test(
    "A slip of few letters is recognized",
    arguments: [
      ("lst", "list"), ("LSIT", "list"), ("gte", "get"), ("craete", "create"), ("hepl", "help"), ("delte", "delete"),
    ])
  func near(word: String, expected: String) {
    #expect(SpellingSuggestion.suggestion(for: word, among: Self.verbs) == expected)
  }

  @Test(
    "What is too far away is nothing",
    arguments: ["", "x", "frobnicate", "ge\u{0}\u{0}", String(repeating: "list", count: 1000)])
  func far(word: String) {
    #expect(SpellingSuggestion.suggestion(for: word, among: Self.verbs) == nil)
  }

  @Test("A word of which every letter differs is nothing")
  func strange() {
    #expect(SpellingSuggestion.suggestion(for: "b", among: ["a", "c"]) == nil)
    #expect(SpellingSuggestion.suggestion(for: "b", among: ["ab"]) == "ab")
  }

  @Test(
    "A beginning that only one has is recognized", arguments: [("del", "delete"), ("DESC", "describe"), ("li", "list")])
  func beginning(word: String, expected: String) {
    #expect(SpellingSuggestion.suggestion(for: word, among: Self.verbs) == expected)
    #expect(SpellingSuggestion.suggestion(for: "de", among: Self.verbs) == nil)
  }

  @Test("The least distance wins, and the first of equals")
  func best() {
    #expect(SpellingSuggestion.suggestion(for: "lisp", among: ["limp", "list", "lisps"]) == "limp")
    #expect(SpellingSuggestion.suggestion(for: "deletes", among: ["describe", "delete"]) == "delete")
  }
}

@Suite("Hints for unknown names") struct NameHintTests {
  private static let many =
    (1...900).map { "thing\($0)" } + ["customers/invoices", "invoice-items", "invoices", "issues"]

  @Test(
    "of many names the nearest five are shown: those that contain the word, then similar ones",
    arguments: [
      ("invoice", "did you mean invoices, invoice-items or customers/invoices?"),
      ("invioces", "did you mean invoices or customers/invoices?"), ("isue", "did you mean issues?"),
      ("Thing88", "did you mean thing88, thing880, thing881, thing882 or thing883?"),
      (
        "qqqqqqq",
        "resources: thing1, thing2, thing3, thing4, thing5, thing6, thing7, thing8, thing9, thing10 and 894 more"
      ),
    ])
  func many(word: String, expected: String) {
    #expect(SpellingSuggestion.hint(for: word, among: Self.many) == expected)
  }

  @Test("of a few names the one that was meant is shown, else all") func few() {
    #expect(SpellingSuggestion.hint(for: "todoz", among: ["todos", "users"]) == "did you mean todos?")
    #expect(
      SpellingSuggestion.hint(for: "x", among: ["a", "b"], as: "tables", shown: { "t.\($0)" }) == "tables: t.a, t.b")
    #expect(SpellingSuggestion.hint(for: "x", among: []) == nil)
  }
}
