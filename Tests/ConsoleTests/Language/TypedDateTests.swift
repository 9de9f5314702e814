import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Dates as they are typed") struct TypedDateTests {
  private func iso(_ text: String) throws -> String? {
    // 2026-02-28T23:30:00Z
    try TypedDate.iso(text, now: #require(Moment(milliseconds: 1_772_321_400_000)))
  }

  @Test(
    "words, days with dots, and days of which one number only can be the month",
    arguments: [
      ("now", "2026-02-28T23:30:00Z"), ("today", "2026-02-28"), ("yesterday", "2026-02-27"),
      ("tomorrow", "2026-03-01"), ("tomorrow 8:00", "2026-03-01T08:00:00Z"), ("3.10.2017", "2017-10-03"),
      ("29.02.2024 23:59:59", "2024-02-29T23:59:59Z"), ("25/12/2017", "2017-12-25"), ("12/25/2017", "2017-12-25"),
      ("5/5/2017", "2017-05-05"),
    ])
  func read(text: String, iso: String) throws { #expect(try self.iso(text) == iso) }

  @Test(
    "anything else is left as it is",
    arguments: [
      "", "2017-10-03", "2017-10-03 14:00:00", "soon", "today at 8", "1.2", "1.2.17", "v1.2.2017", "now 8:00",
    ])
  func left(text: String) throws { #expect(try iso(text) == nil) }

  @Test(
    "what is none of the calendar's days, no time, or has two meanings is refused",
    arguments: [
      "31.2.2017", "0.1.2017", "1.13.2017", "3/10/2017", "13/13/2017", "today 25:00", "3.10.2017 8", "1.1.2017 8:60",
    ])
  func refused(text: String) { #expect(throws: UsageError.self) { try iso(text) } }
}
