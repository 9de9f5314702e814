import ConsoleSupport
import Testing

/// Keys that a service stores otherwise than they were sent.
@Suite("Keys that are stored otherwise") struct KeySpellingTests {
  let service: SpellingService

  init() async throws { service = try await SpellingService() }

  private static func sync(_ store: String, _ options: String = "") -> String {
    "sync own/items \(store)/items --key code --map owner= --delete --max-delete 100% --yes \(options)"
  }

  @Test("the next run matches them, and writes nothing", arguments: ["trim", "lower", "nfc", "slug"])
  func remembered(store: String) async throws {
    let first = try await service.run(Self.sync(store)).succeeded(printing: "2 created\n")
    #expect(first.errors.contains("is stored as"), "\(first.errors)")
    let writes = try service.writes()
    try await service.run(Self.sync(store)).succeeded(printing: "\(store)/items: 2 unchanged\n")
    #expect(try service.writes() == writes)
    // A change in the source reaches the record that was created.
    try service.put(
      "own/items",
      #"[{"id": 1, "code": " A1 ", "title": "new", "note": "n"}, {"id": 2, "code": "Cafe\u0301", "title": "t2", "note": "n2"}]"#
    )
    let third = try await service.run(Self.sync(store))
    #expect(third.status == 0 && third.output.contains("1 updated"), "\(third.output) \(third.errors)")
    #expect(try service.values("title", of: "\(store)/items") == ["new", "t2"])
  }

  @Test("without memory of them nothing is written, and both spellings are named", arguments: ["trim", "lower", "nfc"])
  func forgotten(store: String) async throws {
    _ = try await service.run(Self.sync(store))
    let writes = try service.writes()
    try service.forget()
    let again = try await service.run(Self.sync(store))
    let spellings = [
      "trim": [#"" A1 ""#, #""A1""#], "lower": [#"" A1 ""#, #"" a1 ""#],
      "nfc": [#""Cafe\u{301}""#, #""Caf\u{e9}""#],
    ]
    #expect(again.status == 1, "\(again.output) \(again.errors)")
    #expect(try #require(spellings[store]).allSatisfy(again.errors.contains), "\(again.errors)")
    #expect(again.errors.contains("own/items/") && again.errors.contains("\(store)/items/"), "\(again.errors)")
    #expect(try service.writes() == writes)
  }

  @Test("two keys of the source that a service may store as one are not sent, unless they are said to differ")
  func alike() async throws {
    try service.put("own/items", #"[{"id": 1, "code": "A1", "title": "t"}, {"id": 2, "code": "a1 ", "title": "u"}]"#)
    let refused = try await service.run(Self.sync("exact"))
    #expect(
      refused.status == 1 && refused.errors.contains("own/items/1 and own/items/2 differ only"), "\(refused.errors)")
    #expect(try service.writes().isEmpty)
    try await service.run(Self.sync("exact", "--exact-keys")).succeeded(printing: "2 created\n")
    // Both are there now, each under its own key.
    try await service.run(Self.sync("exact")).succeeded(printing: "exact/items: 2 unchanged\n")
  }

  @Test("a record whose key is not stored is not created again") func dropped() async throws {
    let first = try await service.run(Self.sync("drop"))
    #expect(first.errors.contains("is not stored"), "\(first.errors)")
    let writes = try service.writes()
    try await service.run(Self.sync("drop")).failed(1, saying: "has not stored its key")
    #expect(try service.writes() == writes)
  }

  @Test("what is remembered of one service counts for no other at the same host") func places() async throws {
    try service.put("own/items", #"[{"id": 1, "code": "Alpha", "title": "mine"}]"#)
    try await service.run(Self.sync("lower"), Self.sync("drop")).succeeded()
    try service.put("exact/items", #"[{"id": 1, "code": "alpha", "title": "another"}]"#)
    let writes = try service.writes()
    try await service.run(Self.sync("exact")).failed(1, saying: "differ only")
    #expect(try service.writes() == writes)
    #expect(try service.values("title", of: "exact/items") == ["another"])
    // A key that was dropped in one target is unknown in another.
    try await service.run(Self.sync("own2")).succeeded(printing: "1 created\n")
  }

  @Test("a record that has got the key of one that is gone is another one") func replaced() async throws {
    try service.put("own/items", #"[{"id": 1, "code": "Alpha", "title": "mine"}]"#)
    _ = try await service.run(Self.sync("lower"))
    try service.put("lower/items", #"[{"id": 9, "code": "alpha", "title": "another"}]"#)
    try await service.run(Self.sync("lower")).failed(1, saying: "differ only")
    #expect(try service.values("title", of: "lower/items") == ["another"])
  }

  @Test("the rows of an import belong to one service of several at a host") func resumed() async throws {
    let rows = (1...3).map { #"{"code":"c\#($0)","title":"t"}"# + "\n" }.joined()
    let file = try service.home.write(rows, to: "rows.ndjson")
    let failed = try await service.run("import full/items \(file) --jobs 1")
    #expect(failed.status != 0 && !failed.errors.isEmpty, "\(failed.output) \(failed.errors)")
    try await service.run("import own2/items \(file) --jobs 1").succeeded(printing: "3 created\n")
    #expect(try service.values("code", of: "own2/items") == ["c1", "c2", "c3"])
  }

  @Test("a response that shows no key is no proof that there is none", arguments: ["slim", "lowerslim"])
  func slim(store: String) async throws {
    try service.put("own/items", #"[{"id": 1, "code": "Alpha", "title": "t"}]"#)
    let first = try await service.run(Self.sync(store))
    #expect(first.status == 0 && !first.errors.contains("is not stored"), "\(first.errors)")
    #expect(first.errors.contains("is stored as") == (store == "lowerslim"), "\(first.errors)")
    try await service.run(Self.sync(store)).succeeded(printing: "\(store)/items: 1 unchanged\n")
  }

  @Test("--exact-keys creates a record again whose key was not stored") func again() async throws {
    _ = try await service.run(Self.sync("drop"))
    let refused = try await service.run(Self.sync("drop"))
    #expect(refused.errors.contains("--exact-keys"), "\(refused.errors)")
    let run = try await service.run("sync own/items drop/items --key code --map owner= --exact-keys")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "2 created (2 of them not stored as sent)\n", "\(run.output)")
  }

  @Test("a comparison takes remembered keys for equal") func compared() async throws {
    let run = try await service.run(
      Self.sync("lower"), "diff own/items lower/items --key code --map owner= --exit-code")
    #expect(run.status == 0 && run.output == "2 created\nno differences\n", "\(run.output) \(run.errors)")
  }

  @Test("a key that differs from a stored one is named as such") func taken() async throws {
    try service.put("own/items", #"[{"id": 1, "code": "Alpha"}]"#)
    _ = try await service.run(Self.sync("lower"))
    try service.put("own/items", #"[{"id": 1, "code": "Alpha"}, {"id": 2, "code": "alpha"}]"#)
    let run = try await service.run(Self.sync("lower"))
    #expect(
      run.status == 1 && run.errors.contains("own/items/1 is stored as alpha, which is the key of own/items/2"),
      "\(run.errors)")
  }
}
