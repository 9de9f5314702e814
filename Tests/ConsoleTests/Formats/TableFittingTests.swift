import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Table in a narrow window")
struct TableFittingTests {
  private let records = [
    Sample.record(
      1,
      [
        "title": "A title of forty characters, or nearly so", "note": "a note that goes on for more than forty columns",
        "when": "2026-11-21", "done": true, "empty": .null,
      ]),
    Sample.record(2, ["title": "Short", "note": "x", "when": "2026-11-20", "done": false, "empty": .null]),
  ]

  private func table(_ width: Int, expandable: Bool = true, wraps: Bool = false) -> (text: String, notes: [String]) {
    var presentation = Presentation(width: width, isTerminal: true)
    presentation.isExpandable = expandable
    presentation.wraps = wraps
    var printer = OutputFormat.table.printer(presentation)
    let text = printer.add(records) + printer.finish()
    return (text, printer.notes)
  }

  @Test(
    "Twenty thousand different fields in each of twenty records are fitted in passing, and few of them are named",
    .timeLimit(.minutes(10)), arguments: [true, false])
  func manyFields(expandable: Bool) {
    let records = (1...20).map { record in
      Record(
        id: RecordID("\(record)"),
        fields: Object([("id", .int(record))] + (0..<20_000).map { ("field_\(record)_\($0)", Value.int($0)) }))
    }
    var presentation = Presentation(width: 100, isTerminal: true)
    presentation.isExpandable = expandable
    var printer = OutputFormat.table.printer(presentation)
    let text = printer.add(records) + printer.finish()
    #expect(text.split(separator: "\n").count == (expandable ? 20 * 20_001 : 21))
    guard !expandable else { return }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(printer.notes.count == 1)
    #expect(printer.notes[0].utf8.count < 1000 && printer.notes[0].contains(/and 3999[0-9]{2} more/))
  }

  @Test("Of fields that come late, the first are named and the others counted", arguments: [OutputFormat.table, .csv])
  func lateFields(format: OutputFormat) {
    var printer = format.printer(Presentation())
    for _ in 0..<100 { _ = printer.add([Sample.record(1, ["title": "x"])]) }
    _ = printer.add([Record(id: "1", fields: Object((0..<20_000).map { ("late\($0)", Value.null) }))])
    _ = printer.finish()
    #expect(printer.notes.count == 21)
    #expect(printer.notes.last == "19980 more fields are omitted: the first 100 records do not have them")
  }

  @Test("Long text gives way first, then short text, the title last")
  func priority() {
    #expect(
      table(100).text == """
         ID  TITLE                                      NOTE                        WHEN        DONE   EMPTY
          1  A title of forty characters, or nearly so  a note that goes on for m…  2026-11-21  true   null
          2  Short                                      x                           2026-11-20  false  null

        """)
    #expect(
      table(70).text == """
         ID  TITLE                  NOTE              WHEN        DONE   EMPTY
          1  A title of forty cha…  a note that goe…  2026-11-21  true   null
          2  Short                  x                 2026-11-20  false  null

        """)
  }

  @Test("A long text is cut before a short one is, down to two dozen columns")
  func longFirst() {
    let record = Record(
      "1", ["short": .string(String(repeating: "s", count: 30)), "long": .string(String(repeating: "l", count: 60))])
    let lines = Sample.print(.table, Presentation(width: 57, isTerminal: true), [record])
    #expect(lines.contains(String(repeating: "s", count: 30) + "  " + String(repeating: "l", count: 23) + "…"))
    let narrower = Sample.print(.table, Presentation(width: 45, isTerminal: true), [record])
    #expect(narrower.contains(String(repeating: "s", count: 20) + "…  " + String(repeating: "l", count: 20) + "…"))
  }

  @Test("Where the table cannot fit, it is expanded, or else columns are hidden and named", arguments: [20, 30, 40])
  func hidden(width: Int) {
    #expect(table(width).text.hasPrefix(" id     1\n"))
    #expect(table(width).notes.isEmpty)
    let (text, notes) = table(width, expandable: false)
    #expect(text.hasPrefix(" ID  TITLE"))
    for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: String(line)) <= width) }
    #expect(notes.count == 1)
    #expect(notes[0].hasPrefix("hidden columns: note"))
    #expect(!notes[0].contains("title"))
  }

  @Test func `where names of columns are cut, that of the identifier stays`() {
    let record = Sample.record(7, ["user": "ana", "order": 0, "completed": true])
    var cut = 0
    for width in 12...30 {
      for isExpandable in [true, false] {
        var presentation = Presentation(width: width, isTerminal: true)
        presentation.isExpandable = isExpandable
        presentation.columns = ["id", "order", "completed", "user"].map { FieldPath($0) }
        let head = Sample.print(.table, presentation, [record]).prefix { $0 != "\n" }
        guard head.contains("…") else { continue }
        cut += 1
        #expect(head.hasPrefix(" ID "), "\(width): \(head)")
      }
    }
    #expect(cut > 0)
  }

  @Test("The columns that stay get the room of those that are hidden")
  func room() {
    #expect(table(46, expandable: false).notes[0].contains(": empty ("))
    #expect(table(44, expandable: false).notes[0].contains(": note and 1 more ("))
    let (text, notes) = table(40, expandable: false)
    #expect(
      text == """
         ID  TITLE             WHEN        DONE
          1  A title of fort…  2026-11-21  true
          2  Short             2026-11-20  false

        """)
    #expect(
      notes == ["hidden columns: note and 1 more (--fields, set expanded on)"])
  }

  private let linked = Record(
    "1",
    [
      "_links": ["self": ["href": "/things/1"], "owner": ["href": "http://127.0.0.1/owners/7"]],
      "owner": "7f9c24e8-3b12-4fef-91b0-56a2d5a1c001", "id": 1, "title": "A short name", "state": "open or done",
      "kind": "twelve chars", "place": "twelve chars", "phase": "twelve chars", "color": "twelve chars",
    ])

  @Test("Links are the last columns, and hidden with identifiers of other records before a table is given up")
  func links() {
    let wide = Sample.print(.table, Presentation(width: 240, isTerminal: true), [linked]).split(separator: "\n")
    #expect(wide[0].hasPrefix(" OWNER") && wide[0].hasSuffix("_LINKS"), "\(wide[0])")
    var printer = OutputFormat.table.printer(Presentation(width: 80, isTerminal: true))
    let lines = (printer.add([linked]) + printer.finish()).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("TITLE") && lines[0].contains("COLOR"), "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 } && !lines[1].contains("/things/1"), "\(lines)")
    #expect(printer.notes == ["hidden columns: owner, _links (--fields, set expanded on)"])
    let expanded = Sample.print(.expanded, Presentation(), [linked]).split(separator: "\n")
    #expect(expanded[0].hasPrefix(" owner") && expanded.contains { $0.hasPrefix(" _links") }, "\(expanded)")
    #expect(expanded.lastIndex { $0.hasPrefix(" color") } ?? 0 < expanded.lastIndex { $0.hasPrefix(" _links") } ?? 0)
  }

  @Test("Columns that were asked for stay where they are") func chosenLinks() {
    var presentation = Presentation(width: 200, isTerminal: true)
    presentation.columns = ["_links", "id"].map { FieldPath($0) }
    let lines = Sample.print(.table, presentation, [linked]).split(separator: "\n")
    #expect(lines[0].hasPrefix(" _LINKS") && lines[0].hasSuffix("ID"), "\(lines[0])")
    #expect(Sample.print(.csv, Presentation(), [linked]).hasPrefix("_links,"))
  }

  @Test("Hidden columns are named in one line, and the identifier is not one of them") func hiddenInOneLine() {
    let names = (1...30).map { "field_number_\($0)" }
    let record = Record(
      id: "7", fields: Object(names.map { ($0, Value.string("a value of some length")) } + [("id", Value.int(7))]))
    var presentation = Presentation(width: 80, isTerminal: true)
    presentation.isExpandable = false
    var printer = OutputFormat.table.printer(presentation)
    let text = printer.add([record]) + printer.finish()
    #expect(text.split(separator: "\n")[1].contains(" 7"))
    #expect(printer.notes.count == 1 && printer.notes[0].count <= 80)
    #expect(printer.notes[0].contains(/^hidden columns: field_number_[0-9]+.* and [0-9]+ more \(/))
  }

  @Test("Names of columns that begin alike are cut to where they differ") func heads() {
    let names = (1...7).map { "field_number_\($0)_of_it" }
    let record = Record(
      id: "7", fields: Object([("id", Value.int(7))] + names.map { ($0, Value.string("val")) }))
    let lines = Sample.print(.table, Presentation(width: 80, isTerminal: true), [record]).split(separator: "\n")
    let heads = lines[0].split(separator: " ")
    #expect(heads.count == 8 && Set(heads).count == 8, "\(lines[0])")
    #expect(heads.dropFirst().allSatisfy { $0.hasPrefix("…") && $0.contains("_OF") }, "\(lines[0])")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("Wrapped, nothing is cut and every line keeps to the window", arguments: [45, 60, 80, 200])
  func wrapped(width: Int) {
    let text = table(width, wraps: true).text
    #expect(!text.contains("…"))
    for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: String(line)) <= width) }
    let words = text.split { $0 == " " || $0 == "\n" }
    for word in ["characters,", "nearly", "columns"] { #expect(words.contains { $0 == word }) }
  }

  @Test(
    "Whatever texts hold, no line is wider than the window and nothing raw passes", arguments: [20, 24, 33, 47, 80])
  func anyTexts(width: Int) {
    // A fixed sequence that looks random: the same texts in each run.
    var state: UInt64 = 88_172_645_463_325_252
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let pieces = [
      "a", "word ", "天気", "👩‍👩‍👧‍👦", "e\u{301}", " ", "  ", "https://example.org/a/very/long/path", "\n", "\u{1B}[31m", "\t",
      "…", "ｶﾅ",
      "\u{200B}", "🇩🇪", "-", "ไทย", "שָׁ",
    ]
    for round in 0..<60 {
      let columns = 1 + next(6)
      let records = (0..<(1 + next(4))).map { _ in
        Record(nil, [:]).with(
          (0..<columns).map { ("f\($0)", .string((0..<next(25)).map { _ in pieces[next(pieces.count)] }.joined())) })
      }
      var presentation = Presentation(width: width, isTerminal: true)
      presentation.isExpandable = false
      presentation.wraps = round.isMultiple(of: 2)
      for line in Sample.print(.table, presentation, records).split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= width, "\(line)")
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
      }
    }
  }

  @Test("A record without an identifier has no column of identifiers")
  func unidentified() {
    let list = Value.array(["0123456789", "0123456789"])
    let lines = Sample.print(.table, Presentation(width: 20, isTerminal: true), [Record(nil, ["list": list])])
    #expect(lines == " LIST\n [\"0123456789\",\"012…\n")
  }

  @Test("Off a terminal nothing is cut, wrapped or hidden")
  func pipe() {
    var presentation = Presentation()
    presentation.wraps = true
    presentation.isExpandable = false
    #expect(Sample.print(.table, presentation, records) == Sample.print(.table, Presentation(), records))
  }

  @Test("The name of a column is cut before a record is")
  func header() {
    let record = Record("1", ["aVeryLongNameOfAColumn": 5, "b": 7])
    #expect(
      Sample.print(.table, Presentation(width: 20, isTerminal: true), [record]) == """
         AVERYLONGNAMEOF…  B
                        5  7

        """)
  }
}

extension Record {
  fileprivate func with(_ fields: [(String, Value)]) -> Record {
    var record = self
    record.fields = Object(fields)
    return record
  }
}
