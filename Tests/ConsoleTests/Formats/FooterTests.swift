import Testing

@testable import ConsoleOutput

@Suite("Footer")
struct FooterTests {
  @Test("It tells range, total, what is next and the time, each where it is known")
  func parts() {
    #expect(Footer(first: 1, count: 6, total: 6, more: nil, milliseconds: 4.4).text(width: 80) == "1–6 of 6  (4 ms)\n")
    #expect(
      Footer(first: 1, count: 20, total: nil, more: "next", milliseconds: nil).text(width: nil) == "1–20, more: next\n")
    #expect(Footer(first: 1, count: 0, total: 0, more: nil, milliseconds: nil).text(width: nil) == "no records\n")
    #expect(
      Footer(first: 1001, count: 20, total: 1_234_567, more: "next", milliseconds: 1234).text(width: nil)
        == "1,001–1,020 of 1,234,567, more: next  (1.2 s)\n")
  }

  @Test("In a narrow window it breaks between its parts, and no line is wider than the window", arguments: 10...60)
  func narrow(width: Int) {
    let footer = Footer(first: 1, count: 20, total: 1234, more: "--all or a higher --limit", milliseconds: 12)
    let lines = footer.text(width: width).split(separator: "\n")
    for line in lines { #expect(DisplayWidth.columns(of: String(line)) <= width) }
    #expect((lines.count == 1) == (width >= 54))
    #expect(
      lines.joined(separator: " ").replacing("  ", with: " ")
        == "1–20 of 1,234, more: --all or a higher --limit (12 ms)")
  }

  @Test(
    "Times read as people write them",
    arguments: [(0.4, "(0 ms)"), (999.4, "(999 ms)"), (1999, "(1.9 s)"), (61_000, "(1 min 1 s)")] as [(Double, String)])
  func time(milliseconds: Double, text: String) {
    #expect(Footer.time(milliseconds) == text)
  }
}
