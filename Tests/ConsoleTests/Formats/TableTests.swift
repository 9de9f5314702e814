import BackendKit
import Testing

@testable import ConsoleOutput

/// Records for the tests of formats.
enum Sample {
  static let fields = [
    FieldDescription("id", .integer), FieldDescription("title", .text), FieldDescription("body", .html),
  ]

  static func record(_ id: Int, _ fields: KeyValuePairs<String, Value>, unloaded: [String] = []) -> Record {
    var record = Record(RecordID(String(id)), fields, unloaded: unloaded)
    record.fields = Object([("id", .int(id))] + Array(record.fields.members))
    return record
  }

  static let announcements = [
    record(6, ["title": "Moving day for the print room"], unloaded: ["body"]),
    record(15, ["title": "Canteen closed"], unloaded: ["body"]),
  ]

  /// One record of every awkward state.
  static let awkward = [
    record(
      1,
      [
        "title": "", "body": .null, "tags": .array(["a", ["b": 1]]), "price": .number(Number("1.10") ?? Number(0)),
        "done": true,
      ]),
    record(
      2,
      [
        "title": "a,\"b\"\\\n\tc\r\u{1B}[2J", "body": "<p>x &lt; y</p>", "price": .null, "done": "null",
      ], unloaded: ["tags"]),
    Record(nil, ["title": "天気 \u{202E}"]),
  ]

  static func print(_ format: OutputFormat, _ presentation: Presentation, _ records: [Record]) -> String {
    var printer = format.printer(presentation)
    return printer.add(records) + printer.finish()
  }
}

extension Record {
  init(_ id: RecordID?, _ fields: KeyValuePairs<String, Value>, unloaded: [String] = []) {
    self.init(id: id, fields: Object(fields.map { ($0.key, $0.value) }), unloaded: unloaded)
  }
}

@Suite("Table")
struct TableTests {
  @Test("Text that reads like a mark is quoted, so that it is none", arguments: ["null", "-", "not loaded"])
  func marks(mark: String) {
    #expect(Cell.text(.value(.string(mark)), kind: .text) == "\"\(mark)\"")
    #expect(Cell.text(.value(.string(mark + "!")), kind: .text) == mark + "!")
    #expect([FieldState.value(.null), .absent, .unloaded].map { Cell.text($0, kind: .text) }.contains(mark))
  }

  @Test("A field's name is put in capitals before it is made visible") func header() {
    let record = Sample.record(1, ["ke\u{1B}y": "v"])
    #expect(Sample.print(.table, Presentation(), [record]) == " ID  KE\\x1bY\n  1  v\n")
  }

  @Test("Columns are aligned, numbers to the right, headers in capitals")
  func plain() {
    #expect(
      Sample.print(.table, Presentation(fields: Sample.fields), Sample.announcements) == """
         ID  TITLE                          BODY
          6  Moving day for the print room  not loaded
         15  Canteen closed                 not loaded

        """)
  }

  @Test("Null, empty, absent, not loaded, nested and hostile values have marks of their own")
  func awkward() {
    #expect(
      Sample.print(.table, Presentation(fields: Sample.fields), Sample.awkward)
        == #"""
         ID  TITLE                 BODY   TAGS           PRICE  DONE
          1  ""                    null   ["a",{"b":1}]   1.10  true
          2  a,"b"\\n\tc\r\x1b[2J  x < y  not loaded      null  "null"
          -  天気 \u{202e}         -      -                  -  -

        """#)
  }

  @Test("A terminal cuts texts, never numbers or identifiers")
  func cut() {
    let records = [
      Record("abcdefghijklmnop", ["key": "abcdefghijklmnop", "n": 1234567890, "text": "天気予報と長い題名"])
    ]
    #expect(
      Sample.print(.table, Presentation(width: 43, isTerminal: true), records) == """
         KEY                        N  TEXT
         abcdefghijklmnop  1234567890  天気予報と…

        """)
  }

  @Test("Where not even the narrowest table fits, records are expanded")
  func fallback() {
    let record = Record("abcdefghijklmnop", ["key": "abcdefghijklmnop", "n": 1234567890, "text": "x"])
    #expect(
      Sample.print(.table, Presentation(width: 30, isTerminal: true), [record, record]) == """
         key   abcdefghijklmnop
         n     1234567890
         text  x

         key   abcdefghijklmnop
         n     1234567890
         text  x

        """)
  }

  @Test("Columns asked for are shown in their order, nested ones too, without a header if so wished")
  func columns() {
    let record = Record("1", ["user": ["name": "ana"], "a": 1])
    let columns = [FieldPath("user.name"), FieldPath("none"), FieldPath("a")]
    #expect(
      Sample.print(.table, Presentation(columns: columns), [record]) == " USER.NAME  NONE  A\n ana        -     1\n")
    #expect(Sample.print(.table, Presentation(columns: columns, header: false), [record]) == " ana  -  1\n")
  }

  @Test("An empty list has a header where the columns are known")
  func empty() {
    #expect(Sample.print(.table, Presentation(fields: Sample.fields), []) == " ID  TITLE  BODY\n")
    #expect(Sample.print(.table, Presentation(), []) == "")
  }

  @Test("The first hundred records are held back, the others follow at once")
  func streaming() {
    var printer = OutputFormat.table.printer(Presentation())
    let record = Record("1", ["a": "x"])
    #expect(printer.add(Array(repeating: record, count: 99)) == "")
    #expect(printer.add([record]).split(separator: "\n").count == 101)
    #expect(printer.add([Record("2", ["a": "longer", "b": 1])]) == " longer\n")
    #expect(printer.finish() == "")
    #expect(printer.notes == ["the field b is omitted: the first 100 records do not have it"])
  }

  @Test("No line is wider than the terminal", arguments: [20, 33, 47, 60, 80, 200])
  func width(width: Int) {
    let records = Sample.awkward + Sample.announcements
    let text = Sample.print(.table, Presentation(fields: Sample.fields, width: width, isTerminal: true), records)
    #expect(!text.isEmpty)
    for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: String(line)) <= width) }
  }
}
