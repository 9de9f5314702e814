import ConsoleSupport
import TestSupport
import Testing

/// Facts of a description that are not proved, and refusals in shapes that no description names.
@Suite("Facts that are only likely, and refusals in the service's words") struct LikelyFactTests {
  private let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/refusals.py")
    self.server = server
    let address = server.address
    func backend(_ name: String, _ path: String, by description: String) -> DescribedBackend {
      DescribedBackend(name, "\(address)/\(path)", by: description)
    }
    let shapes = [
      "django", "nested", "falcon", "problem", "rails", "texts", "pydantic", "listed", "reason", "bare", "names",
      "reasons", "unimplemented",
    ]
    home = try ConsoleRun.Home(
      [
        backend("proved", "open", by: "proved"), backend("likely", "open", by: "likely"),
        backend("refuse", "refuse", by: "refuse"), backend("stubborn", "stubborn", by: "likely"),
      ],
      describing: [
        "proved": Self.fields(""), "likely": Self.fields("likely"),
        "refuse": "preset: plain\nresources:\n" + shapes.map { "  \($0): {create: {}}\n" }.joined(),
      ])
  }

  private static func fields(_ likely: String) -> String {
    func marked(_ facts: String) -> String { likely.isEmpty ? "" : ", likely: [\(facts)]" }
    return """
      preset: plain
      identifier: {type: integer\(marked("type"))}
      page: {style: none}
      resources:
        items:
          update: {method: PATCH, clear: untested, returns: maybe}
          fields:
            id: {type: integer, readOnly: true}
            title: {type: text, required: true, nullable: false\(marked("required, nullable"))}
            color: {type: text, values: ["#FFFFFF"]\(marked("values"))}
            size: {type: integer, maximum: 30\(marked("type, maximum"))}
            note: {type: text, readOnly: true\(marked("readOnly"))}
      """
  }

  private func run(_ script: String) async throws -> ConsoleRun {
    try await home.run(script + "\n")
  }

  /// Commands that the facts of the description refuse, and the value that the record has once one was sent.
  private static let refused: [(command: String, field: String, value: String)] = [
    ("update items 1 'color=#000000'", "color", "\"#000000\""),
    ("update items 1 size=22.5", "size", "22.5"),
    ("update items 1 size=large", "size", "\"large\""),
    ("update items 1 size:=31", "size", "31"),
    ("update items 1 note=mine", "note", "\"mine\""),
    ("update items 1 title:=null", "title", "null"),
    ("update items 1 --unset title", "title", "null"),
    ("create items color=#FFFFFF", "color", "\"#FFFFFF\""),
  ]

  @Test("a proved fact refuses a write, a likely one sends it and says so", arguments: Self.refused.indices)
  func writes(index: Int) async throws {
    let (command, field, value) = Self.refused[index]
    let proved = try await run("use proved\n" + command)
    #expect(proved.status != 0, "\(proved.output)")
    let isNew = command.hasPrefix("create")
    let before = try await run("list likely/items -o id")
    #expect(before.output == "1\n")
    let sent = try await run("use likely\n" + command).succeeded()
    #expect(sent.errors.contains("(the description may be wrong)"), "\(sent.errors)")
    let shown = try await run("get likely/items \(isNew ? 2 : 1) -o ndjson")
    #expect(shown.output.contains("\"\(field)\":\(value)"), "\(shown.output)")
  }

  @Test("each of several doubts is noted") func doubts() async throws {
    let sent = try await run("use likely\nupdate items 1 color=red size=40 note=mine").succeeded()
    for name in ["color", "size", "note"] {
      #expect(sent.errors.contains("\(name) "), "\(name): \(sent.errors)")
    }
  }

  @Test("an identifier that is only likely to be read-only is sent with a new record") func named() async throws {
    let named = Self.fields("likely").replacing(
      "{type: integer, readOnly: true}", with: "{type: integer, readOnly: true, likely: [readOnly]}")
    _ = try home.write(named, to: "likely.yaml")
    let sent = try await run("use likely\ncreate items id=7 title=x")
    #expect(sent.status == 0 && sent.errors.contains("id of items is read-only"), "\(sent.output) \(sent.errors)")
    try await run("use proved\ncreate items id=7 title=x").failed(saying: "read-only")
  }

  @Test("an identifier of another form than the likely one is looked for") func identifiers() async throws {
    let proved = try await run("get proved/items abc")
    #expect(proved.errors.contains("expected a whole number"), "\(proved.errors)")
    try await run("get likely/items abc").failed(1, saying: "not found")
  }

  @Test("a field that an untested null leaves as it was is not called cleared") func cleared() async throws {
    let kept = try await run("update stubborn/items 1 --unset color")
    #expect(
      (kept.status, kept.output) == (0, "accepted: update items/1: color (not stored as sent)\n"), "\(kept.errors)")
    try await run("update likely/items 1 --unset color").succeeded(printing: "updated items/1: color\n")
  }

  @Test("describe names the facts that are not proved") func described() async throws {
    let shown = try await run("describe likely/items")
    #expect(shown.output.contains("not verified: type, maximum"), "\(shown.output)")
  }

  @Test(
    "a refusal is told in the service's words, whatever its shape",
    arguments: [
      ("django", ["title: This field may not be blank.", "start is after end"]),
      ("nested", ["owner.email: Enter a valid address.", "tags.1.name: Too long."]),
      ("falcon", ["Mailing list exists"]), ("problem", ["two mistakes"]),
      ("rails", ["name: is too short", "is locked"]), ("texts", ["Name can't be blank; Identifier is invalid"]),
      ("pydantic", ["name: field required"]), ("listed", ["not valid", "name: is required"]),
      ("reason", ["bad_request: no such zone"]),
      ("names", ["Missing parameter(s): title", "title: is missing"]),
      ("reasons", ["Invalid parameter(s): kind", "kind: kind is not one of a, b."]),
      ("bare", ["Only one owner is allowed."]),
    ])
  func refusals(shape: String, words: [String]) async throws {
    let run = try await run("create refuse/\(shape) name=x")
    #expect(run.status == 1)
    for text in words { #expect(run.errors.contains(text), "\(run.errors)") }
  }

  @Test("a method that the server does not have has changed nothing") func unimplemented() async throws {
    let run = try await run("create refuse/unimplemented name=x")
    #expect(run.errors.contains("request not supported by the server (501): no such method"), "\(run.errors)")
    #expect(run.status != 0 && !run.errors.contains("outcome unknown"), "\(run.errors)")
  }
}
