import BackendKit
import Testing

@Suite("Moments") struct InstantTests {
  @Test(
    "what is a date and a time with its zone is a moment",
    arguments: [
      ("2026-07-01T11:00:00Z", true), ("2026-07-01t11:00:00z", true), ("2026-07-01 11:00:00+0200", true),
      ("2026-07-01T11:00:00.123456789-05:00", true), ("2024-02-29T00:00:00Z", true), ("2026-02-29T00:00:00Z", false),
      ("2026-07-01T11:00:00", false), ("2026-07-01", false), ("2026-07-01T11:00Z", false),
      ("2026-07-01T24:00:00Z", false), ("2026-07-01T11:00:00.Z", false), ("2026-07-01T11:00:00Z ", false),
      ("2026-07-01T11:00:00+02", false), ("2026-07-01T11:00:00+2:00", false), ("", false), ("soon", false),
    ])
  func read(_ text: String, _ isMoment: Bool) {
    #expect((Instant(text) != nil) == isMoment)
  }

  @Test("moments in their order have that order as texts, and spellings of one are the same")
  func order() throws {
    let ordered = [
      ["0000-01-01T00:00:00+14:00"], ["1969-12-31T23:59:59.9Z", "1970-01-01T00:59:59.90+01:00"],
      ["1970-01-01T00:00:00Z", "1969-12-31T19:00:00-05:00"], ["2026-07-01T11:00:00Z", "2026-07-01 13:00:00.000+0200"],
      ["2026-07-01T11:00:00.000000001Z"], ["2026-07-01T11:00:00.01Z"], ["2026-07-01T11:00:00.1Z"],
      ["2026-07-01T11:00:01Z"], ["9999-12-31T23:59:59-14:00"],
    ]
    for (place, texts) in ordered.enumerated() {
      for (other, spellings) in ordered.enumerated() {
        for (text, spelling) in texts.flatMap({ text in spellings.map { (text, $0) } }) {
          let (first, second) = (try #require(Instant(text)), try #require(Instant(spelling)))
          let wanted: Order = place == other ? .same : place < other ? .before : .after
          #expect(second.order(of: text) == wanted)
          #expect((first == second) == (wanted == .same))
          #expect((first.orderedText < second.orderedText) == (wanted == .before))
          #expect((first.orderedText == second.orderedText) == (wanted == .same))
        }
      }
    }
  }
}
