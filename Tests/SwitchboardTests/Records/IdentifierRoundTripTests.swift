import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Identifiers and texts that are written to a file and read back.
@Suite("What is written is read back") struct IdentifierRoundTripTests {
  let world: World

  init() async throws { world = try await World(["it": .jsonplaceholder], seed: 8) }

  private func run(_ commands: String..., input: String = "") async throws -> ConsoleRun {
    try await world.home.run(input, commands.flatMap { ["-c", $0] })
  }

  /// Makes a record with an identifier of the test's choice, past the console.
  private func make(_ id: String) async throws {
    let body = try JSONSerialization.data(withJSONObject: ["id": id, "title": "hostile"])
    let answer = try await world.demo.send(
      "POST", "/jsonplaceholder/todos", headers: [("Content-Type", "application/json")], bytes: Array(body))
    try #require(answer.status == 201)
  }

  static let hostile = [
    " 5 ", "5 ", " 5", "  ", "a\\b", "a\\\\b", "\\n", "\\", "a\nb", "\n", "a\r\nb", "a\r", "\t", "a\tb", "{", "[", "\"",
    #"{"id":"1","title":"taken over"}"#, #" {"id":"1","title":"taken over"}"#, #"["1"]"#, #""1""#, "\\{", "{\n}",
    #"[{"id":"1"}]"#, "\u{FEFF}5", "\u{FEFF}{}", "\u{202E}5", "e\u{301}", "a\u{1B}[2J", "\u{7F}", "\u{85}", "\u{2028}",
    "\\x41", "\\u{41}", "#5", "-y", "--all", "$1", "completed=true", ",", "]", "}", "x{", "👩\u{200D}👧", "食堂",
  ]

  @Test(
    "every identifier that list -o id prints is the one that the next command takes",
    arguments: ["delete it --from - --yes", "update it --from - completed=true", "get it --from - -o id"])
  func identifiers(command: String) async throws {
    for id in Self.hostile { try await make(id) }
    let listed = try await run("list it title=hostile --all -o id").succeeded()
    #expect(listed.output.split(separator: "\n").count == Self.hostile.count)

    let taken = try await run(command, input: listed.output).succeeded()
    if command.hasPrefix("get") { #expect(taken.output.utf8.elementsEqual(listed.output.utf8)) }
    let changed = try await run("count it title=hostile completed=true", "count it title=hostile", "count it")
    let counts = changed.output.split(separator: "\n").compactMap { Int($0) }
    switch command.prefix(6) {
    case "delete": #expect(counts[1] == 0)
    case "update": #expect(counts[0] == Self.hostile.count)
    default: #expect(counts[1] == Self.hostile.count)
    }
    // Nobody else's record was touched.
    #expect(try await run("count it title~over").output == "0\n")
    #expect(counts[2] - counts[1] == 8)
  }

  @Test("a line of another shape is refused before anything is sent, with its place") func refused() async throws {
    let examples: [(input: String, says: String)] = [
      ("1\n{\"id\":\"2\"}\n", "stdin:2: a line that begins with { is not an identifier"),
      ("[1]\n", "stdin:1: a line that begins with [ is not an identifier"),
      (" \"1\"\n", "stdin:1: a line that begins with \" is not an identifier"),
      ("1\na\\b\n", "stdin:2: the identifier has a backslash that is not part of an escape"),
      ("a\\", "stdin:1: the identifier has a backslash that is not part of an escape"),
      ("\\u{110000}\n", "stdin:1: the identifier has a backslash that is not part of an escape"),
    ]
    for example in examples {
      let run = try await run("delete it --from - --yes", "count it", input: example.input)
      #expect((run.status, run.output) == (1, "") || (run.status, run.output) == (2, ""), "\(run.output)")
      #expect(run.errors.contains(example.says), "\(run.errors)")
    }
    #expect(try await run("count it").output == "8\n")
  }

  @Test("--input says what --from holds") func input() async throws {
    let objects = try await run(
      "delete it --from - --input ndjson --yes", input: "{\"id\":1}\n {\"id\":2}{\"id\":\"3\"}\n")
    #expect((objects.status, objects.output) == (0, "deleted todos/1\ndeleted todos/2\ndeleted todos/3\n3 deleted\n"))
    let list = try await run("get it --from - --input json -o id", input: "[{\"id\":4},\n{\"id\":5}]")
    #expect((list.status, list.output) == (0, "4\n5\n"), "\(list.errors)")
    let lines = try await run("update it --from - --input id title=x", input: "{\"id\":4}\n")
    #expect(lines.errors.contains("stdin:1: a line that begins with { is not an identifier"))
    for (command, says) in [
      ("create it --from - --input id", "create --from requires JSON objects, not identifiers"),
      ("get it 1 --input json", "--input requires --from"),
      ("get it --from - --input xml", "--input is id, json, ndjson, csv or tsv, not \"xml\""),
    ] {
      let run = try await run(command, input: "4\n")
      #expect((run.status, run.output) == (2, ""))
      #expect(run.errors.contains(says), "\(run.errors)")
    }
  }

  @Test(
    "text that goes to a file comes back byte for byte",
    arguments: [
      "a\nb", "a\r\nb\r\n", "ends with one\n", "\n\n", "no end", "", "tab\tbell\u{7}", "\\n and \\", "\u{FEFF}mark",
      "食\u{202E}堂",
    ])
  func texts(text: String) async throws {
    let script = try world.home.write(
      """
      capture x = create it title=$1
      get $x.id
      set @text $last.title
      show @text --to F
      create it title=@./F -o ndjson
      expect $last.title = $1
      show @text --append G
      """, to: "s.sb")
    try await world.run("", ["-f", script, "--", text]).succeeded()
    let file = try Data(contentsOf: world.home.folder.appending(path: "F"))
    #expect(Array(file) == Array(text.utf8))
    #expect(try Array(Data(contentsOf: world.home.folder.appending(path: "G"))) == Array((text + "\n").utf8))
  }
}
