import BackendKit
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSystem

@Suite("Reading a command") struct CommandReadingTests {
  private func read(_ line: String) throws -> CommandReading {
    let words = try LineLexer.words(in: line)
    return CommandReading(words.dropFirst(), of: try CommandTable.command(named: words[0]))
  }

  private func complaint(_ line: String, isNamed: Bool? = nil) throws -> UsageError? {
    let command = try CommandTable.command(named: String(line.prefix { $0 != " " }))
    return command.complaint(about: try read(line).bound { _, _ in isNamed })
  }

  @Test("An option whose value is missing does not take the option after it for one") func missingValue() throws {
    let reading = try read("list --sort --all todolist")
    #expect(reading.options.map(\.syntax.name) == ["sort", "all"])
    #expect(reading.options.map(\.value) == [nil, nil] && reading.awaited == nil)
    #expect(reading.words.map(\.text) == ["todolist"])
    #expect(reading.mistake == UsageError("--sort needs a value", hint: "write --sort KEYS"))
    #expect(try read("list todolist --sort").awaited?.name == "sort")
    #expect(try read("list --to --all").bound { _, _ in true }.files.isEmpty)
  }

  @Test("Completion offers no option again that stands where a value is missing") func offered() throws {
    let words = try LineLexer.words(in: "list --sort --all")
    let place = CommandPlace(words, PartialWord(raw: "--", start: 18)) { _, _ in false }
    #expect(!place.options.contains { $0.name == "all" || $0.name == "sort" })
    #expect(place.options.contains { $0.name == "limit" })
  }

  @Test("A wrong line is read to its end, and its first mistake is kept") func mistakes() throws {
    let reading = try read("list --nope x --all --all --limit 3")
    #expect(reading.mistake?.message == "unknown option --nope")
    #expect(reading.options.map(\.syntax.name) == ["all", "all", "limit"])
    #expect(reading.words.map(\.text) == ["x"])
  }

  @Test("Every command refuses a word that begins with another dash, and names the spelling with hyphens")
  func dashes() throws {
    let dashes = ["–", "—", "−", "‒", "―", "‐", "‑", "﹣", "－", "——", "−−", "—-"]
    for command in CommandTable.commands where !command.arguments.contains(where: { $0.kind == .line }) {
      for (dash, place) in zip(dashes, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]) {
        var words = ["a/b", "1", "t=—x"].map { Word(text: $0, isQuoted: false, column: 1) }
        words.insert(Word(text: dash + "yes", isQuoted: false, column: 7), at: place)
        let reading = CommandReading(words[...], of: command)
        let mistake = try #require(reading.mistake, "\(command.name) \(dash)")
        #expect(mistake.column == 7 && mistake.message.contains("instead of a hyphen"), "\(mistake)")
        if command.allOptions.contains(where: { $0.name == "yes" }) {
          #expect(mistake.hint?.hasPrefix("write --yes;") == true, "\(mistake)")
        }
      }
    }
  }

  @Test(
    "A sign that only looks like one of the language is named with what to write",
    arguments: [
      ("update 1 —dry-run t=x", "U+2014 (em dash) instead of a hyphen", "--dry-run"),
      ("delete 1 –y", "U+2013 (en dash)", "-y"), ("delete 1 —all=3", "\"—all\" begins", "--all"),
      ("get −5", "U+2212 (minus sign)", "-5"), ("update 1 — t=x", "em dash", "--;"),
      ("list —srot id", "em dash", "--sort"), ("list --sort –id", "en dash", "-id"),
      ("list --sort —all", "em dash", "--all"), ("sql —dry-run DELETE FROM a", "em dash", "--dry-run"),
      ("list “a b”", "U+201C (left double quotation mark)", "\""), ("count ‘x’", "U+2018", "\""),
      ("explain —x list", "em dash", "--x"), ("list —help", "em dash", "--help"),
      ("login b —password x", "em dash", "--password"),
    ])
  func lookAlikes(line: String, message: String, spelling: String) throws {
    let mistake = try #require(try read(line).mistake)
    #expect(mistake.message.contains(message), "\(mistake)")
    #expect(mistake.hint?.hasPrefix("write \(spelling)") == true, "\(mistake)")
    #expect(mistake.column != nil)
  }

  @Test("Words that a shell took apart are judged by their beginning, and by a blank that separates nothing")
  func shellWords() {
    func mistake(_ text: String) -> UsageError? { Word(text: text, isQuoted: false, column: 1).lookAlike() }
    let wrong = [
      "1\u{A0}--dry-run", "t=x\u{A0}--dry-run", "t=x\u{202F}—yes", "\u{200B}--yes", "\u{FEFF}list", "a\u{3000}b", "“x",
    ]
    for text in wrong { #expect(mistake(text) != nil, "\(text)") }
    for text in [
      "t=—x", "t=“x”", "t=10\u{A0}€", "a—b", "Größe=ä", "it’s", "t>=–5", "-5", "日本", "t=x—",
      "SELECT 'a\u{A0}b'",
    ] {
      #expect(mistake(text) == nil, "\(text)")
    }
  }

  @Test("In quotes, after -- and from a variable such a sign is text", arguments: ["—yes", "“x”", "–", "x\u{A0}y"])
  func quoted(text: String) throws {
    for line in ["get '\(text)'", "get -- '\(text)'", "update 1 'a=\(text)'", "list --search='\(text)'"] {
      #expect(try read(line).mistake == nil, "\(line)")
    }
    var word = Word(text: text, isQuoted: false, column: 1)
    #expect(CommandReading([Word(text: "--", isQuoted: false, column: 1), word], of: .get).mistake == nil)
    word.insertions = [Word.Insertion(range: 0..<text.utf8.count, value: .string(text))]
    #expect(CommandReading([word], of: .get).mistake == nil)
  }

  @Test func `Each command is found by its own name`() {
    let names = CommandTable.commands.map(\.name)
    #expect(names.map { CommandTable.command(spelled: $0)?.name } == names && Set(names).count == names.count)
  }

  @Test("A command whose name begins with another dash or a quote is none, and says so")
  func verbs() throws {
    for (text, message) in [("—list", "em dash"), ("“list”", "left double quotation mark")] {
      let error = #expect(throws: UsageError.self) {
        try CommandTable.command(named: Word(text: text, isQuoted: false, column: 3))
      }
      #expect(error?.message.contains(message) == true && error?.column == 3)
    }
  }

  @Test(
    "A number outside the limits of its option, or a word that is none of it, is a mistake of the line",
    arguments: [
      ("list --limit x --nope", "--limit takes a whole number of at least 0, not \"x\""),
      ("list --per-page 0", "--per-page takes a whole number of at least 1, not \"0\""),
      ("update 1 a=b --max-scan=-1", "--max-scan takes a whole number of at least 0, not \"-1\""),
      ("conformance --list --rate 0", "--rate takes a whole number of at least 1, not \"0\""),
      ("export --limit 99999999999", "--limit must be at most 2147483647, not 99999999999"),
      ("update 1 a=b --jobs 65", "--jobs must be at most 64, not 65"),
      ("undo --entry 0", "--entry takes a whole number of at least 1, not \"0\""),
      ("import f.csv --key a --on-conflict x", "--on-conflict is update, skip or fail, not \"x\""),
      ("stats order --plot --by week", "--by is day, month or year, not \"week\""),
    ])
  func limits(line: String, message: String) throws {
    #expect(try read(line).mistake?.message == message)
  }

  @Test("A number that a row takes is read by the row") func numbers() throws {
    #expect(try complaint("undo 0")?.message == "undo takes a whole number of at least 1, not \"0\"")
    #expect(try complaint("undo 1 2")?.message == "undo takes one number, not \"2\" too")
    #expect(try complaint("page x")?.message == "page takes a whole number of at least 1, not \"x\"")
    #expect(try Invocation(try read("undo 12 --yes")).counts() == [12])
    #expect(try Invocation(try read("undo --yes")).counts() == [])
  }

  @Test("What stands after -- is literal, wherever a command takes words off") func literal() throws {
    let words = try Invocation(try read("explain list -- todolist")).words
    #expect(words.map(\.isLiteral) == [false, true])
    let kinds = try read("list -- todolist").bound { _, _ in true }.arguments.map(\.kind)
    #expect(kinds == [.predicate])
  }

  @Test("All from a command within on is left to that command") func line() throws {
    let planned = try read("plan --to p -- update 1 --unset title")
    #expect(planned.line?.map(\.text) == ["update", "1", "--unset", "title"] && planned.mistake == nil)
    #expect(planned.line?.contains(where: \.isLiteral) == false)
    let watched = try read("watch 2 --all list")
    #expect(watched.words.map(\.text) == ["2"] && watched.line?.map(\.text) == ["--all", "list"])
    #expect(try read("watch").line == nil)
    #expect(try read("watch 2").line?.isEmpty == true)
  }

  @Test("A form of its own is chosen by its word, but not by one in quotes or after --") func forms() throws {
    func kinds(_ line: String) throws -> [WordKind?] { try read(line).bound { _, _ in false }.arguments.map(\.kind) }
    let conditions = try kinds("journal outcome=done 3")
    #expect(try kinds("journal show 3") == [.oneOf(["show"]), JournalEntry.place])
    #expect(try kinds("journal 'show' 3") == conditions)
    #expect(try kinds("journal -- show 3") == conditions)
    #expect(try kinds("tee off") == [.oneOf(["off"])])
    #expect(try kinds("tee notes") == [.file(.written)])
  }

  @Test(
    "A word too many or too few is reported by the command's row",
    arguments: [
      ("next", nil), ("next 2", "next takes no argument, not \"2\""),
      ("about x", "about takes no argument, not \"x\""),
      ("use", "use needs a target (use TARGET)"), ("use a b", "use takes one target, not \"b\" too (use TARGET)"),
      ("set output", "set needs a name and a value (set NAME VALUE)"),
      ("set a b c", "set takes a name and a value, not \"c\" too (set NAME VALUE)"),
      ("open 1 2", "open takes one number or field, not \"2\" too (open [N|FIELD])"),
      ("add", "add needs an address (add ADDRESS [NAME])"),
      ("add a b c", "add takes an address and optionally a name, not \"c\" too (add ADDRESS [NAME])"),
      (
        "backends add a b c",
        "backends add takes an address and optionally a name, not \"c\" too (backends add ADDRESS [NAME])"
      ),
      ("backends check", "backends check needs a target (backends check TARGET)"),
      ("journal show", "journal show needs a number (journal show N)"), ("journal check 1 2 3", nil),
      ("history clear now", "history clear takes no argument, not \"now\""),
      ("history a b", "history takes one text, not \"b\" too (history [TEXT] | clear)"),
      ("config", "config needs trust or migrate (config trust | migrate FILE)"),
      ("config foo", "config needs trust or migrate (config trust | migrate FILE)"),
      ("config migrate", "config migrate needs a file (config migrate FILE)"),
      ("completion tcsh", "completion needs bash, zsh or fish"), ("completion", "completion needs bash, zsh or fish"),
      ("explain", "explain needs list or sql (explain list [TARGET] [PREDICATE ...] | sql STATEMENT)"),
      ("explain list a b", nil),
      ("watch", "watch needs a number of seconds (watch SECONDS [LINE])"), ("watch 2", nil), ("plan", nil),
      ("journal show x", "journal show takes a whole number of at least 1, not \"x\""),
      ("journal dismiss", "journal dismiss needs a number (journal dismiss N ... | dismiss --all)"),
      ("journal dismiss 3 --all", "\"3\" cannot be combined with --all (journal dismiss --all)"),
      ("copy a", "copy needs a source and a target (copy SOURCE TARGET [FIELD=VALUE ...])"),
      ("copy a title=x", "copy needs a source and a target (copy SOURCE TARGET [FIELD=VALUE ...])"),
      (
        "sync a b",
        "sync needs --key FIELDS (sync SOURCE TARGET --key FIELDS [FIELD=VALUE ...]"
          + " | --from FILE TARGET --key FIELDS [FIELD=VALUE ...])"
      ),
      ("sync --from f --key a b", nil),
      ("diff --from f --key a b", nil),
      ("import", "import needs a file (import [TARGET] FILE [FIELD=VALUE ...])"),
      ("import a=b", "import needs a file (import [TARGET] FILE [FIELD=VALUE ...])"), ("import f.csv a=b", nil),
      // A resource that is one record has no identifier, and its fields may be asked for.
      ("get", nil), ("create", nil), ("update", nil), ("call", nil), ("diff a b c d", nil),
      // A script's parser takes these before anything looks for a command.
      ("try x", nil), ("exit 1 2", nil),
    ] as [(String, String?)])
  func counted(line: String, expected: String?) throws {
    #expect(try complaint(line).map { $0.message + ($0.hint.map { " (\($0))" } ?? "") } == expected)
  }

  @Test(
    "What a word stands for follows from the words after it and from the options",
    arguments: [
      ("import todos.csv", "FILE"), ("import todos.csv a=b", "FILE FIELD=VALUE"),
      ("import it todos.csv", "TARGET FILE"),
      ("import it todos.csv a=b", "TARGET FILE FIELD=VALUE"), ("import -- -", "FILE"),
      ("update it 5 a=b", "TARGET ID FIELD=VALUE"), ("update it 5 6 a=b c:=1", "TARGET ID ID FIELD=VALUE FIELD=VALUE"),
      // A word without an operator is taken for a change that is misspelled, but for the first.
      ("update it 5 done", "TARGET ID FIELD=VALUE"), ("update it a=b", "TARGET FIELD=VALUE"),
      ("update it 'a=b' c=d", "TARGET ID FIELD=VALUE"), ("update it -- a=b c=d", "TARGET ID FIELD=VALUE"),
      ("update it 5 6 --unset a", "TARGET ID ID"), ("update it 5 --unset a -- b=c", "TARGET ID ID"),
      ("update it 5 b=c --unset a", "TARGET ID FIELD=VALUE"), ("update it a=b --where x", "TARGET FIELD=VALUE"),
      ("update it 5 a=b --where x", "TARGET - FIELD=VALUE"), ("update it 5 a=b --search x", "TARGET - FIELD=VALUE"),
      ("delete it 5 --all", "TARGET -"), ("delete it a=b --where x", "TARGET PREDICATE"),
      ("get it 5 --from f", "TARGET -"),
      ("wait it 5 a=b", "TARGET ID PREDICATE"), ("wait it a=b", "TARGET PREDICATE"),
      ("wait it a=b --count 3", "TARGET PREDICATE"), ("wait it 5 --where x", "TARGET ID"),
      ("wait --job /jobs/1 it", "TARGET"), ("wait --job /jobs/1 it 5", "TARGET -"),
      ("call it close 5 a=b", "TARGET ACTION ID FIELD=VALUE"), ("call it close a=b", "TARGET ACTION FIELD=VALUE"),
      ("diff a b --key c", "TARGET TARGET"), ("diff a b d=e --key c", "TARGET TARGET FIELD=VALUE"),
      ("diff it 1 2", "TARGET ID ID"), ("diff --from f it --key c", "TARGET"),
      ("copy a b c=d", "TARGET TARGET FIELD=VALUE"),
    ])
  func meaning(line: String, kinds: String) throws {
    let reading = try read(line).bound { _, word in word.text == "it" }
    #expect(reading.isBound && reading.arguments.map { $0.kind?.name ?? "-" }.joined(separator: " ") == kinds)
  }

  @Test("What records without identifiers are given is a change") func unidentified() throws {
    let words = try Invocation(try read("update it 5 done a=b").bound { _, _ in true })
    #expect(words.words(.identifier).map(\.text) == ["5", "done"])
    let others = try words.withoutIdentifiers()
    #expect(others.words(.assignment).map(\.text) == ["5", "done", "a=b"] && others.word(.target)?.text == "it")
  }

  @Test("While a line is typed, more words and options may follow") func typed() throws {
    func next(_ line: String) throws -> [WordKind] {
      CommandPlace(try LineLexer.words(in: line), PartialWord(raw: "", start: 0)) { $1.text == "it" }.kinds
    }
    #expect(try next("import it") == [.file(.input)])
    #expect(try next("import todos.csv") == [.assignment])
    #expect(try next("update it 5 6") == [.identifier, .assignment])
    #expect(try next("diff it") == [.target])
    #expect(try next("diff it --from f --key a") == [.assignment])
    #expect(try next("wait --count 1 it") == [.predicate])
  }

  @Test("Words after a target or a backend are judged once it is known whether the first word names it")
  func unbound() throws {
    #expect(try complaint("login ana") == nil)
    #expect(try complaint("login baasic ana hunter2") == nil)
    #expect(
      try complaint("login baasic ana hunter2", isNamed: true)?.message
        == "login takes at most a backend and a user name")
    #expect(try complaint("login baasic", isNamed: true) == nil)
    #expect(try complaint("login ana", isNamed: false) == nil)
    #expect(try complaint("whoami a b", isNamed: true)?.message == "whoami takes one backend, not \"b\" too")
  }
}
