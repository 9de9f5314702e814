import ConsoleSupport
import Testing

/// Fields that a mapping reads.
@Suite("Fields that a mapping reads") struct MappedFieldTests {
  let service: SpellingService

  init() async throws { service = try await SpellingService() }

  @Test("only a rename takes a field away", arguments: ["copy", "sync"]) func composed(verb: String) async throws {
    let map = "--key code --map \"title=title + note, owner=\""
    let run = try await service.run("\(verb) own/items exact/items \(map)", "diff own/items exact/items \(map)")
    #expect(run.status == 0 && run.output == "2 created\nno differences\n", "\(run.output) \(run.errors)")
    #expect(try service.values("title", of: "exact/items") == ["tn", "t2n2"])
    #expect(try service.values("note", of: "exact/items") == ["n", "n2"])
  }

  @Test("a comparison shows that a field is missing which the mapping reads") func compared() async throws {
    try service.put("exact/items", #"[{"id": 1, "code": " A1 ", "title": "tn"}]"#)
    let run = try await service.run(
      "diff own/items exact/items --key code --map \"title=title + note, owner=\" --where id=1 -o ndjson")
    #expect(run.status == 0 && run.output.contains(#""field":"note""#), "\(run.output) \(run.errors)")
  }

  @Test("a renamed field is not written under its old name") func renamed() async throws {
    try await service.run("copy own/items exact/items --map \"title=note, owner=\"").succeeded()
    #expect(try service.values("title", of: "exact/items") == ["n", "n2"])
    #expect(try service.values("note", of: "exact/items") == ["none", "none"])
  }

  @Test("a field of a file that only a mapping needs is no mistake") func file() async throws {
    let file = try service.home.write(#"{"code":"x","first":"a","last":"b","note":"n"}"# + "\n", to: "rows.ndjson")
    let run = try await service.run("import exact/items \(file) --map \"title=first + note + last\"")
    #expect(run.status == 0 && run.output == "1 created\n", "\(run.output) \(run.errors)")
    #expect(try service.values("title", of: "exact/items") == ["anb"])
    #expect(try service.values("note", of: "exact/items") == ["n"])
  }

  @Test("what the source's server sets can be read, and is not written") func identifier() async throws {
    try await service.run("copy own/items exact/items --map \"note=text(id) + note, owner=\"").succeeded()
    #expect(try service.values("note", of: "exact/items") == ["1n", "2n2"])
  }
}
