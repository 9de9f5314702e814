import BackendClient
import BackendKit
import Testing

@testable import CommandLanguage
@testable import ConsoleSystem

@Suite("Assignments")
struct AssignmentsTests {
  private static let fields = [
    FieldDescription("title", .text), FieldDescription("completed", .boolean), FieldDescription("rank", .integer),
    FieldDescription("price", .number), FieldDescription("tags", .list),
    FieldDescription("meta", .object, fields: [FieldDescription("size", .integer)]), FieldDescription("c.d", .text),
    FieldDescription("odd!", .text),
  ]
  private static let files: [String: [UInt8]] = [
    "body.html": Array("<p>é</p>\n".utf8), "one.txt": Array("1\n".utf8),
    "meta.json": Array(#"{"b": 1.10, "a": 2}"#.utf8),
    "bad.txt": [0x61, 0xFF],
  ]

  private func read(_ line: String, unset: [String] = []) throws -> [Change] {
    try edits(line, unset: unset).changes
  }

  private func edits(_ line: String, unset: [String] = []) throws -> FieldEdits {
    try Assignments.edits(from: LineLexer.words(in: line), unset: unset, fields: Self.fields) {
      path throws(UsageError) in
      guard let bytes = Self.files[path] else { throw UsageError("no file \(path)") }
      return bytes
    }
  }

  @Test("A name with dots is a path, unless it stands in quotes or is that of a field")
  func paths() throws {
    let read = try edits(#"meta.size=12 "a.b"=x c.d=y 'e.f=g h'"#, unset: ["meta.b", "\"i.j\""])
    #expect(read.changes == [.set("a.b", "x"), .set("c.d", "y"), .unset("i.j")])
    #expect(
      read.parts
        == [
          PartChange(["meta", "size"], 12), PartChange(["e", "f"], "g h", isWord: true),
          PartChange(["meta", "b"], nil),
        ].compactMap(\.self))
    #expect(try edits("a..b=1 .c=2").changes == [.set("a..b", "1"), .set(".c", "2")])
  }

  @Test("Plain equals sets text, or the kind that the field is known to have; quotes change nothing")
  func plain() throws {
    #expect(
      try read(#"title=true completed=true rank=-12 price=1.10 other=12 completely="""#) == [
        .set("title", "true"), .set("completed", true), .set("rank", -12),
        .set("price", .number(try #require(Number("1.10")))), .set("other", "12"), .set("completely", ""),
      ])
    #expect(try read(#"completed="false""#) == [.set("completed", false)])
    #expect(try read("title=a=b:=c") == [.set("title", "a=b:=c")])
    #expect(try read("odd!=x") == [.set("odd!", "x")])
  }

  @Test("Colon equals sets JSON without loss, null too, and then the fields to unset follow")
  func json() throws {
    let changes = try read(
      #"n:=9007199254740993 f:=1.10 meta:={"z": 1, "a": [null]} t:="x y" rank:=null"#, unset: ["u"])
    #expect(
      changes == [
        .set("n", .number(try #require(Number("9007199254740993")))), .set("f", .number(try #require(Number("1.10")))),
        .set("meta", ["z": 1, "a": .array([.null])]), .set("t", "x y"), .set("rank", .null), .unset("u"),
      ])
  }

  @Test("An at sign reads a file; a backslash before it does not")
  func files() throws {
    #expect(try read("title=@body.html") == [.set("title", "<p>é</p>\n")])
    #expect(try read("rank=@one.txt") == [.set("rank", 1)])
    let price = try #require(Number("1.10"))
    #expect(try read("meta:=@meta.json") == [.set("meta", .object(Object([("b", .number(price)), ("a", 2)])))])
    #expect(try read(#"title=\@body.html"#) == [.set("title", "@body.html")])
    #expect(try read(#"title='\\@body.html'"#) == [.set("title", #"\@body.html"#)])
    #expect(try read(#"title=a@b"#) == [.set("title", "a@b")])
  }

  @Test("A value that begins with a quote is text; quotes around the word, or within a file's name, make none of it")
  func quotedFiles() throws {
    for line in [#"title='@body.html'"#, #"title="@body.html""#, #"title='@'body.html"#] {
      #expect(try read(line) == [.set("title", "@body.html")], "\(line)")
    }
    for line in [#"'title=@body.html'"#, #"title=@'body.html'"#, #""title"=@body.html"#] {
      #expect(try read(line) == [.set("title", "<p>é</p>\n")], "\(line)")
    }
    let price = try #require(Number("1.10"))
    #expect(try read("meta:='@meta.json'") == [.set("meta", .object(Object([("b", .number(price)), ("a", 2)])))])
    #expect(try read(#""a=b"=x "c.d=":=1 "e!"=f=g"#) == [.set("a=b", "x"), .set("c.d=", 1), .set("e!", "f=g")])
    #expect(try read(#""a=b"='@body.html'"#) == [.set("a=b", "@body.html")])
    func bare(_ line: String) throws -> String? {
      Assignments.bareFile(in: try #require(try LineLexer.words(in: line).first), fields: [])?.file
    }
    #expect(try bare("title=@ana") == "ana" && bare("'title=@ana b'") == "ana b")
    for line in [
      "t=@ana.txt", "t=@./ana", "t=@-", "t:=@ana", "t='@ana'", #"t=\@ana"#, "t=ana", "t=@a.b/c", "t=a@b", "t=$x",
    ] {
      #expect(try bare(line) == nil, "\(line)")
    }
  }

  @Test(
    "What is not an assignment says why",
    arguments: [
      ("title", "\"title\" is not an assignment"), ("=x", "\"=x\" does not name a field"),
      (":=1", "\":=1\" does not name a field"),
      ("title!=x", "\"title!=x\" is a condition, not an assignment"),
      ("rank>=1", "\"rank>=1\" is a condition, not an assignment"),
      ("title=a title:=1", "title is set twice"), ("completed=yes", "completed is a boolean, and \"yes\" is not"),
      ("rank=1.5", "rank is an integer, and \"1.5\" is not"), ("rank=1e3", "rank is an integer, and \"1e3\" is not"),
      ("rank=", "rank is an integer, and \"\" is not"), ("price=null", "price is a number, and \"null\" is not"),
      ("price=+1", "price is a number, and \"+1\" is not"), ("tags=a", "tags is a list, and \"a\" is not"),
      ("meta=x", "meta is an object, and \"x\" is not"),
      ("x:=abc", "the value of x is not valid JSON: expected a value (line 1, column 1)"),
      ("x:=", "the value of x is not valid JSON: the text is empty (line 1, column 1)"),
      ("x:={\"a\": \"é\",\n  b}", "the value of x is not valid JSON: expected a member name (line 2, column 3)"),
      ("x:=@bad.txt", "the file for x is not valid JSON: expected a value (line 1, column 1)"),
      ("x=@bad.txt", "the file for x is not valid UTF-8 at byte 2"),
      ("x=@", "missing file name after @ in the value of x"),
      ("x=@missing", "no file missing"),
    ])
  func errors(line: String, message: String) {
    #expect(
      performing: { _ = try read(line) }, throws: { ($0 as? UsageError)?.message == message })
  }

  @Test("A field cannot be set and unset, nor unset twice")
  func unsetTwice() {
    #expect(throws: UsageError("title is set or unset twice")) { try read("title=a", unset: ["title"]) }
    #expect(throws: UsageError("x is set or unset twice")) { try read("", unset: ["x", "x"]) }
  }

  @Test(arguments: [
    ("rank=(1 + 1)", "did you mean rank:=(…)?"), ("title=(a b)", "did you mean title:=(…)?"),
    ("title='(a' b", "set a field with FIELD=VALUE, without spaces"),
    ("title=(a) b", "set a field with FIELD=VALUE, without spaces"),
  ]) func `what follows a parenthesis that is not closed may belong to an expression`(line: String, hint: String) {
    #expect(
      performing: { _ = try read(line) }, throws: { ($0 as? UsageError)?.hint == hint })
  }

  @Test func `an answer and a cell of a file get no hint on words of a command`() {
    for (text, kind, says) in [
      ("many", FieldDescription.Kind.integer, "x is an integer, and \"many\" is not"),
      ("null", .number, "x is a number, and \"null\" is not"),
      ("[", .list, "the value of x is not valid JSON"),
    ] {
      let error = #expect(throws: UsageError.self) {
        try Assignments.value(answered: text, FieldDescription("x", kind))
      }
      #expect(error?.hint == nil && error?.message.hasPrefix(says) == true)
    }
    #expect(throws: UsageError("x is a boolean, and \"no\" is not", hint: "write true or false")) {
      try Assignments.value(answered: "no", FieldDescription("x", .boolean))
    }
  }

  @Test("A misfit says how another kind is written")
  func hints() {
    #expect(throws: UsageError(#"price is a number, and "null" is not"#, hint: "price:=null sets null")) {
      try read("price=null")
    }
    #expect(throws: UsageError("tags is a list, and \"a\" is not", hint: "write it as JSON: tags:=[…]")) {
      try read("tags=a")
    }
  }
}
