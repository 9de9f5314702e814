import ConsoleSupport
import DemoServerSupport
import TestSupport
import Testing

/// Bytes of inputs that no reader may pass over: control characters, byte-order marks, and names that an object has twice.
@Suite("Bytes of inputs") struct InputBytesTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "3", "--set", "jsonplaceholder.profile=json-server"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "k", "backends": {
          "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))"},
          "js": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "users"}}}
        """)
  }

  /// An input, the command that takes it, and what is said of it.
  struct Example: Sendable {
    let input: String
    let command: String
    let says: String

    init(_ input: String, _ command: String, says: String) {
      (self.input, self.command, self.says) = (input, command, says)
    }
  }

  private static let ndjson = "import - --input ndjson"
  private static let row = #"{"title":"a"}"# + "\n"
  private static let notAnObject = "the line is not a valid JSON object"
  private static let twice = #"the name "title" appears twice in an object"#

  static let refusals: [Example] = [
    // The tail of a file that was cut off, filled with zeros.
    Example(row + "\0\0\0\0", ndjson, says: "stdin:2: the line begins with a control character (0x00)"),
    // The first bytes of an xlsx file.
    Example("PK\u{3}\u{4}\u{14}\0\u{6}\0", ndjson, says: "standard input is a zip archive, as xlsx and ods files are"),
    Example("PK\u{3}\u{4}\u{14}\0\u{6}\0", "import - --input csv", says: "a spreadsheet program saves it as csv"),
    Example(row + "\u{1F}\n" + row, ndjson, says: "stdin:2: the line begins with a control character (0x1f)"),
    Example(row + " \u{0C}\n", ndjson, says: "stdin:2: the line begins with a control character (0x0c)"),
    Example(row + "\0\0\0\0", "create --from -", says: #"stdin:2:1: "\x00" is unexpected"#),
    Example(row + "\u{FEFF}" + row, ndjson, says: "stdin:2:1: \(notAnObject): a byte-order mark"),
    Example(row + "\u{FEFF}" + row, "create --from -", says: "stdin:2:1:"),
    Example(row + #"{"title":"b","title":"c"}"#, ndjson, says: "stdin:2:20: \(notAnObject): \(twice)"),
    Example(
      "[{\"title\":\"a\"},\n {\"title\":\"b\",\"order\":1,\"title\":\"c\"}]", "import - --input json",
      says: "stdin:2:31: the record is not a valid JSON object: \(twice)"),
    Example(#"{"title":"b","\u0074itle":"c"}"#, "create --from -", says: twice),
    Example("- title: a\n- {title: b, title: c}\n", "import - --input yaml", says: "stdin:2: duplicate key"),
    Example(
      #"{"a":{"title":1,"title":2}}"#, "create k title:=@-",
      says: "the file for title is not valid JSON: \(twice) (line 1"),
    Example(
      "", #"create k title:={"a":1,"a":2}"#, says: #"is not valid JSON: the name "a" appears twice in an object"#),
    Example("", "create k title:='\u{FEFF}\"x\"'", says: "a byte-order mark is allowed at the start of a file only"),
  ]

  @Test("each is refused with its place, and nothing is sent", arguments: refusals)
  func refused(_ example: Example) async throws {
    let run = try await home.run(commands: example.command, input: example.input)
    #expect((run.status, run.output) == (2, ""), "\(example.command): \(run.errors)")
    #expect(run.errors.contains(example.says), "\(example.command): \(run.errors)")
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
  }

  @Test(
    "a byte-order mark at the start is passed over, however the input arrives, and lines of blanks are no rows",
    arguments: ["csv", "ndjson"])
  func start(format: String) async throws {
    let text = format == "csv" ? "title,order\nmarked,7\n" : " \t\r\n{\"title\":\"marked\",\"order\":7}\r\n\n"
    let program = try ConsoleRun.start(
      ["--config", try #require(home.config), "-c", "import - --input \(format)", "-c", "count title=marked"], in: home)
    let bytes = Array(("\u{FEFF}" + text).utf8)
    try await blocking { for byte in bytes { try program.type([byte]) } }
    let ending = try await program.end()
    #expect((Int(ending.status), ending.output) == (0, "1 created\n1\n"), "\(ending.errors)")
  }

  @Test("objects with the same members are one value in stats and --count-by") func counts() async throws {
    for body in [
      #"{"id":"a","company":{"a":1,"b":[2]}}"#, #"{"id":"b","company":{"b":[2],"a":1}}"#,
      #"{"id":"c","company":{"a":1,"b":[3]}}"#,
    ] {
      let answer = try await demo.send(
        "POST", "/jsonplaceholder/users", headers: [("Content-Type", "application/json")], body: body)
      try #require(answer.status == 201)
    }
    let run = try await home.run(
      commands: "list js --where \"company.a = 1\" --count-by company -o ndjson",
      "stats company js --where \"company.a = 1\" -o ndjson")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix(#"{"value":{"a":1,"b":[2]},"count":2}"# + "\n"), "\(run.output)")
    #expect(run.output.contains(#""distinct":2"#), "\(run.output)")
  }
}
