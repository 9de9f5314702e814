import ConsoleSupport
import Foundation
import Testing

/// Tables that a spreadsheet has saved: it drops the quotes of empty texts, and runs texts that look like formulas.
@Suite("Tables from spreadsheets") struct SpreadsheetTests {
  let servers: TransferServers

  init() async throws {
    servers = try await TransferServers()
    let run = try await servers.run([
      "create kempty title=a order=1 user=ana", "create kempty title=b order=2 user=",
      "create kempty title=c order=3 user=",
    ])
    try #require(run.status == 0, "\(run.errors)")
  }

  private func run(_ commands: String...) async throws -> ConsoleRun { try await servers.run(commands) }

  private func users() async throws -> String {
    try await run("list kempty --all --sort order --fields title,user -o ndjson").output
  }

  /// Exports a file with the console, and saves it again as a spreadsheet would.
  private func saved() async throws -> String {
    let file = servers.home.folder.path + "/t.csv"
    let exported = try await run("export kempty --to \(file)")
    try #require(exported.status == 0, "\(exported.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try #require(text.contains("\"\""), "\(text)")
    return try servers.home.write(text.replacing("\"\"", with: ""), to: "t.csv")
  }

  @Test("what a spreadsheet has saved again changes nothing, and empty cells are counted") func saveAgain() async throws
  {
    let file = try await saved()
    _ = try await run("update kempty 1 user=zoe")
    let before = try await users()
    let imported = try await run("import kempty \(file) --key title", "import kempty \(file) --key title -o ndjson")
      .succeeded()
    #expect(
      imported.output == "kempty/todos: 3 unchanged, 2 empty cells ignored (--empty-clears clears them)\n",
      "\(imported.output)")
    #expect(imported.errors.contains("2 empty cells ignored (--empty-clears clears them)"), "\(imported.errors)")
    #expect(try await users() == before && before.contains("zoe"))
  }

  @Test("--empty-clears clears the fields of empty cells") func clears() async throws {
    let file = try servers.home.write("title,user\na,\n", to: "t.csv")
    let dry = try await run("import kempty \(file) --key title --empty-clears --dry-run")
    #expect(dry.errors.contains("1 to update") && !dry.errors.contains("cells ignored"), "\(dry.errors)")
    let cleared = try await run("import kempty \(file) --key title --empty-clears")
    #expect(cleared.status == 0 && cleared.output.contains("1 updated"), "\(cleared.output) \(cleared.errors)")
    #expect(try await !users().contains("ana"))
  }

  @Test("an empty text in quotes is one, in a record that is there and in a new one; an empty cell is none")
  func quoted() async throws {
    let file = try servers.home.write("title,user,order\na,\"\",1\nnew,\"\",8\nnone,,9\n", to: "t.csv")
    try await run("import kempty \(file) --key title").succeeded()
    let users = try await users()
    #expect(users.hasPrefix(#"{"title":"a","user":""}"#), "\(users)")
    #expect(users.hasSuffix(#"{"title":"new","user":""}"# + "\n" + #"{"title":"none"}"# + "\n"), "\(users)")
  }

  @Test("in tsv an empty cell and \\N change nothing, and an empty cell of a new record is an empty text") func tsv()
    async throws
  {
    let before = try await users()
    let file = try servers.home.write("title\tuser\torder\na\t\t1\nb\t\\N\t\\N\nnew\t\t9\n", to: "t.tsv")
    let run = try await run("import kempty \(file) --key title")
    #expect(run.status == 0 && run.output.contains("1 created"), "\(run.output) \(run.errors)")
    #expect(try await users() == before + #"{"title":"new","user":""}"# + "\n")
  }

  @Test("what the command or the mapping sets to null is cleared, whatever the cells say") func constants() async throws
  {
    let file = try servers.home.write("title,user\na,\n", to: "t.csv")
    for option in ["user:=null", "--map user=null"] {
      _ = try await run("update kempty 0 user=ana")
      let changed = try await run("import kempty \(file) --key title \(option)")
      #expect(
        changed.status == 0 && changed.output.contains("1 updated"), "\(option): \(changed.output) \(changed.errors)")
      #expect(try await !users().contains("ana"), "\(option)")
    }
  }

  @Test(
    "the separator is that of the header line outside quotes, or the one that the command names",
    arguments: [
      ("title;order;user\r\n\"p;q\";70;\"a,b\"\r\n", ""), ("title\torder\tuser\n\"p;q\"\t70\ta,b\n", ""),
      ("\n\"title\",order,\"user\"\np;q,70,\"a,b\"\n", ""), ("title;order;user\n\"p;q\";70;a,b", ""),
      ("sep=;\r\ntitle;order;user\r\n\"p;q\";70;a,b\r\n", ""),
      ("title|order|user\np;q|70|a,b\n", " --separator '|'"),
      ("title;order;user\n\"p;q\";70;a,b\n", " --separator ';'"),
      ("title\torder\tuser\np;q\t70\ta,b\n", " --separator tab"),
    ])
  func separators(text: String, option: String) async throws {
    let file = try servers.home.write(text, to: "t.csv")
    try await run("import kempty \(file)\(option)").succeeded(printing: "1 created\n")
    let there = try await run("list kempty order=70 --fields title,user -o ndjson")
    #expect(there.output == #"{"title":"p;q","user":"a,b"}"# + "\n", "\(there.output) \(there.errors)")
    try await run("import kempty \(file) --key title\(option)").succeeded(printing: "kempty/todos: 1 unchanged\n")
    let given = try servers.home.write(text.replacing("order", with: "id").replacing("70", with: "0"), to: "ids.csv")
    try await run("update kempty --from \(given)\(option)").succeeded()
    #expect(try await run("list kempty id=0 --fields title,user -o ndjson").output == there.output)
  }

  @Test("what is in quotes, and what is not the separator that the command names, separates nothing") func oneColumn()
    async throws
  {
    let quoted = try servers.home.write("\"title;user\"\nx\n", to: "quoted.csv")
    try await run("import kempty \(quoted)").failed(2, saying: "unknown field \"title;user\"")
    let plain = try servers.home.write("title;user\nx;y\n", to: "plain.csv")
    try await run("import kempty \(plain) --separator ,").failed(2, saying: "unknown field \"title;user\"")
  }

  @Test("TRUE and FALSE are booleans in any case, and other words are not") func booleans() async throws {
    let file = try servers.home.write("id,completed\n0,TRUE\n1,False\n2,true\n", to: "t.csv")
    try await run("update kempty --from \(file)").succeeded()
    let done = "list kempty completed=true --sort order --fields title -o ndjson"
    #expect(try await run(done).output == "{\"title\":\"a\"}\n{\"title\":\"c\"}\n")
    let rows = try servers.home.write("title,completed\na,FALSE\nb,TRUE\n", to: "rows.csv")
    try await run("import kempty \(rows) --key title").succeeded(printing: "2 updated\n")
    #expect(try await run(done).output == "{\"title\":\"b\"}\n{\"title\":\"c\"}\n")
    let wrong = try servers.home.write("title,completed\na,YES\n", to: "wrong.csv")
    try await run("import kempty \(wrong) --key title").failed(2, saying: "completed is a boolean, and \"YES\" is not")
  }

  @Test func `a cell of the wrong type is told without the signs of the command line, and so is what is left of it`()
    async throws
  {
    let file = try servers.home.write("title,order\na,many\nb,3\n", to: "kind.csv")
    let run = try await run("import kempty \(file) --key title --skip-bad --rejects left.csv")
    let left = try String(contentsOfFile: servers.home.folder.path + "/left.csv", encoding: .utf8)
    #expect(run.errors.contains("order is an integer, and \"many\" is not") && !run.errors.contains(":="))
    #expect(left.contains("order is an integer") && !left.contains(":="), "\(left)")
  }

  @Test(
    "UTF-16 is named, with the way to convert it, whatever reads it",
    arguments: ["import kempty FILE --input csv", "import kempty FILE --input ndjson", "update kempty --from FILE"])
  func wide(command: String) async throws {
    let file = servers.home.folder.appending(path: "wide")
    let marks: [(mark: [UInt8], isLittle: Bool, name: String)] = [
      ([0xFF, 0xFE], true, "UTF-16"), ([0xFE, 0xFF], false, "UTF-16"), ([], true, "UTF-16LE"), ([], false, "UTF-16BE"),
    ]
    for (mark, isLittle, name) in marks {
      let units = "title,order\na,1\n".utf16.flatMap { unit in
        isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
      try Data(mark + units).write(to: file)
      try await run(command.replacing("FILE", with: file.path))
        .failed(2, saying: "is UTF-16, not UTF-8", "hint: iconv -f \(name) -t UTF-8 converts it")
    }
  }

  @Test("diff and sync take a table as their source by the same rule") func source() async throws {
    let file = try await saved()
    _ = try await run("update kempty 1 user=zoe")
    let before = try await users()
    let left = "2 empty cells ignored (--empty-clears clears them)"
    let same = try await run("diff --from \(file) kempty --key title --exit-code -o ndjson").succeeded(printing: "")
    #expect(same.errors.contains(left), "\(same.errors)")
    let cleared = try await run("diff --from \(file) kempty --key title --empty-clears -o ndjson")
    #expect(cleared.output.contains(#""kempty/todos":"zoe""#), "\(cleared.output) \(cleared.errors)")
    let sync = try await run("sync --from \(file) kempty --key title")
    #expect((sync.status, sync.output) == (0, "kempty/todos: 3 unchanged, \(left)\n"), "\(sync.errors)")
    #expect(try await users() == before)
    let rest = try servers.home.write("title,order\na,1\nd,4\n", to: "rest.csv")
    let deletes = try await run(
      "sync --from \(rest) kempty --key title --delete --max-delete 100% --yes", "count kempty")
    #expect(deletes.status == 0 && deletes.output.hasSuffix("\n2\n"), "\(deletes.output) \(deletes.errors)")
    let empty = try servers.home.write("title\n", to: "empty.csv")
    try await run("sync --from \(empty) kempty --key title --delete --yes").failed(1, saying: "has no record")
    let both = try await run("diff --from \(file) k kempty --key title")
    #expect(both.status == 2, "\(both.output) \(both.errors)")
  }

  @Test("update --from leaves the fields of empty cells alone, too") func update() async throws {
    let file = try servers.home.write("id,user,order\n0,,7\n", to: "t.csv")
    let run = try await run("update kempty --from \(file) --quiet")
    #expect(run.status == 0 && run.errors.contains("1 empty cell ignored"), "\(run.output) \(run.errors)")
    #expect(try await users().contains("ana"))
    try await self.run("update kempty --from \(file) --empty-clears --quiet").succeeded()
    #expect(try await !users().contains("ana"))
  }

  @Test("a row of nothing but empty cells changes nothing, and the others are written") func emptyRow() async throws {
    try await run("create kempty title=one order=50", "create kempty title=two order=51").succeeded()
    let listed = try await run("list kempty --where \"order in (50, 51)\" -o id")
    let ids = listed.output.split(separator: "\n")
    try #require(ids.count == 2, "\(listed.output) \(listed.errors)")
    let file = try servers.home.write("id,title,order\n\(ids[0]),,\n\(ids[1]),,52\n", to: "rows.csv")
    try await run("update kempty --from \(file) --yes").succeeded()
    #expect(try await run("count kempty order=52").output == "1\n")
    let none = try servers.home.write("id,title,order\n\(ids[0]),,\n", to: "none.csv")
    let nothing = try await run("update kempty --from \(none) --yes")
    #expect(nothing.status == 0 && nothing.errors.contains("nothing to change"), "\(nothing.errors)")
  }

  @Test(
    "the options of tables are refused for other input",
    arguments: [
      ("import kempty FILE --empty-clears", "--empty-clears is for csv and tsv"),
      ("import kempty FILE --csv-safe", "--csv-safe is for csv and tsv"),
      ("update kempty --from FILE --empty-clears", "--empty-clears is for csv and tsv"),
      ("update kempty 0 order=1 --empty-clears", "--empty-clears requires --from"),
      ("import kempty FILE --separator ,", "--separator is for csv and tsv, not ndjson"),
      ("import kempty FILE --input tsv --separator ,", "--separator is for csv, not tsv"),
      ("import kempty FILE --input csv --separator x", "--separator is tab, ;, , or |, not \"x\""),
      ("sync k kempty --key title --empty-clears", "--empty-clears requires --from"),
      ("diff --from FILE kempty --key title --where order=1", "--where selects records of a resource"),
    ])
  func options(command: String, says: String) async throws {
    let file = try servers.home.write(#"{"title":"a","id":0}"# + "\n", to: "t.ndjson")
    try await run(command.replacing("FILE", with: file)).failed(2, saying: says)
  }

  /// Texts of signs, apostrophes and line ends: the same in every run.
  static let texts: [String] = {
    let pieces = ["'", "=", "+", "-", "@", "\t", "\n", "\r", "＝", "＋", "－", "＠", "a", "\u{301}", " ", ",", "\"", "1+1"]
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    return (0..<150).map { _ in (0...next(4)).map { _ in pieces[next(pieces.count)] }.joined() }
  }()

  @Test("what export --csv-safe writes runs in no spreadsheet and is read back as it was", arguments: ["csv", "tsv"])
  func safe(format: String) async throws {
    let rows = try Self.texts.enumerated().map { place, text in
      String(decoding: try JSONSerialization.data(withJSONObject: ["title": text, "order": place]), as: UTF8.self)
    }
    let input = try servers.home.write(rows.joined(separator: "\n"), to: "rows.ndjson")
    let file = servers.home.folder.path + "/safe.\(format)"
    let list = "list kempty --all --sort order --fields title -o ndjson"
    try await run(
      "delete kempty --all --yes --quiet", "import kempty \(input) --quiet",
      "export kempty --csv-safe --sort order --to \(file)"
    ).succeeded()
    let before = try await run(list).output
    let titles = try before.jsonLines().map { $0["title"] as? String ?? "" }
    #expect(titles.map { Array($0.utf8) } == Self.texts.map { Array($0.utf8) })
    let marked = try String(contentsOfFile: file, encoding: .utf8)
    // The title is the second cell of a row, behind the identifier.
    let formula =
      format == "csv"
      ? /(?:^|\n)[0-9]+,"?[=+\-@＝＋－＠\t\r\n]/.matchingSemantics(.unicodeScalar)
      : /(?:^|\n)[0-9]+\t"?[=+\-@＝＋－＠]/.matchingSemantics(.unicodeScalar)
    #expect(!marked.contains(formula) && marked.contains("'＝"), "\(marked)")
    let again = try await run(
      "delete kempty --all --yes --quiet", "import kempty \(file) --csv-safe --quiet", list
    ).succeeded()
    #expect(again.output.hasSuffix(before) && again.output.utf8.suffix(before.utf8.count).elementsEqual(before.utf8))
  }
}

/// A service that clears fields by an empty text: it does not tell one from no value.
@Suite("Tables for services that clear by an empty text") struct EmptyTextServiceTests {
  @Test("an empty text over no value, and a cleared field over an empty text, are no change") func same() async throws {
    let service = try await ProofService()
    let home = try ConsoleRun.Home(
      [DescribedBackend("e", "\(service.address)/whole", by: "emptied")],
      describing: [
        "emptied": """
        preset: plain
        identifier: {type: integer}
        page: {style: none}
        update: {method: PATCH, clear: emptyText}
        resources:
          items:
            fields:
              id: {type: integer, readOnly: true}
              title: text
              state: text
              rank: integer
              note: text
        """
      ])
    try await home.run(commands: "update e/items 1 state=").succeeded()
    // The service keeps the empty text by which a field is cleared.
    try await home.run(commands: "update e/items 2 --unset state").succeeded(printing: "updated items/2: state\n")
    let writes = try service.writes().count
    let file = try home.write("rank,state,note\n1,,\"\"\n", to: "t.csv")
    let diff = try await home.run(commands: "diff --from \(file) e/items --key rank --where rank=1")
    #expect(diff.status == 2)
    let imported = try await home.run(commands: "import e/items \(file) --key rank --empty-clears")
    #expect(
      (imported.status, imported.output) == (0, "e/items: 1 unchanged\n"), "\(imported.output) \(imported.errors)")
    #expect(try service.writes().count == writes)
  }
}
