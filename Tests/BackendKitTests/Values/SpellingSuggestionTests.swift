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
