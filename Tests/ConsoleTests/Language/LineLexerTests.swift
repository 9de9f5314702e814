import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Words of a line")
struct LineLexerTests {
  private func texts(_ line: String) throws -> [String] { try LineLexer.words(in: line).map(\.text) }

  private func message(_ line: String) -> String? {
    do throws(UsageError) {
      _ = try LineLexer.words(in: line)
      return nil
    } catch {
      return error.message
    }
  }

  @Test(
    "Lines become words",
    arguments: [
      ("", []), ("   \t ", []), ("# all comment", []), ("  list  todos ", ["list", "todos"]),
      ("get 3 # the third", ["get", "3"]), ("get a#b", ["get", "a#b"]), ("get '#x' \\#y", ["get", "#x", "#y"]),
      (#"create title="a b" 'c d'e"f""#, ["create", "title=a b", "c def"]),
      (#"a "" '' b"#, ["a", "", "", "b"]),
      (#"'a\n"b' "a\n\t\"\\\$b""#, [#"a\n"b"#, "a\n\t\"\\$b"]),
      (#""\u{1F600}\u{e9}" \ x a\ b"#, ["😀é", " x", "a b"]),
      ("list | sort > file", ["list", "|", "sort", ">", "file"]),
      ("日本 中=文\u{0}x", ["日本", "中=文\u{0}x"]), ("a\r", ["a"]),
    ] as [(String, [String])])
  func words(line: String, expected: [String]) throws {
    #expect(try texts(line) == expected)
  }

  @Test(
    "A blank that separates no words, and a curly quote that a value begins with, are named outside of quotes",
    arguments: [
      ("update 1\u{A0}--dry-run t=x", "U+00A0 (no-break space) does not separate words"),
      ("update 1 t=x\u{A0}--dry-run", "U+00A0 (no-break space) does not separate words"),
      ("list\u{202F}todos", "U+202F (narrow no-break space) does not separate words"),
      ("list\u{3000}todos", "U+3000 (ideographic space) does not separate words"),
      ("\u{FEFF}list", "U+FEFF (zero width no-break space) does not separate words"),
      ("create t=“x”", "\"“\" begins with U+201C (left double quotation mark), which does not quote"),
      ("list t!=‘x’", "\"‘\" begins with U+2018 (left single quotation mark), which does not quote"),
    ])
  func lookAlikes(line: String, expected: String) throws {
    #expect(message(line) == expected)
    let word = try #require(LineLexer.words(in: Quoting.word(line)).first)
    #expect(word.text == line, "quoted it is text")
  }

  @Test("Signs within a word that begin nothing are text") func innerSigns() throws {
    let line = "t=it’s u=a—b v=—x “x”"
    #expect(try texts(line) == ["t=it’s", "u=a—b", "v=—x", "“x”"])
  }

  @Test(
    "After := a value is JSON to the end of its brackets, quotes kept",
    arguments: [
      (#"u meta:={"a": [1, 2], "b": "x ] y"} n:=1"#, ["u", #"meta:={"a": [1, 2], "b": "x ] y"}"#, "n:=1"]),
      (#"t:="a \" b" c"#, [#"t:="a \" b""#, "c"]),
      (#"t:=["it's", '] x"#, [#"t:=["it's", ']"#, "x"]),
      (#"t:='{"a": 1}' x"#, [#"t:={"a": 1}"#, "x"]),
      (#"t:=@"my file.json" x"#, ["t:=@my file.json", "x"]),
      (#"t=a:="b c""#, ["t=a:=b c"]), (#":="b c""#, [":=b c"]),
      (#"t=\@me t:=\@me u=a\@b"#, [#"t=\@me"#, #"t:=\@me"#, "u=a@b"]),
    ] as [(String, [String])])
  func json(line: String, expected: [String]) throws {
    #expect(try texts(line) == expected)
  }

  @Test("Words know their column in characters and whether they were quoted")
  func marks() throws {
    let words = try LineLexer.words(in: #"日本  e\#u{301} x="1" '-a' \-b -c"#)
    #expect(words.map(\.column) == [1, 5, 7, 13, 18, 22])
    #expect(words.map(\.isQuoted) == [false, false, true, true, false, false])
    #expect(words.map(\.startsQuoted) == [false, false, false, true, true, false])
  }

  @Test(
    "What is not closed is named with its column",
    arguments: [
      ("get 'abc", "the quote ' at column 5 is not closed"),
      ("日本 a\"b", "the quote \" at column 5 is not closed"),
      (#"get "abc\""#, "the quote \" at column 5 is not closed"),
      ("set a:={[1]", "the bracket at column 8 is not closed"),
      (#"set a:=["x]"#, "the quote \" at column 9 is not closed"),
      ("get a\\", "the backslash at column 6 escapes no character"),
      (#"get "\q""#, "unknown escape in double quotes at column 6"),
      (#"get "\u{110000}""#, "invalid Unicode escape at column 6"),
      (#"get "\u{41""#, "invalid Unicode escape at column 6"),
      (#"get "\u"#, "invalid Unicode escape at column 6"),
    ])
  func unclosed(line: String, expected: String) {
    #expect(message(line) == expected)
  }

  @Test(
    "quotes after the first slash of a target enclose an identifier",
    arguments: [
      (#"r/repositories/"team/sub/app"/tags"#, "r/repositories/team%2Fsub%2Fapp/tags"),
      (#"r/users/'5%'/todos"#, "r/users/5%25/todos"), ("r/todos", "r/todos"), (#""r/todos""#, nil),
      (#"r"/todos""#, nil),
      (#"r/a/"b""#, "r/a/b"),
    ])
  func targets(line: String, expected: String?) throws {
    #expect(try LineLexer.words(in: line).first?.target == expected)
  }

  @Test("A megabyte is read in linear time", .timeLimit(.minutes(10)))
  func long() throws {
    let words = try LineLexer.words(in: String(repeating: "é\"x\" ", count: 200_000))
    #expect(words.count == 200_000)
    let last = try #require(words.last)
    #expect(last.text == "éx" && last.column == 999_996 && last.isQuoted && !last.startsQuoted)
  }
}
