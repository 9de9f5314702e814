import ConsoleSupport
import Foundation
import Testing

/// The types of values that are imported.
@Suite("Types of imported values") struct ValueTypeTests {
  @Test("an exported table changes nothing, whatever is described of its fields", arguments: ["csv", "tsv"])
  func unchanged(format: String) async throws {
    let service = try await SpellingService()
    try service.put(
      "own/items",
      #"[{"id": 1, "code": "k1", "n": 5, "b": true, "o": {"a": 1}, "l": [1, "x"], "t": "7", "note": 8},"#
        + #" {"id": 2, "code": "k2", "n": 1.50, "b": false, "o": null, "l": [], "t": "", "note": "9"}]"#)
    let file = service.home.folder.path + "/t.\(format)"
    let exported = try await service.run("export bare/items --to \(file)")
    try #require(exported.status == 0, "\(exported.errors)")
    let run = try await service.run(
      "import bare/items \(file) --key code", "sync --from \(file) bare/items --key code",
      "diff --from \(file) bare/items --key code"
    ).succeeded()
    #expect(run.output == "bare/items: 2 unchanged\nbare/items: 2 unchanged\nno differences\n", "\(run.output)")
    #expect(!run.errors.contains("not described"), "\(run.errors)")
    #expect(try service.writes().isEmpty)
  }

  @Test("a field that the record has is not an unknown one, and keeps its type") func known() async throws {
    let servers = try await TransferServers()
    let file = servers.home.folder.path + "/t.csv"
    let made = try await servers.run([
      "create js title=q userId=1 order:=7 flag:=true --new-fields --quiet", "export js title=q --to \(file)",
    ])
    try #require(made.status == 0, "\(made.errors)")
    try await servers.run(["import js \(file) --key title"]).succeeded(printing: "js/todos: 1 unchanged\n")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    _ = try servers.home.write(text.replacing("7", with: "8"), to: "t.csv")
    let changed = try await servers.run(["import js \(file) --key title", "list js title=q -o ndjson"])
    #expect(changed.status == 0 && changed.output.contains(#""order":8,"flag":true"#), "\(changed.output)")
    #expect(!changed.errors.contains("unknown field"), "\(changed.errors)")
  }

  @Test("a cell of a field that is not described is of the type that the record has, or text") func fitted()
    async throws
  {
    let service = try await SpellingService()
    try service.put(
      "own/items",
      #"[{"id": 1, "code": "k1", "n": 5, "b": true, "o": {"a": 1}, "t": "x"}, {"id": 2, "code": "k2", "n": 6}]"#)
    let file = try service.home.write(
      "code,n,b,o,t\nk1,6,false,\"{\"\"a\"\":2}\",8\nk2,six,true,,\nk3,7,,,y\n", to: "t.csv")
    let run = try await service.run("import bare/items \(file) --key code", "list bare/items -o ndjson")
    #expect(run.status == 0 && run.output.contains("1 created, 2 updated"), "\(run.output) \(run.errors)")
    #expect(run.output.contains(#""n":6,"b":false,"o":{"a":2},"t":"8"}"#), "\(run.output)")
    #expect(run.output.contains(#""n":"six","b":"true"}"#) && run.output.contains(#""n":"7""#), "\(run.output)")
    let warning = "the type of b, n in bare/items is not described: cells are written as text"
    #expect(run.errors.components(separatedBy: warning).count == 2, "\(run.errors)")
    let created = try await service.run("create bare/items --from \(file)")
    #expect(created.errors.contains("the type of n, b, o, t in items is not described"), "\(created.errors)")
  }

  static let values: [(given: String, sent: String)] = [
    (#""done":1"#, #""done":true"#), (#""done":"true""#, #""done":true"#), (#""qty":"5""#, #""qty":5"#),
    (#""qty":12345678901234567891"#, #""qty":12345678901234567891"#), (#""price":"1.10""#, #""price":1.10"#),
    (#""code":5"#, #""code":"5""#), (#""due":"29.03.2026""#, #""due":"2026-03-29T00:00:00Z""#),
    (#""due":"Sun, 29 Mar 2026 01:30:00 GMT""#, #""due":"2026-03-29T01:30:00Z""#),
    (#""due":"2026-03-29 01:30:00""#, #""due":"2026-03-29 01:30:00""#), (#""due":"""#, #""due":"""#),
    (#""day":"2026-03-29T00:00:00Z""#, #""day":"2026-03-29""#), (#""guess":"7""#, #""guess":7"#),
    (#""share":"1.25""#, #""share":1.25"#), (#""share":1.200"#, #""share":1.200"#),
    (#""share":"0.125""#, #""share":0.125"#),
  ]

  static let others: [(given: String, says: String)] = [
    (#""done":"1""#, "done must be true or false, not a text"),
    (#""done":2"#, "done must be true or false, not a number"),
    (#""qty":5.5"#, "qty must be a 64-bit integer, not 5.5"),
    (#""qty":"05""#, #"qty must be a 64-bit integer, not "05""#),
    (#""price":"1,10""#, "price must be a number, not a text"),
    (#""code":["a"]"#, "code must be text, not a list"),
    (#""tags":"a""#, "tags must be a list, not a text"),
    (#""day":1774747800"#, "day must be a day, not a number"),
    (#""due":1774747800"#, "due must be a date, not a number"),
    (#""due":"noon""#, #"due must be a date, not "noon""#),
    (#""guess":"x""#, "guess must be a 64-bit integer"), (#""guess":5.5"#, "guess must be a 64-bit integer"),
    (#""share":"1,85""#, "share must be a number, not a text"), (#""share":"abc""#, "share must be a number"),
    (#""share":"1.200""#, #"share is a number, and "1.200" may be 1200"#),
    (#""sure":"yes""#, "sure must be true or false"),
    (#""share":"-12.345""#, #"share is a number, and "-12.345" may be 12345"#),
    (#""when":"noon""#, "when must be a date"),
    (#""due":"2026-02-30T00:00:00Z""#, #"due must be a date, not "2026-02-30T00:00:00Z""#),
  ]

  /// A service, and a home with its description.
  private func typed() async throws -> (ProofService, ConsoleRun.Home) {
    let service = try await ProofService()
    let home = try ConsoleRun.Home(
      [DescribedBackend("t", "\(service.address)/whole", by: "typed")],
      describing: [
        "typed": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        resources:
          items:
            fields:
              id: {type: integer, readOnly: true}
              code: text
              done: boolean
              qty: integer
              price: number
              tags: list
              due: date
              day: day
              guess: {type: integer, likely: [type]}
              share: {type: number, likely: [type]}
              sure: {type: boolean, likely: [type]}
              when: {type: date, likely: [type]}
        """
      ])
    return (service, home)
  }

  /// The requests that an import of records would send.
  private func dry(_ records: String, _ more: String = "") async throws -> ConsoleRun {
    let (_, home) = try await typed()
    let file = try home.write(records, to: "t.ndjson")
    return try await home.run(commands: "import t/items \(file) \(more) --dry-run")
  }

  @Test("they are converted where nothing is lost") func converted() async throws {
    let run = try await dry(Self.values.map { "{\($0.given)}\n" }.joined()).succeeded()
    let sent = run.output.split(separator: "\n").map { $0.drop { $0 != "{" } }.filter { !$0.isEmpty }
    #expect(sent.map(String.init) == Self.values.map { "{\($0.sent)}" }, "\(run.output)")
  }

  @Test("others are refused before the first write, each with its line") func refused() async throws {
    let run = try await dry(Self.others.map { "{\($0.given)}\n" }.joined())
    #expect(run.status == 2, "\(run.errors)")
    for (place, row) in Self.others.enumerated() {
      #expect(run.errors.contains("t.ndjson:\(place + 1): \(row.says)"), "\(run.errors)")
    }
  }

  @Test(
    "a value that does not fit a likely type makes its row one that cannot be used, whatever the format",
    arguments: ["csv", "tsv", "ndjson"])
  func likely(format: String) async throws {
    let (service, home) = try await typed()
    let rows = [("a", "1.5"), ("b", "1,85"), ("c", "abc"), ("d", "1.200"), ("e", "2")]
    let text =
      switch format {
      case "ndjson": rows.map { #"{"code":"\#($0.0)","share":"\#($0.1)"}"# + "\n" }.joined()
      case "csv": "code,share\n" + rows.map { #"\#($0.0),"\#($0.1)"\#n"# }.joined()
      default: "code\tshare\n" + rows.map { "\($0.0)\t\($0.1)\n" }.joined()
      }
    let file = try home.write(text, to: "t.\(format)")
    for command in [
      "import t/items \(file)", "import t/items \(file) --dry-run", "plan --to \(file).plan import t/items \(file)",
      "sync --from \(file) t/items --key code",
    ] {
      let run = try await home.run(commands: command).failed(2, saying: "3 rows cannot be used")
      #expect(
        run.errors.contains(format == "ndjson" ? "share must be a number" : "share is a number"), "\(run.errors)")
      #expect(run.errors.contains("--accept-types"), "\(run.errors)")
    }
    try await home.run("import t/items \(file) --skip-bad\n", ["--strict"])
      .failed(2, saying: "3 rows have a value that does not fit the likely type of its field")
    #expect(try service.writes().isEmpty)
    let some = try await home.run(commands: "import t/items \(file) --skip-bad")
    #expect(some.status == 5 && some.output.contains("2 created"), "\(some.output)\(some.errors)")
    let other = try home.write(text, to: "other.\(format)")
    let all = try await home.run(commands: "import t/items \(other) --accept-types")
    #expect(all.status == 0 && all.output.contains("5 created"), "\(all.output)\(all.errors)")
  }

  @Test("what the command sets is sent as it says") func constant() async throws {
    let run = try await dry(#"{"code":"a"}"# + "\n", "qty:=5.5")
    #expect(run.status == 0 && run.output.contains(#""qty":5.5"#), "\(run.output) \(run.errors)")
  }
}
