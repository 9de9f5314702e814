import BackendKit
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSetup

/// Tab completion, from the command table and from what is known.
@Suite("Completion") struct CompleterTests {
  /// Two backends: one with a resource, in use, and one with two.
  static let known: CompletionContext.State = {
    var state = CompletionContext.State()
    state.configurations = [
      BackendConfiguration(name: "intranet", plugin: "grails", url: "http://a"),
      BackendConfiguration(name: "lists", plugin: "other", url: "http://b"),
    ]
    state.current = Targets.Current(backend: "intranet")
    let news = ResourceDescription(
      name: "news", identifier: IdentifierRule(form: .integer),
      fields: [
        FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text, isRequired: true),
        FieldDescription("text", .html), FieldDescription("open", .boolean),
      ], capabilities: Capabilities(operations: []))
    func plain(_ name: String) -> ResourceDescription {
      ResourceDescription(
        name: name, identifier: IdentifierRule(form: .text), capabilities: Capabilities(operations: []))
    }
    state.descriptions["intranet"] = BackendDescription(resources: [news])
    state.descriptions["lists"] = BackendDescription(resources: [plain("todos"), plain("tags")])
    state.settings = [("output", "auto", "format"), ("perPage", "20", "records per page")]
    var seen = SeenIdentifiers()
    seen.add([record("7", "Moving day"), record("70", "it's \"quoted\"")], isSeen: true)
    state.identifiers["intranet/news"] = seen
    state.variables = ["row": ["id", "title", "count"], "last": ["id", "a field"], "limit": []]
    state.environment = ["HOME", "HOST", "LANG"]
    return state
  }()

  private static func record(_ id: String, _ title: String) -> Record {
    Record(id: RecordID(id), fields: Object([("id", .string(id)), ("title", .string(title))]))
  }

  private func texts(_ line: String) -> [String] {
    var completer = Completer(Self.known)
    return completer.complete(line).candidates.map(\.text)
  }

  /// The line after its only continuation was taken.
  private func taken(_ line: String) -> String? {
    var completer = Completer(Self.known)
    let completion = completer.complete(line)
    guard completion.candidates.count == 1 else { return nil }
    let head = String(String.UnicodeScalarView(line.unicodeScalars.prefix(completion.start)))
    return head + completion.candidates[0].text + completion.candidates[0].suffix
  }

  @Test("the words after backends are completed, and the backends after those") func backends() {
    #expect(texts("backends ") == ["check", "add", "edit", "remove"])
    #expect(texts("backends e") == ["edit"])
    #expect(texts("backends check ") == ["news", "intranet", "lists"])
    #expect(texts("backends check lists/t") == ["lists/todos", "lists/tags"])
    for word in ["edit", "remove"] {
      #expect(texts("backends \(word) ") == ["intranet", "lists"])
      #expect(texts("backends \(word) --yes l") == ["lists"])
    }
    #expect(texts("backends add ").isEmpty)
    #expect(texts("backends add http://127.0.0.1 --beare") == ["--bearer-env"])
    #expect(texts("backends remove lists ").isEmpty)
    #expect(texts("history ").contains("clear"))
  }

  @Test("a command within a statement is completed as it is elsewhere") func statements() {
    for head in ["capture rows = ", "for row in (", "expect (", "expect same (list) (", "if (", "if not (list) (", ""] {
      #expect(texts(head + "lis") == ["list"], "\(head)")
      #expect(texts(head + "get ").prefix(2) == ["7", "70"], "\(head)")
      #expect(texts(head + "list tit") == ["title"], "\(head)")
      #expect(texts(head + "list --so") == ["--sort"], "\(head)")
    }
    #expect(taken("for row in (lis") == "for row in (list ")
    #expect(taken("expect count news tit") == "expect count news title")
    #expect(texts("expect (count news) ").isEmpty)
    #expect(texts("if ") == ["count", "error", "header", "not", "same", "status"])
    #expect(texts("expect not st") == ["status"])
    #expect(texts("expect error not") == ["notFound"])
  }

  @Test("references to values are completed: variables, and their parts") func references() {
    #expect(taken("delete $ro") == "delete $row")
    #expect(taken("delete $row.ti") == "delete $row.title")
    #expect(taken("delete $lim") == "delete $limit")
    #expect(taken("create title=\"it is ${row.ti") == "create title=\"it is ${row.title}")
    #expect(taken("create title=\"$env.LA") == "create title=\"$env.LANG")
    #expect(texts("show $env.HO") == ["HOME", "HOST"])
    #expect(texts("show $") == ["last", "limit", "row", "env", "error"])
    #expect(texts("show $last[0].") == ["id"])
    #expect(texts("show $error.co") == ["code"])
    #expect(texts("show @l") == ["@last", "@limit"])
    #expect(texts("create title='$ro").isEmpty)
    #expect(texts("create title=\\$ro").isEmpty)
    #expect(texts("show $none.").isEmpty)
  }

  @Test("in a block the last statement is completed, with what those before it will set") func blocks() {
    let loop = "for note in (list news)\n"
    #expect(texts(loop + "  li") == ["list"])
    #expect(taken(loop + "  delete $no") == loop + "  delete $note")
    #expect(taken(loop + "  delete $note.ti") == loop + "  delete $note.title")
    #expect(texts("set @x 1\ncapture all = list --limit 3\nshow $").contains("x"))
    #expect(texts("try\n# $\n  create news title='a\nb' te") == ["text="])
    #expect(taken("try\n  create news title='two\nrows' \\\n te") == "try\n  create news title='two\nrows' \\\n text=")
    #expect(texts(loop).count == CommandTable.commands.count)
    #expect(texts("if count > 1\n  # li").isEmpty)
  }

  @Test("commands begin a line") func commands() {
    #expect(texts("li") == ["list"])
    #expect(taken("  expl") == "  explain ")
    #expect(texts("").count == CommandTable.commands.count)
    #expect(texts("nonsense ").isEmpty)
    #expect(texts("list # ").isEmpty)
  }

  @Test("a target is a resource, a backend, or a resource of a backend") func targets() {
    #expect(texts("use ") == ["news", "intranet", "lists"])
    #expect(texts("list lists/t") == ["lists/todos", "lists/tags"])
    #expect(taken("list lists/ta") == "list lists/tags ")
    #expect(texts("list other/").isEmpty)
  }

  @Test("conditions are a field, an operator of its kind, and a value") func conditions() {
    #expect(texts("list ti") == ["title"])
    #expect(taken("list ti") == "list title")
    #expect(texts("list open") == ["open=", "open!="])
    #expect(taken("list open=t") == "list open=true ")
    #expect(texts("list title").contains("title~"))
    #expect(texts("list lists/todos ti").isEmpty)
    #expect(taken("list title~x op") == "list title~x open")
  }

  @Test("an assignment offers what can be written") func assignments() {
    #expect(texts("create ") == ["news", "intranet", "lists", "title=", "text=", "open="])
    #expect(taken("update 7 open:=f") == "update 7 open:=false ")
    // A second record by its title; the identifier itself cannot be written.
    #expect(texts("update 7 i") == ["70"])
    #expect(texts("update 7 v").isEmpty)
  }

  @Test("identifiers come with their titles, those seen first") func identifiers() {
    var completer = Completer(Self.known)
    let found = completer.complete("get 7").candidates
    #expect(found.map(\.text) == ["7", "70"])
    #expect(found.map(\.note) == ["Moving day", "it's \"quoted\""])
    #expect(texts("get 7 70 ") == ["7", "70"])
    #expect(texts("delete -- 7") == ["7", "70"])
    #expect(texts("get ").prefix(2) == ["7", "70"])
  }

  @Test(
    "an identifier is written so that the line means it, whatever it looks like",
    arguments: [
      "--all", "-x", "--", "-", "$v", "${v}", "$last.id", "a|b", "|", "\"x", "'x", "it's", "a\"b'c", "a b", "a\\b",
      "\\",
      "news", "lists", "intranet/news", "a/b", "a=b", "title~x", "id>3", "a,b", "#x", "?", "!x", "(a", "a)", "@x", ">",
      "clear", "", "a\nb", "a\tb", "x\u{202E}y", "\u{1B}[2J", "a\u{200B}", "\u{2028}", "{\"a\":1}", "[1]", ";", "`id`",
    ])
  func anyIdentifier(id: String) throws {
    var state = Self.known
    var seen = SeenIdentifiers()
    seen.add([Self.record(id, "a title")], isSeen: true)
    state.identifiers["intranet/news"] = seen
    for line in ["get ", "get \"", "get '", "update ", "delete -- ", "get news ", "for r in (get ", "get 1 "] {
      var completer = Completer(state)
      let completion = completer.complete(line)
      let candidate = try #require(completion.candidates.first { $0.note == "a title" }, "\(line)")
      let written =
        String(String.UnicodeScalarView(line.unicodeScalars.prefix(completion.start))) + candidate.text
        + candidate.suffix
      #expect(EscapedText(written).text == written)
      let word = try #require(try LineLexer.words(in: written).last)
      #expect(word.text.unicodeScalars.elementsEqual(id.unicodeScalars) && word.references.isEmpty, "\(written)")
      #expect(line.contains("--") || !word.isOption, "\(written)")
      #expect(word.isQuoted || !Completer(state).isTarget(word.text), "\(written)")
      // Nor does what is half written mean something else.
      #expect(
        PartialLine(written.trimmingBlankEnd).last.text.unicodeScalars.elementsEqual(id.unicodeScalars), "\(written)")
      // The candidate beside it stays a target.
      if let target = completion.candidates.first(where: { $0.word == "lists" && $0.note != "a title" }),
        line == "get "
      {
        #expect(target.text == "lists")
      }
    }
  }

  @Test("options are offered once, with their values") func options() {
    #expect(texts("list --per") == ["--per-page"])
    #expect(taken("list --all --per") == "list --all --per-page ")
    #expect(!texts("list --all --").contains("--all"))
    #expect(taken("list -o nd") == "list -o ndjson ")
    #expect(taken("list --output=nd") == "list --output=ndjson ")
    #expect(texts("list --per-page ").isEmpty)
    #expect(taken("conformance --report ju") == "conformance --report junit ")
    #expect(texts("update 7 --unset te") == ["text"])
  }

  @Test("fields are listed with commas, each once; in a sort also reversed") func lists() {
    #expect(taken("list --sort -ti") == "list --sort -title ")
    #expect(texts("list --sort ") == ["id", "title", "text", "open", "-id", "-title", "-text", "-open"])
    #expect(texts("list --fields title,t") == ["text"])
    #expect(taken("list --fields title,te") == "list --fields title,text ")
  }

  @Test("an expression offers fields, operators and its words within its quotes") func expressions() {
    #expect(taken("list --where \"open=t") == "list --where \"open=true")
    #expect(texts("list --where \"open=true an") == ["and"])
    #expect(taken("list --where 'open=true or tit") == "list --where 'open=true or title")
  }

  @Test("settings are offered by name, then by value") func settings() {
    #expect(texts("set per") == ["perPage"])
    #expect(taken("set output nd") == "set output ndjson ")
    #expect(texts("set perPage ").isEmpty)
  }

  @Test("what is missing is named, to be found out") func missing() {
    var state = Self.known
    state.descriptions["lists"] = nil
    state.identifiers = [:]
    var completer = Completer(state)
    _ = completer.complete("list lists/")
    #expect(completer.missing == [.description("lists")])
    var other = Completer(state)
    _ = other.complete("get ")
    #expect(other.missing == [.records("intranet", ResourcePath(name: "news"))])
  }
}

extension String {
  /// Without the blank that stands after a whole word.
  fileprivate var trimmingBlankEnd: String { hasSuffix(" ") ? String(dropLast()) : self }
}
