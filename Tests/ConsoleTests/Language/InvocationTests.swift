import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSystem

@Suite("Invocation")
struct InvocationTests {
  private static let options = [
    OptionSyntax("sort", value: .sortKeys, help: "sort by a field", isRepeatable: true),
    OptionSyntax("output", value: .format, help: "print in this format", short: "o"),
    OptionSyntax("all", help: "list all pages"), OptionSyntax("per-page", value: .number, help: "records per page"),
  ]

  private func read(_ line: String) throws -> Invocation {
    try Invocation(CommandReading(LineLexer.words(in: line)[...], [], Self.options))
  }

  private func failure(_ line: String) -> UsageError? {
    #expect(throws: UsageError.self) { _ = try read(line) }
    do { _ = try read(line) } catch { return error as? UsageError }
    return nil
  }

  @Test("Options are taken apart from the words wherever they stand")
  func options() throws {
    let invocation = try read("todos --sort -title a=1 --per-page=5 --all --sort id -o json 7")
    #expect(invocation.words.map(\.text) == ["todos", "a=1", "7"])
    #expect(invocation.values(of: "sort") == ["-title", "id"])
    #expect(invocation.value(of: "sort") == "id")
    #expect(invocation.value(of: "per-page") == "5")
    #expect(invocation.value(of: "output") == "json")
    #expect(invocation.has("all"))
    #expect(!invocation.has("output-x"))
  }

  @Test("The values of several options keep their order")
  func order() throws {
    let given = try read("-o a --sort b --all --sort=d").reading.options
    #expect(given.map(\.syntax.name) == ["output", "sort", "all", "sort"])
    #expect(given.map(\.value?.text) == ["a", "b", nil, "d"])
  }

  @Test("An unknown option suggests one that is alike but for its dashes, else how to see them all")
  func unknown() throws {
    #expect(failure("--per-pgae 3")?.hint == "did you mean --per-page?")
    #expect(failure("-per-page 3")?.hint == "did you mean --per-page?")
    #expect(failure("-x")?.hint == "put a word that begins with - after --, or in quotes")
    let words = try LineLexer.words(in: "--help")
    let error = #expect(throws: UsageError.self) {
      try Invocation(CommandReading(words[...], [], Self.options, help: "help list"))
    }
    #expect(error?.hint == "help list shows the options; put a word that begins with - after --, or in quotes")
  }

  @Test("An equals sign gives a value, also an empty one or one with equals signs, quoted or not")
  func equals() throws {
    #expect(try read("--sort=").values(of: "sort") == [""])
    #expect(try read("--sort='a=b c' -o=csv").values(of: "sort") == ["a=b c"])
    #expect(try read("-o=csv").value(of: "output") == "csv")
    #expect(try read("--sort '--all'").value(of: "sort") == "--all")
  }

  @Test("What is quoted, a dash alone, a negative number and everything after -- are words")
  func positionals() throws {
    let invocation = try read(#"'--all' \-x - -5 x -- --sort todos --"#)
    #expect(invocation.words.map(\.text) == ["--all", "-x", "-", "-5", "x", "--sort", "todos", "--"])
    #expect(!invocation.has("all"))
    #expect(invocation.words.map(\.isLiteral) == [false, false, false, false, false, true, true, true])
    #expect(try read("a --").reading.isLiteral)
  }

  @Test(
    "Wrong options are told apart",
    arguments: [
      ("--srot id", UsageError("unknown option --srot", hint: "did you mean --sort?")),
      (
        "-zzzzzzz",
        UsageError("unknown option -zzzzzzz", hint: "put a word that begins with - after --, or in quotes")
      ),
      ("--all --all", UsageError("--all is given twice")),
      ("-o json --output csv", UsageError("--output is given twice")),
      ("--all=yes", UsageError("--all takes no value")),
      ("x --per-page", UsageError("--per-page needs a value", hint: "write --per-page N")),
      ("--per-page --all", UsageError("--per-page needs a value", hint: "write --per-page N")),
      ("-o --", UsageError("-o needs a value", hint: "write -o FORMAT")),
    ])
  func errors(line: String, expected: UsageError) {
    #expect(failure(line) == expected)
  }
}
