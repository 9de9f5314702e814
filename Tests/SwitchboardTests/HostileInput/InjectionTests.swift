import ConsoleSupport
import Foundation
import Testing

/// Values that look like syntax go through create, list, capture, for, update and get, and stay what they are.
@Suite("Values that look like syntax") struct InjectionTests {
  struct Service: Sendable, CustomTestStringConvertible {
    var dialect: World.Dialect
    var more = ""
    var testDescription: String { dialect.rawValue }
  }

  static let services = [
    Service(dialect: .grails), Service(dialect: .kitura, more: " user=ana order=1"),
    Service(dialect: .jsonplaceholder, more: " userId:=1"), Service(dialect: .baasic),
  ]

  static let values = [
    // Quotes, references and what a shell would take.
    "'", "\"", "`", "it's \"so\"", ";", "$", "$$", "$name", "${x}", "${x:-y}", "${", "$1", "$last.id", "$env.HOME",
    "$(ls)", "`ls`", "| sh", "| cat > stolen", "> stolen", "!ls", "!!", "!touch stolen", "&& touch stolen",
    // Control characters, and characters that nobody sees.
    "a\nb", "a\r\nb", "a\rb", "a\tb", "a\u{1B}[31mred\u{1B}[0m", "a\u{7}b", "a\u{7F}b", "a\u{202E}b", "a\u{FEFF}b",
    "a\u{2028}b", "a\u{85}b", "e\u{301}", "\u{E9}", "👩\u{200D}👧",
    // Commands, words of blocks, comments.
    "; delete --all --yes", "x\ndelete --all --yes", "x\nend\nexit 9", "delete --all --yes", "quit", "exit", "end",
    "else", "if", "source data", "include data", "set @x 1", "#", "# no comment",
    // Files, options, predicates, assignments.
    "@/etc/passwd", "@data", "\\@data", "--all", "--", "-y", "--to=stolen", "--to stolen", "id=3", "title:=1", ":=",
    "a==b", "title!=x", "~", "<1", ">= 1", "-id", "a,b", "*",
    // Expressions and addresses.
    "x' or id = 1 or title = '", "x\" or \"\" = \"", "(", ")", ")) or (1 = 1", "a) b (c", "in (1)", "is null", "not",
    "or 1 = 1", "%00", "%27", "../../etc", "?a=b&c=d", "a+b", "&amp;", "<script>alert(1)</script>",
    // Backslashes, JSON, kinds.
    "\\", "\\\\", "\\n", "\\\"", "{\"a\":1}", "[1]", "\"quoted\"", "null", "true", "false", "0", "1", "1.0", "007",
    String(repeating: "x'\"$ ", count: 50) + "x",
  ]

  private func world(_ service: Service) async throws -> World {
    try await World(["it": service.dialect], seed: 3)
  }

  /// The statements to run with the value of a reference.
  private func statements(_ reference: String, _ service: Service) -> String {
    """
    capture made = create title=\(reference)\(service.more)
    capture rows = list --where "title = \(reference)" --all
    expect $rows.count = 1
    expect $rows[0].title = \(reference)
    for row in (list title=\(reference) --all)
      expect $row.id = $made.id
      update $row.id title="$row.title!"
      update $row.id title=$rows[0].title
    end
    get $made.id -o ndjson
    expect $last.title = \(reference)
    capture rows = list --where "title in ($last.title, 'none of these')" --all
    expect $rows.count = 1
    delete $made.id

    """
  }

  private func titles(_ output: String) throws -> [String] {
    try output.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(object?["title"] as? String)
    }
  }

  @Test("arguments stay the values that they are, and nothing else is run", arguments: services)
  func arguments(service: Service) async throws {
    let world = try await world(service)
    let home = world.home
    _ = try home.write("stolen", to: "data")
    let places = 1...Self.values.count
    let script = try home.write(places.map { statements("$\($0)", service) }.joined(), to: "s.sb")
    let before = try await world.run("", ["list", "--all", "-o", "json"])

    let run = try await world.run("", ["-f", script, "--"] + Self.values)
    #expect(run.status == 0, "\(run.errors)")
    let titles = try titles(run.output)
    #expect(titles.count == Self.values.count)
    for (title, value) in zip(titles, Self.values) {
      #expect(title.utf8.elementsEqual(value.utf8), "\(value.debugDescription) became \(title.debugDescription)")
    }
    // Two updates, one record and one deletion are told for each value, and nothing else.
    let lines = run.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(lines.count { $0 == "updated" } == 2 * Self.values.count)
    #expect(lines.count { $0 == "deleted" } == Self.values.count)
    #expect(lines.count == 4 * Self.values.count)

    let after = try await world.run("", ["list", "--all", "-o", "json"])
    #expect(after.output.utf8.elementsEqual(before.output.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).contains("stolen") == false)
  }

  @Test("a NUL is a character of a value", arguments: services) func nul(service: Service) async throws {
    let script = "set @x \"a\\u{0}b\"\n" + statements("$x", service)
    let run = try await world(service).run(script)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try titles(run.output) == ["a\0b"])
  }

  @Test("values ask the server just what harmless ones ask", arguments: services)
  func requests(service: Service) async throws {
    func count(_ values: [String]) async throws -> Int {
      let world = try await world(service)
      let script = values.indices.map { "create title=$\($0 + 1)\(service.more)\n" }.joined()
      let run = try await world.run("", ["-f", try world.home.write(script, to: "s.sb"), "--"] + values)
      #expect(run.status == 0, "\(run.errors)")
      return try await world.requests()
    }
    let harmless = Self.values.indices.map { "value \($0)" }
    let asked = try await count(Self.values)
    #expect(asked == (try await count(harmless)))
    #expect(asked >= Self.values.count)
  }
}
