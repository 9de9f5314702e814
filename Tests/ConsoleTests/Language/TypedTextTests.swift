import Testing

@testable import CommandLanguage
@testable import Console

@Suite("Typed text") struct TypedTextTests {
  @Test(
    "Rows become statements; a quote, a bracket and a backslash reach over a line end",
    arguments: [
      ("", [], false), ("list", ["list"], false), ("list\nget 1", ["list", "get 1"], false),
      ("list\r\nget 1\r\n", ["list", "get 1"], false), ("\n # x 'y\n\nlist\n", ["list"], false),
      ("create t='a\nb'", ["create t='a\nb'"], false), ("create t='a", ["create t='a"], true),
      ("create t=\"a\n\nb\" u=1\nlist", ["create t=\"a\n\nb\" u=1", "list"], false),
      ("create m:={\n\"a\": [1,\n2]}", ["create m:={\n\"a\": [1,\n2]}"], false),
      ("create m:={\n\"a\": [1,", ["create m:={\n\"a\": [1,"], true), ("create m:=[\"]", ["create m:=[\"]"], true),
      ("list \\\n--all", ["list --all"], false), ("list \\", ["list "], true), ("list \\\\", ["list \\\\"], false),
      ("list # it's", ["list # it's"], false), ("get \"\\q\"\nlist", ["get \"\\q\"", "list"], false),
      ("create t='# a\n# b'", ["create t='# a\n# b'"], false), ("say it\\'s\nlist", ["say it\\'s", "list"], false),
      ("where x={", ["where x={"], false),
    ] as [(String, [String], Bool)])
  func statements(text: String, statements: [String], isOpen: Bool) {
    let typed = TypedText(text)
    #expect(typed.statements == statements)
    #expect(typed.isOpen == isOpen)
  }

  @Test(
    "Rows of which none is open are the statements that they are in a script",
    arguments: [
      "list\nget 1\n", "a \\\n  b\nc", "a\\\\\\\nb\n# x \\\nlist", "a \\\n# b\nc", "get 'a b' \"c\\\"\"\n\n  x",
    ])
  func asInScript(text: String) throws {
    var reader = StatementReader()
    try reader.feed(text.utf8)
    reader.finish()
    var statements: [String] = []
    while let statement = try reader.next() { statements.append(statement.text) }
    #expect(TypedText(text).statements == statements)
  }

  @Test("A newline within a quote belongs to the value") func value() throws {
    let statement = try #require(TypedText("create title='a\n  b'").statements.first)
    #expect(try LineLexer.words(in: statement).map(\.text) == ["create", "title=a\n  b"])
  }

  @Test("Ten thousand rows are taken apart in time", .timeLimit(.minutes(10))) func long() {
    let text = String(repeating: "update 17 title='a b' body:={\"x\": [1, 2]}\n", count: 10_000)
    #expect(TypedText(text).statements.count == 10_000)
  }
}
