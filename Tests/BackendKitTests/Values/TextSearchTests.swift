import BackendKit
import Testing

@Suite("Searches for a text")
struct TextSearchTests {
  @Test(
    "the first place is found, byte for byte",
    arguments: [
      ("", "a", nil), ("a", "", nil), ("a", "a", 0), ("ab", "b", 1), ("aab", "ab", 1), ("aaaa", "aab", nil),
      ("ab", "abc", nil), ("a\0b\0c", "\0c", 3), ("e\u{301}", "\u{301}", 1), ("\u{e9}", "e\u{301}", nil),
      ("xyzxyzw", "xyzw", 3), ("end", "d", 2),
    ] as [(String, String, Int?)])
  func places(text: String, wanted: String, place: Int?) {
    for whole in [text, String((text + " ").dropLast())] {
      let range = whole.firstRange(ofText: wanted)
      #expect(range.map { whole.utf8.distance(from: whole.startIndex, to: $0.lowerBound) } == place)
      #expect(range.map { Array(whole.utf8[$0]) == Array(wanted.utf8) } ?? true)
      #expect(whole.contains(text: wanted) == (place != nil || wanted.isEmpty))
    }
  }

  @Test("parts of texts are searched within their bounds")
  func parts() {
    let text = "title and title"
    let rest = text.dropFirst(1).dropLast(1)
    #expect(rest.firstRange(ofText: "title") == nil)
    #expect(rest.firstRange(ofText: text.suffix(5).dropLast(1)).map { rest[..<$0.lowerBound] } == "itle and ")
    #expect(text.replacing(text: "title", with: "t") == "t and t")
  }
}
