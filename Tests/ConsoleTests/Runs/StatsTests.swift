import ConsoleSupport
import Testing

@Suite("Statistics of a list") struct StatsTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test("a field's figures stand in lines, the most frequent values as bars") func people() async throws {
    let run = try await console.run("-c", "stats userId placeholder/todos userId<4")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(4) == [" field     userId", " records   60", " values    60", " null      0"])
    #expect(lines.contains(" mean      2"))
    #expect(lines.contains { $0.hasPrefix(" 1  20  33%  ████") })
    #expect(run.errors.contains("counted locally)"))
  }

  @Test("programs get the same figures as data, again too") func data() async throws {
    let run = try await console.run(
      "-c", "stats completed placeholder/todos -o ndjson", "-c", "again tsv --fields records,distinct")
    #expect(
      run.output == #"{"field":"completed","records":200,"values":200,"null":0,"missing":0,"distinct":2,"#
        + #""top":[{"value":false,"count":110},{"value":true,"count":90}]}"#
        + "\nrecords\tdistinct\n200\t2\n")
  }

  @Test("a plot is drawn below the figures, is data for programs, and a picture where that is asked for")
  func plots() async throws {
    let shown = try await console.run("-c", "stats userId placeholder/todos --plot")
    #expect(shown.status == 0)
    #expect(shown.output.contains("\n 10  20  10%  "))
    let data = try await console.run("-c", "stats completed placeholder/todos --plot -o ndjson")
    #expect(data.output.hasSuffix(#""plot":[{"label":"false","count":110},{"label":"true","count":90}]}"# + "\n"))
    let picture = try await console.run("-c", "stats userId placeholder/todos -o svg")
    #expect(picture.output.hasPrefix("<svg xmlns="))
    #expect(picture.output.hasSuffix("</svg>\n"))
    #expect(picture.output.contains(">20</text>"))
    let wrong = try await console.run("-c", "stats userId placeholder/todos --by month")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("--by requires a plot"))
    let relations = try await console.run("-c", "describe placeholder -o dot")
    #expect(relations.output.contains("[label=\"userId\"]"))
    let drawing = try await console.run("-c", "describe placeholder --graph")
    #expect(drawing.output.contains("│ photos   │"), "\(drawing.output)\(drawing.errors)")
    #expect(drawing.output.contains("├─►│ users │") && drawing.errors.isEmpty)
    let both = try await console.run("-c", "describe placeholder --graph -o json")
    #expect(both.status == 2 && both.errors.contains("--graph cannot be combined with -o json"))
  }

  @Test("values are counted as bars or as data, and the rest is reported") func counting() async throws {
    let bars = try await console.run("-c", "list placeholder/todos --count-by userId --limit 2")
    #expect(bars.output.split(separator: "\n").count == 2)
    #expect(bars.errors == "8 other values: 160 records\n200 records read (counted locally)\n")
    let data = try await console.run("-c", "list placeholder/todos --count-by completed -o csv", "-c", "again json")
    #expect(data.output.hasPrefix("value,count\nfalse,110\ntrue,90\n[\n  {\n    \"value\": false,\n    \"count\": 110"))
  }

  @Test("moments are counted by month") func months() async throws {
    let run = try await console.run(
      "-c", "create title=2026-01-05 -o id", "-c", "create title=2026-03-07 -o id", "-c",
      "list title~2026 --count-by title:month -o tsv --no-header")
    #expect(run.output.hasSuffix("2026-01\t1\n2026-02\t0\n2026-03\t1\n"))
  }

  @Test("a scan that was cut short is not a success") func cut() async throws {
    let run = try await console.run(
      "-c", "stats id placeholder/todos --max-scan 50 -o tsv --fields records --no-header")
    #expect(run.status == 2)
    let cut = try await console.run("-c", "list placeholder/todos --count-by completed --max-scan 50 -o id")
    #expect(cut.status == 5)
    #expect(
      cut.errors
        == "-c:1: error: scan limit reached after 50 records read (counted locally)\nhint: --max-scan reads more\n")
  }

  @Test(
    "wrong words are refused",
    arguments: [
      ("stats", "2 stats needs a field (stats FIELD [TARGET] [PREDICATE ...])\n"),
      ("stats titel", "2 unknown field \"titel\" in intranet/announcements (did you mean title?)\n"),
      (
        "list --count-by title:mont", "2 \"mont\" is not a unit of time (did you mean month?)\n"
      ),
      (
        "list --count-by id --page 2",
        "2 --count-by cannot be combined with --page (--limit N shows the N most frequent values)\n"
      ),
    ])
  func wrong(command: String, complaint: String) async throws {
    #expect(try await console.complaint(command) == complaint)
  }
}
