import BackendKit
import Testing

@Suite("Nearest")
struct NearestTests {
  private static let verbs = ["list", "get", "create", "update", "delete", "describe", "help"]

  @Test(
    "A slip of few letters is recognized",
    arguments: [
      ("lst", "list"), ("LSIT", "list"), ("gte", "get"), ("craete", "create"), ("hepl", "help"), ("delte", "delete"),
    ])
  func near(word: String, expected: String) {
    #expect(Nearest.suggestion(for: word, among: Self.verbs) == expected)
  }

  @Test(
    "What is too far away is nothing",
    arguments: ["", "x", "frobnicate", "ge\u{0}\u{0}", String(repeating: "list", count: 1000)])
  func far(word: String) {
    #expect(Nearest.suggestion(for: word, among: Self.verbs) == nil)
  }

  @Test("A word of which every letter differs is nothing")
  func strange() {
    #expect(Nearest.suggestion(for: "b", among: ["a", "c"]) == nil)
    #expect(Nearest.suggestion(for: "b", among: ["ab"]) == "ab")
  }

  @Test(
    "A beginning that only one has is recognized", arguments: [("del", "delete"), ("DESC", "describe"), ("li", "list")])
  func beginning(word: String, expected: String) {
    #expect(Nearest.suggestion(for: word, among: Self.verbs) == expected)
    #expect(Nearest.suggestion(for: "de", among: Self.verbs) == nil)
  }

  @Test("The least distance wins, and the first of equals")
  func best() {
    #expect(Nearest.suggestion(for: "lisp", among: ["limp", "list", "lisps"]) == "limp")
    #expect(Nearest.suggestion(for: "deletes", among: ["describe", "delete"]) == "delete")
  }
}
