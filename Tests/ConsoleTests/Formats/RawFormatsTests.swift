import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Raw formats")
struct RawFormatsTests {
  private let list = Presentation(fields: Sample.fields)

  @Test("A cell of csv that holds a line end of whatever kind is quoted", arguments: ["\r", "\n", "a\rb", "\r\n"])
  func lineEnds(text: String) {
    let record = Record(nil, ["a": .string(text)])
    #expect(Sample.print(.csv, Presentation(), [record]) == "a\n\"\(text)\"\n")
  }

  @Test(
    "a name with what a reader may take for the separator is quoted, and a cell with it is not", arguments: [";", "\t"])
  func separators(sign: String) {
    let record = Record(nil, ["a\(sign)b": .string("x\(sign)y")])
    #expect(Sample.print(.csv, Presentation(), [record]) == "\"a\(sign)b\"\nx\(sign)y\n")
  }

  @Test("names that differ in their bytes alone are two columns, wherever a record has them", arguments: [1, 101])
  func spellings(columns: Int) {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let others = (1..<columns).map { ("f\($0)", Value.int($0)) }
    let records = [[(one, 1), (two, 2)], [(two, 3), (one, 4)], [(two, 5)]].map { fields in
      Record(id: nil, fields: Object(fields.map { ($0.0, Value.int($0.1)) } + others))
    }
    let rest = others.map { "," + JSONWriter.compact($0.1) }.joined()
    let head = others.map { "," + $0.0 }.joined()
    let text = Sample.print(.csv, Presentation(), records)
    #expect(Array(text.utf8) == Array("\(one),\(two)\(head)\n1,2\(rest)\n4,3\(rest)\n,5\(rest)\n".utf8))
  }

  @Test("what was cut short is no document", arguments: [OutputFormat.json, .yaml])
  func cut(format: OutputFormat) {
    for isSingle in [true, false] {
      var printer = format.printer(Presentation(isSingle: isSingle))
      let text = printer.add([Record(nil, ["a": 1])]) + printer.abandon()
      #expect(throws: JSONError.self) { try JSONReader.read(text) }
      #expect(format == .json && !isSingle || text.hasSuffix("\"cut short\n"))
      var empty = format.printer(Presentation(isSingle: isSingle))
      #expect(empty.abandon() == "")
    }
  }

  @Test("JSON is one document, as it came; what is absent or not loaded has no member")
  func json() throws {
    let text = Sample.print(.json, list, Sample.awkward)
    #expect(
      text == #"""
        [
          {
            "id": 1,
            "title": "",
            "body": null,
            "tags": [
              "a",
              {
                "b": 1
              }
            ],
            "price": 1.10,
            "done": true
          },
          {
            "id": 2,
            "title": "a,\"b\"\\\n\tc\r\u001b[2J",
            "body": "<p>x &lt; y</p>",
            "price": null,
            "done": "null"
          },
          {
            "title": "天気 ‮"
          }
        ]

        """#)
    #expect(try JSONReader.read(text) == .array(Sample.awkward.map { Value.object($0.fields) }))
  }

  @Test("JSON in batches is the same document")
  func batches() {
    var printer = OutputFormat.json.printer(list)
    var text = ""
    for record in Sample.awkward { text += printer.add([record]) + printer.add([]) }
    #expect(text + printer.finish() == Sample.print(.json, list, Sample.awkward))
  }

  @Test("One record is an object, no record an empty list, columns are members")
  func shapes() {
    let single = Presentation(isSingle: true)
    #expect(Sample.print(.json, single, [Sample.record(1, [:])]) == "{\n  \"id\": 1\n}\n")
    #expect(Sample.print(.json, list, []) == "[]\n")
    #expect(Sample.print(.json, list, [Record(id: nil, fields: Object())]) == "[\n  {}\n]\n")
    let columns = Presentation(columns: [FieldPath("user.name"), FieldPath("x"), FieldPath("id")])
    let record = Record("1", ["id": 1, "user": ["name": "ana"], "z": 1])
    #expect(Sample.print(.ndjson, columns, [record]) == #"{"user.name":"ana","id":1}"# + "\n")
  }

  @Test("At a terminal JSON spells out what cannot be seen, and is still the same document")
  func terminal() throws {
    let text = Sample.print(.ndjson, Presentation(isTerminal: true), [Sample.awkward[2]])
    #expect(text == #"{"title":"天気 \u202e"}"# + "\n")
  }

  @Test("ndjson is a line a record")
  func ndjson() {
    #expect(
      Sample.print(.ndjson, list, Sample.awkward) == #"""
        {"id":1,"title":"","body":null,"tags":["a",{"b":1}],"price":1.10,"done":true}
        {"id":2,"title":"a,\"b\"\\\n\tc\r\u001b[2J","body":"<p>x &lt; y</p>","price":null,"done":"null"}
        {"title":"天気 ‮"}

        """#)
    #expect(Sample.print(.ndjson, list, []) == "")
  }

  @Test("csv quotes what needs it; an empty text is told apart from no value")
  func csv() {
    #expect(
      Sample.print(.csv, list, Sample.awkward)
        == [
          "id,title,body,tags,price,done", #"1,"",,"[""a"",{""b"":1}]",1.10,true"#,
          "2,\"a,\"\"b\"\"\\\n\tc\r\u{1B}[2J\",<p>x &lt; y</p>,,,null", ",天気 \u{202E},,,,", "",
        ].joined(separator: "\n"))
  }

  @Test("csv at a terminal shows control characters instead of sending them")
  func csvTerminal() {
    let text = Sample.print(.csv, Presentation(columns: [FieldPath("title")], isTerminal: true), [Sample.awkward[1]])
    #expect(text == #"title"# + "\n" + #""a,""b""\\n\tc\r\x1b[2J""# + "\n")
  }

  @Test("Records that stayed text have the same cells as others", arguments: [OutputFormat.csv, .tsv])
  func keptAsText(format: OutputFormat) throws {
    let rows = [
      #"{}"#, #"{"id":1,"a.b":"direct","a":{"b":2},"n":null}"#, #"{"id":2,"a":{"b":"x, \"y\""},"n":""}"#,
      #"{"n":"a,b","id":"-0","a":[1,2]}"#, #"{"id":1e2,"a":{"b":"tab\there"},"n":"\ufeff"}"#, #"{}"#,
    ]
    var reader = JSONReader(items: .at([[]]))
    let kept = try reader.feed(Array("[\(rows.joined(separator: ","))]".utf8)).compactMap(\.object)
    let made = kept.map { Object($0.members) }
    let columns = ["n", "id", "a.b", "missing"].map { FieldPath($0) }
    for presentation in [
      Presentation(), Presentation(columns: columns), Presentation(isTerminal: true),
      Presentation(columns: (0...100).map { FieldPath("c\($0)") } + columns),
    ] {
      let texts = [kept, made].map { Sample.print(format, presentation, $0.map { Record(id: nil, fields: $0) }) }
      #expect(texts[0] == texts[1])
      #expect(texts[0].contains("direct"))
    }
  }

  @Test("tsv escapes what would end a cell; no value is \\N")
  func tsv() {
    #expect(
      Sample.print(.tsv, list, Sample.awkward)
        == [
          "id\ttitle\tbody\ttags\tprice\tdone", "1\t\t\\N\t[\"a\",{\"b\":1}]\t1.10\ttrue",
          "2\ta,\"b\"\\\\\\n\\tc\\r\u{1B}[2J\t<p>x &lt; y</p>\t\\N\t\\N\tnull", "\\N\t天気 \u{202E}\t\\N\t\\N\t\\N\t\\N",
          "",
        ].joined(separator: "\n"))
  }

  @Test("Headers can be left out, and stand also over an empty list")
  func headers() {
    #expect(Sample.print(.csv, list, []) == "id,title,body\n")
    #expect(Sample.print(.csv, Presentation(), []) == "")
    let bare = Presentation(columns: [FieldPath("id")], header: false)
    #expect(Sample.print(.tsv, bare, Sample.awkward) == "1\n2\n\\N\n")
  }

  @Test("Columns asked for are printed at once; otherwise a hundred records decide, and what comes later is noted")
  func streaming() {
    let record = Record("1", ["a": 1])
    var fixed = OutputFormat.csv.printer(Presentation(columns: [FieldPath("a")]))
    #expect(fixed.add([record]) == "a\n1\n")
    var open = OutputFormat.csv.printer(Presentation())
    #expect(open.add(Array(repeating: record, count: 99)) == "")
    #expect(open.add([Record("2", ["b": 2]), record]).hasPrefix("a,b\n1,\n"))
    #expect(open.add([Record("3", ["c": 3])]) == ",\n")
    #expect(open.finish() == "")
    #expect(open.notes == ["the field c is omitted: the first 100 records do not have it"])
  }

  @Test("id prints identifiers only, a line each")
  func identifiers() {
    let odd = Record(id: "a\nb\\", fields: Object())
    #expect(Sample.print(.id, list, Sample.awkward + [odd]) == "1\n2\na\\nb\\\\\n")
  }

  @Test(
    "Every format prints ten thousand records in a moment", .timeLimit(.minutes(10)), arguments: OutputFormat.allCases)
  func many(format: OutputFormat) {
    let text = Sample.print(format, list, Array(repeating: Sample.announcements[0], count: 10_000))
    #expect(text.utf8.count { $0 == 0x0A } >= 10_000)
  }
}
