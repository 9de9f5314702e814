import ConsoleSupport
import Foundation
import Testing

/// Files that the console has exported, imported into the resource that they come from.
@Suite("Exported files") struct ExportedFileTests {
  static let formats = ["csv", "tsv", "json", "ndjson", "yaml"]

  /// The number of times that an output has a text.
  private func count(_ text: String, in output: String) -> Int { output.components(separatedBy: text).count - 1 }

  @Test("undescribed members are sent, and one line names them all", arguments: formats)
  func open(format: String) async throws {
    let service = try await ProofService()
    let run = try await service.run("export more/items --to f.\(format)\nimport more/items f.\(format)")
      .succeeded(printing: "5 created\n")
    let unknown = "unknown fields \"title\", \"state\" in more/items; they will be added (--new-fields accepts them)"
    #expect(count(unknown, in: run.errors) == 1 && count("unknown field", in: run.errors) == 1, "\(run.errors)")
    #expect(count("left out, as only the server sets them: id, rank\n", in: run.errors) == 1, "\(run.errors)")
    let copy = try service.item("whole", 8)
    #expect(copy?["title"] as? String == "item 3" && copy?["state"] as? String == "open")
    // The server's own number, not that of the file.
    #expect(copy?["rank"] as? Int == 8)
  }

  @Test("a key that only the server sets finds the record and is not sent", arguments: ["id", "rank"])
  func readOnlyKey(key: String) async throws {
    let service = try await ProofService()
    let again = "import more/items f.ndjson --key \(key)"
    try await service.run("export more/items --to f.ndjson\n\(again)").succeeded(printing: "more/items: 5 unchanged\n")
    _ = try service.home.write("\(key),title\n3,new\n", to: "one.csv")
    let dry = try await service.run("import more/items one.csv --key \(key) --dry-run").succeeded()
    #expect(dry.output.contains("/items/3 ") && dry.output.contains("{\"title\":\"new\"}"), "\(dry.output)")
    try await service.run("import more/items one.csv --key \(key)").succeeded(printing: "1 updated\n")
    #expect(try service.item("whole", 3)?["title"] as? String == "new")
    _ = try service.home.write("\(key),title\n99,new\n", to: "none.csv")
    try await service.run("import more/items none.csv --key \(key)").failed(
      saying: "has no such record, and its server assigns \(key == "id" ? "identifiers" : key)")
    #expect(try service.writes() == ["PATCH /whole/items/3"])
  }

  @Test("links of records are left out, and fields that the description denies are sent if records have them")
  func closed() async throws {
    for format in Self.formats {
      let service = try await SpellingService()
      try service.put(
        "own/items",
        #"[{"id": 1, "code": "a", "title": "t", "note": "n", "owner": 1, "extra": "x","#
          + #" "_links": {"self": {"href": "/1"}}, "_embedded": {"owner": {"id": 1}}}]"#)
      let run = try await service.run("export own/items --to f.\(format)", "import own/items f.\(format)")
        .succeeded(printing: "1 created\n")
      #expect(run.errors.contains("left out, as only the server sets them: id, _links, _embedded\n"), "\(run.errors)")
      #expect(run.errors.contains("not described, but sent, as records of own/items have it: extra\n"), "\(run.errors)")
      #expect(try service.values("extra", of: "own/items") == ["x", "x"])
      #expect(try service.values("_links", of: "own/items").last == "none")
      #expect(try service.values("_embedded", of: "own/items").last == "none")
    }
  }

  @Test("a field that no record has is a mistake, and so is one of a file without identifiers") func mistaken()
    async throws
  {
    let service = try await SpellingService()
    try service.put("own/items", #"[{"id": 1, "code": "a", "extra": "x"}]"#)
    _ = try service.home.write("id,code,extra,other\n1,b,y,z\n", to: "other.csv")
    try await service.run("import own/items other.csv").failed(saying: "unknown field \"other\" in items")
    _ = try service.home.write("code,extra\nb,y\n", to: "bare.csv")
    try await service.run("import own/items bare.csv").failed(2, saying: "unknown field \"extra\" in items")
    #expect(try service.writes().isEmpty)
  }

  @Test("a link that the mapping names is sent") func namedLink() async throws {
    let service = try await SpellingService()
    _ = try service.home.write(#"{"code":"a","_links":{"self":"/1"}}"# + "\n", to: "f.ndjson")
    try await service.run("import bare/items f.ndjson --map '_links=_links'").succeeded(printing: "1 created\n")
    #expect(try service.values("_links", of: "own/items").last?.contains("/1") == true)
  }
}
