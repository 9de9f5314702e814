import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Dotted paths in conditions and in writes, and fields that nobody knows.
@Suite("Dotted paths and new fields") struct DottedPathTests {
  @Test("a path means the same in a list, an update and a new record") func paths() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run(
      "update 1 customer.city=Basel\ncreate subject=new customer.city=Chur customer.zip=7000\n"
        + "list customer.city=Basel -o id\nlist customer.zip=7000 -o id\nupdate 2 --unset customer.zip\n"
    ).succeeded()
    #expect(run.output.contains("updated tickets/1: customer.city\n"))
    #expect(run.output.contains("\n1\n4\n"), "\(run.output)")
    #expect(desk.fields()["customer"] == ["city": "Basel", "zip": 3000])
    #expect(desk.fields(1)["customer"] == ["city": "Bern"])
    #expect(desk.fields(3)["customer"] == ["city": "Chur", "zip": 7000])
    // The revision of what was read guards it.
    #expect(!run.errors.contains("sent whole"), "\(run.errors)")
  }

  @Test("without revisions a warning says what sending the whole field may cost") func unguarded() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run("update notes 1 address.city=Basel\n")
    #expect(run.status == 0)
    #expect(run.errors.contains("address was read, changed and sent whole"), "\(run.errors)")
    #expect(desk.fields(of: "notes")["address"] == ["city": "Basel", "zip": 3000])
  }

  @Test("a field whose own name has a dot is written in quotes, or found by its description") func quoted() async throws
  {
    let desk = try DeskConsole()
    let run = try await desk.run("update notes 1 \"a.b\"=x a.c=y --new-fields\n").succeeded()
    #expect(run.errors.isEmpty)
    #expect(desk.fields(of: "notes")["a.b"] == "x")
    #expect(desk.fields(of: "notes")["a.c"] == "y")
  }

  @Test("a field that nobody knows is a warning with the nearest name, unless it is meant") func unknown() async throws
  {
    let desk = try DeskConsole()
    let warned = try await desk.run("create notes titel=x\n")
    #expect(warned.status == 0)
    #expect(warned.errors.contains("did you mean title?"), "\(warned.errors)")
    let refused = try await desk.run("create notes titel=x\n", ["--strict"])
    #expect(refused.status == 2)
    let meant = try await desk.run("create notes titel=x --new-fields\n", ["--strict"])
    #expect((meant.status, meant.errors) == (0, ""))
    #expect(desk.writes.count == 2)
  }

  @Test("what is given for a secret field goes into no log and no message") func secret() async throws {
    let desk = try DeskConsole()
    let log = desk.home.folder.appending(path: "log").path
    let run = try await desk.run(
      "update users 1 pin=hunter22\nupdate users 99 pin=hunter22\n", ["--log", log, "--trace"])
    #expect(run.status == 1)
    #expect(try !String(contentsOfFile: log, encoding: .utf8).contains("hunter22"))
    #expect(!run.errors.contains("hunter22"), "\(run.errors)")
    #expect(desk.fields(of: "users")["pin"] == "hunter22")
  }

  @Test("a part and its whole are not set together", arguments: ["a:={} a.b=1", "a.b=1 a.b=2", "a.b.c=1 a.b=2"])
  func overlap(_ words: String) async throws {
    let desk = try DeskConsole()
    try await desk.run("update 1 \(words)\n").failed(2, saying: "set twice")
  }

  @Test("a name that may end in two places is refused for several records") func unclear() async throws {
    let service = try await SpellingService()
    try service.put("own/items", #"[{"id": 1, "a=b": "x"}]"#)
    try await service.run("update bare/items --where 'id = 1' a=b=y --yes").failed(2, saying: "name in quotes")
    #expect(try service.writes().isEmpty)
  }

  /// Records whose names have dots, beside an object that the paths would lead into.
  private static let names =
    #"[{"id": 1, "code": "a", "host.name": "h1", "@odata.type": "T", "v:2.0:x": 7, "a.b.c": "p", "host": {"name": "i"}},"#
    + #" {"id": 2, "code": "b", "host.name": "h2", "@odata.type": "U", "v:2.0:x": 8, "a.b.c": "q", "host": null}]"#

  @Test("a member of a record comes before a path of its name in every command") func ownMembers() async throws {
    let service = try await SpellingService()
    try service.put("own/items", Self.names)
    let run = try await service.run(
      "list bare/items host.name=h1 -o id", "count bare/items --where 'a.b.c = q and v:2.0:x > 7'",
      "list bare/items --sort -host.name --fields host.name,@odata.type -o ndjson",
      "update bare/items 1 host.name=w", "update bare/items --where '@odata.type = U' a.b.c=r --yes",
      "sql SELECT json_extract(_record, '$.\"host.name\"') AS n FROM bare.items ORDER BY n",
      "get bare/items 1 -o ndjson", "undo --yes", "get bare/items 2 -o ndjson"
    ).succeeded()
    #expect(run.output.hasPrefix("1\n1\n"), "\(run.output)")
    #expect(run.output.contains(#"{"host.name":"h2","@odata.type":"U"}"#), "\(run.output)")
    #expect(run.output.contains(#""host.name":"w","@odata.type":"#), "\(run.output)")
    #expect(run.output.contains(#""a.b.c":"q""#), "\(run.output)")
    #expect(try service.values("host.name", of: "own/items") == ["w", "h2"])
    #expect(!run.output.contains(#""a":{"#) && !run.output.contains(#""name":"w""#), "\(run.output)")
  }

  @Test("keys of files and of records are names", arguments: ["csv", "tsv", "ndjson", "json"])
  func files(format: String) async throws {
    let service = try await SpellingService()
    try service.put("own/items", Self.names)
    let file = service.home.folder.path + "/names.\(format)"
    try await service.run("export bare/items --to \(file)").succeeded()
    let same = try await service.run(
      "import bare/items \(file) --key code", "sync --from \(file) bare/items --key code",
      "diff --from \(file) bare/items --key code"
    ).succeeded()
    #expect(same.output == "bare/items: 2 unchanged\nbare/items: 2 unchanged\nno differences\n", "\(same.output)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let other = try service.home.write(text.replacing("h1", with: "w"), to: "other.\(format)")
    try await service.run("import bare/items \(other) --key code").succeeded()
    #expect(try service.values("host.name", of: "own/items") == ["w", "h2"])
    try service.put("own/items", "[]")
    try await service.run("import bare/items \(other)").succeeded()
    #expect(try service.values("host.name", of: "own/items") == ["w", "h2"])
    #expect(try service.values("a.b.c", of: "own/items") == ["p", "q"])
    let given = try service.home.write(#"{"id":1,"a.b.c":"z"}"#, to: "given.ndjson")
    let made = try service.home.write(#"{"a.b.c":"z"}"#, to: "made.ndjson")
    try await service.run("update bare/items --from \(given) host.name=v", "create bare/items --from \(made)")
      .succeeded()
    #expect(try service.values("a.b.c", of: "own/items") == ["z", "q", "z"])
    #expect(try service.values("host.name", of: "own/items") == ["v", "h2", "none"])
  }

  @Test("a member that only one of the records has is no path in the table of the others") func mixed() async throws {
    let service = try await SpellingService()
    try service.put(
      "own/items", #"[{"id": 1, "code": "a", "x.y": "own"}, {"id": 2, "code": "b", "x": {"y": "inner"}}]"#)
    let run = try await service.run("export bare/items -o csv").succeeded()
    #expect(run.output == "id,code,x.y,x\n1,a,own,\n2,b,,\"{\"\"y\"\":\"\"inner\"\"}\"\n", "\(run.output)")
  }

  @Test(
    "so does a member whose name holds an operator, a comma, a quote or a backslash",
    arguments: ["a=b", "a<b", "a~b", "a!", "a,b", "a\"b", "a\\b", "a.b=c"])
  func operators(name: String) async throws {
    let service = try await SpellingService()
    func json(_ value: String) throws -> String {
      let record: [String: Any] = ["id": value == "v" ? 1 : 2, name: value]
      return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
    }
    try service.put("own/items", "[\(try json("v")), \(try json("other"))]")
    func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    let run = try await service.run(
      "list bare/items \(quoted(name + "=v")) -o id", "list bare/items --where \(quoted(quoted(name) + " = v")) -o id",
      "list bare/items --fields \(quoted(name)) --sort \(quoted("-" + name)) -o csv --no-header",
      "update bare/items 1 \(quoted(name + "=new")) --quiet"
    ).succeeded()
    #expect(run.output == "1\n1\nv\nother\n", "\(run.output)\(run.errors)")
    #expect(try service.values(name, of: "own/items") == ["new", "other"])
    #expect(try service.values("a", of: "own/items") == ["none", "none"])
    let word = quoted(name) + "=third"
    try await service.run("update bare/items --where 'id = 2' \(word) --yes").succeeded()
    #expect(try service.values(name, of: "own/items") == ["new", "third"])
  }
}
