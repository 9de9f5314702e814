import BackendClient
import BackendKit
import ConsoleSupport
import Testing

@testable import ConsoleOutput

/// YAML output, read back by PyYAML, which knows nothing of the console.
@Suite("YAML") struct YAMLTests {
  private static let texts = [
    "", " ", "a", "a b", " a", "a ", "null", "Null", "~", "true", "True", "yes", "No", "on", "OFF", "y", "N", "1",
    "1.0", "0x1f",
    "0o17", "1e5", "1_000", "12:30:45", ".inf", "-.INF", ".nan", "2026-11-21", "2026-11-21T10:00:00Z", "=", "<<", "-",
    "- a", "?", "? a", ":", "a: b", "a:b", "a:", "a #b", "#a", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "'a'",
    "\"a\"", "[a]", "{a: b}", "a, b", "---", "...", "\\", "a\\nb", "a\nb", "a\n", "\na", "a\r\nb", "\t", "a\tb",
    "\u{0}\u{1B}[2J", "\u{7F}\u{85}\u{9F}", "\u{A0}", "\u{2028}\u{2029}", "\u{FEFF}a", "\u{FFFE}\u{FFFF}", "😀", "é",
    "e\u{301}",
    "天気", "\u{202E}x", "\u{3164}a", "\u{E0001}", "$x; delete", "a/b-c_d.e", "/", "/a b", "é", "ıx",
  ]

  /// The documents as PyYAML reads them, held against the JSON beside them; what differs, or "same".
  private static let judge = """
    import json, sys, yaml
    for line in sys.stdin:
        text, wanted = json.loads(line)
        found = list(yaml.safe_load_all(text))
        if found != [wanted] or repr(found) != repr([wanted]): print("differs:", text, repr(found), repr(wanted))
    print("same")
    """

  private func judged(_ pairs: [(yaml: String, value: Value)]) async throws -> String {
    let lines = pairs.map { JSONWriter.compact([.string($0.yaml), $0.value]) + "\n" }.joined()
    let run = try await ConsoleRun.runProgram(
      ["-c", Self.judge], bytes: Array(lines.utf8), in: ConsoleRun.Home(), executable: "/usr/bin/python3")
    #expect((run.status, run.errors) == (0, ""))
    return run.output
  }

  @Test("every text comes back as this text, as a value, as a name, at a terminal, too") func texts() async throws {
    var pairs: [(yaml: String, value: Value)] = []
    for text in Self.texts {
      let object = Object([("value", .string(text)), (text + "k", .string(text)), (text, .array([.string(text)]))])
      for isTerminal in [false, true] {
        let presentation = Presentation(isTerminal: isTerminal, isSingle: true)
        pairs.append((Sample.print(.yaml, presentation, [Record(id: nil, fields: object)]), .object(object)))
      }
      pairs.append((YAMLWriter.text(.object(object), listsOnOneLine: true), .object(object)))
    }
    #expect(try await judged(pairs) == "same\n")
  }

  @Test("lists and objects within each other, empty ones, and names of any length") func nesting() async throws {
    let long = String(repeating: "n", count: 2_000)
    let values: [Value] = [
      .array([]), [:], .array([.array([])]), .array([[:]]),
      .array([.array(["a", .array(["b", .array([])]), [:]]), "c"]),
      ["a": ["b": ["c": .array([["d": [:]], 1])]]], .null, .bool(true),
      ["x": .array([["a": 1, "b": .array([2])], ["a": 3]]), "y": .bool(false), "z": .null],
      .object(Object([(long, .array([1]))])),
      .number(Number("9007199254740993") ?? Number(0)), .number(Number("-1.5") ?? Number(0)),
      .string(String(repeating: "long text, ", count: 500)),
    ]
    var pairs: [(yaml: String, value: Value)] = []
    for value in values {
      let record = Record(id: nil, fields: Object([("v", value), ("w", 1)]))
      pairs.append((Sample.print(.yaml, Presentation(isSingle: true), [record]), .object(record.fields)))
      pairs.append(
        (
          Sample.print(.yaml, Presentation(), [record, record]),
          .array([.object(record.fields), .object(record.fields)])
        ))
    }
    pairs.append((Sample.print(.yaml, Presentation(), []), .array([])))
    pairs.append(
      (Sample.print(.yaml, Presentation(), [Record(id: nil, fields: Object())]), .array([.object(Object())])))
    #expect(try await judged(pairs) == "same\n")
  }

  @Test("numbers are written as they came; records come as a list in batches, each document begins by itself")
  func form() {
    var printer = OutputFormat.yaml.printer(Presentation())
    let text = printer.add([Sample.record(1, ["price": .number(Number("1.10") ?? Number(0))])]) + printer.add([])
    let rest = printer.add([Sample.record(2, ["tags": ["a", "1"], "at": "2026-11-21", "meta": ["x": .null]])])
    #expect(text == "---\n- id: 1\n  price: 1.10\n")
    #expect(rest == "- id: 2\n  tags:\n    - a\n    - \"1\"\n  at: \"2026-11-21\"\n  meta:\n    x: null\n")
    #expect(printer.finish() == "")
    #expect(Sample.print(.yaml, Presentation(), []) == "---\n[]\n")
  }
}
