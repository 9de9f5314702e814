import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Theme")
struct ThemeTests {
  private func theme(
    _ environment: [String: String], use: Theme.Use = .auto, name: Theme.Name? = nil, isTerminal: Bool = true
  ) -> Theme {
    Theme.chosen(name, use: use, environment: environment, isTerminal: isTerminal)
  }

  @Test(
    "Environment and terminal decide whether there are colors",
    arguments: [
      (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false), (["TERM": "dumb"], true, false),
      ([:], true, false), (["TERM": "xterm", "NO_COLOR": "1"], true, false),
      (["TERM": "xterm", "NO_COLOR": ""], true, true), (["TERM": "xterm", "CLICOLOR": "0"], true, false),
      (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
      (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
    ] as [([String: String], Bool, Bool)])
  func environment(environment: [String: String], isTerminal: Bool, colors: Bool) {
    #expect(theme(environment, isTerminal: isTerminal).isPlain == !colors)
    #expect(!theme(environment, use: .always, isTerminal: isTerminal).isPlain)
    #expect(theme(environment, use: .never, isTerminal: isTerminal).isPlain)
  }

  @Test("The background that the terminal tells chooses the theme, unless one is set")
  func background() {
    #expect(theme(["TERM": "xterm", "COLORFGBG": "15;0"]) == Theme(.dark))
    #expect(theme(["TERM": "xterm", "COLORFGBG": "0;default;15"]) == Theme(.light))
    #expect(theme(["TERM": "xterm", "COLORFGBG": "0;7"], name: .mono) == Theme(.mono))
    #expect(theme(["TERM": "xterm", "COLORFGBG": "x"]) == Theme(nil))
  }

  @Test("Mono has no colors, but tells names, links and marks apart")
  func mono() {
    let mono = Theme(.mono)
    #expect(mono.paint("null", .mark) == "\u{1B}[2mnull\u{1B}[m")
    #expect(mono.paint("7", .number) == "7")
    for role in Theme.Role.allCases {
      let text = mono.paint("x", role)
      #expect(!text.contains("[3m") || role == .date || role == .emphasis)
      #expect(text.matches(of: /\[(3|9)\d/).isEmpty)
    }
  }

  @Test(
    "Each value has the color of its kind, and taking the colors away leaves the plain table", arguments: [100, 200])
  func values(width: Int) {
    let record = Sample.record(
      7,
      [
        "title": "T", "n": 5, "done": true, "none": .null, "when": "2026-11-21T10:00:00Z",
        "url": "https://example.org/", "esc": "\u{1B}[31mred",
      ])
    for format in [OutputFormat.table, .expanded] {
      var presentation = Presentation(width: width, isTerminal: true)
      let plain = Sample.print(format, presentation, [record])
      presentation.theme = Theme(.dark)
      let painted = Sample.print(format, presentation, [record])
      #expect(painted.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
      let dark = Theme(.dark)
      for (text, role) in [
        ("7", .identifier), ("5", .number), ("true", .boolean), ("null", .mark), ("2026-11-21T10:00:00Z", .date),
        ("https://example.org/", .link),
      ] as [(String, Theme.Role)] {
        #expect(painted.contains(dark.paint(text, role)), "\(text) in \(format)")
      }
      #expect(painted.contains(#"\x1b[31mred"#))
    }
  }

  @Test(
    "What only begins like a date or an address is text", arguments: ["2026-1-21", "2026-11-21x", "http://a b", "http"])
  func lookalikes(text: String) {
    #expect(Cell.role(.value(.string(text)), kind: .text) == nil)
  }

  @Test("JSON has the same colors, and is the same document without them", arguments: [OutputFormat.json, .ndjson])
  func json(format: OutputFormat) throws {
    let record = Sample.record(
      7,
      [
        "a\"b": "x\\\"y: 5 null", "n": .number(try #require(Number("-1.5E+3"))), "t": true, "z": .null, "e": "",
        "d": "2026-11-21", "l": [1, ["k": "https://a/"]], "esc": "\u{1B}[31m\u{9B}",
      ])
    for isSingle in [true, false] {
      var presentation = Presentation(isTerminal: true, isSingle: isSingle)
      let plain = Sample.print(format, presentation, [record, record])
      presentation.theme = Theme(.dark)
      let painted = Sample.print(format, presentation, [record, record])
      #expect(painted.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
      for (text, role) in [
        (#""id""#, .name), (#""a\"b""#, .name), ("-1.5E+3", .number), ("7", .number), ("true", .boolean),
        ("null", .mark), (#""2026-11-21""#, .date), (#""https://a/""#, .link),
      ] as [(String, Theme.Role)] {
        #expect(painted.contains(Theme(.dark).paint(text, role)), "\(text)")
      }
      #expect(painted.contains(#": "x\\\"y: 5 null""#.dropFirst(2)))
    }
    var pipe = Presentation()
    pipe.theme = Theme(.dark)
    #expect(!Sample.print(format, pipe, [record]).contains("\u{1B}"))
  }
}
