import Testing

@testable import Console
@testable import ConsoleOutput

@Suite("Columns in a narrow window") struct ColumnsTests {
  @Test("a line is broken at blanks, below its last column")
  func columns() {
    #expect(
      Columns.fitted("  backends  List the configured backends; check or edit one", to: 32) == [
        "  backends  List the configured", "            backends; check or", "            edit one",
      ])
    let row = "  plugin       list  " + String(repeating: " ", count: 32) + "pages; total; filters; order"
    #expect(
      Columns.fitted(row, to: 80) == [
        "  plugin       list  " + String(repeating: " ", count: 32) + "pages; total; filters;",
        String(repeating: " ", count: 53) + "order",
      ])
    let example = Columns.fitted("  a very long example of a command  what it does", to: 24)
    #expect(example.allSatisfy { $0.hasPrefix("  ") })
    #expect(Columns.fitted("short  line", to: 24) == ["short  line"])
  }

  @Test("a table is cut to the window, and its first column is not", arguments: [60, 80, 200])
  func table(width: Int) {
    let rows = [
      ["NAME", "PLUGIN", "ADDRESS", "RESOURCE", "USER", ""],
      ["placeholder", "jsonplaceholder", "http://127.0.0.1:18934/jsonplaceholder", "todos", "", ""],
      ["intranet", "grails", "http://127.0.0.1:18934/grails", "announcements", "operator@example.org", "current"],
    ]
    let lines = Columns.table(rows, width: width).text.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width }, "\(lines)")
    #expect(
      lines[1].hasPrefix("placeholder  ") && lines[2].hasPrefix("intranet     ") && lines[2].hasSuffix("  current"))
    #expect(lines.contains { $0.contains("…") } == (width < 200))
    #expect(Columns.table(rows, width: nil) == Columns.text(rows))
  }

  @Test("every text of help keeps its words in every width, and no line is wider", arguments: [20, 46, 79])
  func help(width: Int) {
    let texts = CommandTable.commands.map(\.help) + HelpTopic.all.map(\.help)
    func letters(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    for text in texts {
      let fitted = text.fitted(to: width).text
      #expect(letters(fitted) == letters(text.text))
      let lines = fitted.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= width || $0.contains("://") }, "\(fitted)")
    }
  }
}
