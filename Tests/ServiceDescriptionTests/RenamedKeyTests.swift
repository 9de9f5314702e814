import BackendKit
import Testing

@testable import ServiceDescription

@Suite struct RenamedKeyTests {
  private func refusals(_ text: String, file: String = "services.yaml") -> [String] {
    do {
      _ = try Description(reading: Array(text.utf8), file: file).service()
      return []
    } catch { return error.reported.map(\.description) }
  }

  private func migrated(_ text: String, file: String = "services.yaml") throws -> (text: String, changes: [String]) {
    let migration = try KeyMigration(of: Array(text.utf8), file: file)
    return (
      String(decoding: migration.bytes, as: UTF8.self),
      migration.changes.map { "\($0.place.line ?? 0): \($0.old) → \($0.new)" }
    )
  }

  @Test func `no former name is a present one of the same section, and none is there twice`() {
    for section in Section.ordered {
      let former = section.keys.compactMap(\.formerly)
      #expect(former.filter { section.key($0) != nil } == [], "\(section.name)")
      #expect(Set(former).count == former.count, "\(section.name)")
    }
    #expect(RenamedKey.all.contains { $0.section == .records && $0.old == "okAt" && $0.new == "successFlag" })
  }

  @Test func `the table of the reference has every former name`() {
    let table = RenamedKey.markdown()
    for key in RenamedKey.all {
      #expect(table.contains("| `\(key.old)` | `\(key.new)` | "), "\(key)")
    }
    #expect(DescriptionReference.markdown().hasSuffix(table))
  }

  @Test(
    "each former name is refused wherever it was one, and migrated to what is not refused", arguments: RenamedKey.all)
  func each(_ key: RenamedKey) throws {
    let shape = try #require(Section.of(key.section).key(key.new)?.shape)
    var check = Check()
    let place = Place(file: "a.yaml", line: 1, column: 1)
    let node = Node(
      place: place,
      content: .map([Node.Member(name: key.old, place: place, node: KeyTests.example(shape, depth: 12))]))
    check.check(node, .section(key.section))
    #expect(check.renamed == [KeyMigration.Change(place: place, old: key.old, new: key.new)])
    #expect(check.mistakes.first?.message == "this key is now \(key.new)")
  }

  @Test func `a former key is refused with the line as it has to be`() {
    #expect(
      refusals("records:\n  okAt: status\n  at: [a, b]\nothers: {}\nsize: {over: clamp}\n") == [
        """
        services.yaml:2: records.okAt: this key is now successFlag; write "successFlag: status", or run config migrate \
        services.yaml
        """,
        "services.yaml:3: records.at: this key is now listPath; write \"listPath:\"",
        "services.yaml:4: others: this key is now fallbackResource; write \"fallbackResource:\"",
        "services.yaml:5: size.over: this key is now whenTooLarge; write \"whenTooLarge: clamp\"",
      ])
    #expect(
      refusals(#"{"records": {"okAt": "meta.ok"}}"#, file: "a.json") == [
        #"a.json:1: records.okAt: this key is now successFlag; write "successFlag": "meta.ok", or run config migrate a.json"#
      ])
  }

  @Test func `a file of YAML keeps its comments, its layout and every text that only looks like a key`() throws {
    let text = """
      # okAt: as it was
      preset: plain   # others: none
      records:   {"at": rows, 'okAt': "okAt: yes"} # at
      filter:
        conditions:
          "=": {template: "{field}", is: exact}
      resources:
        okAt:
          fields:
            at: {type: text, limited: true, note: "limited: true"}
            because: text
          remarks: {at: 1, okAt: {limited: true}}
          create: {parameters: {at: "1", over: x}}
        ümläute: {page: {style: offset, parameter: at, lastOffset: 5}, because: {from: probe, seen: "GET /at: ü"}}
      others: {}

      """
    let (found, changes) = try migrated(text)
    #expect(
      found == """
        # okAt: as it was
        preset: plain   # others: none
        records:   {"listPath": rows, 'successFlag': "okAt: yes"} # at
        filter:
          conditions:
            "=": {template: "{field}", accuracy: exact}
        resources:
          okAt:
            fields:
              at: {type: text, restrictedValues: true, note: "limited: true"}
              because: text
            hookData: {at: 1, okAt: {limited: true}}
            create: {parameters: {at: "1", over: x}}
          ümläute: {page: {style: offset, parameter: at, maximumOffset: 5}, source: {from: probe, evidence: "GET /at: ü"}}
        fallbackResource: {}

        """)
    #expect(
      changes == [
        "3: at → listPath", "3: okAt → successFlag", "6: is → accuracy", "10: limited → restrictedValues",
        "12: remarks → hookData", "14: lastOffset → maximumOffset", "14: because → source", "14: seen → evidence",
        "15: others → fallbackResource",
      ])
    #expect(try migrated(found) == (found, []))
    #expect(refusals(found) == [])
  }

  @Test("line ends and a byte-order mark stay", arguments: ["\r\n", "\n"], ["", "\u{FEFF}"])
  func bytes(_ end: String, _ mark: String) throws {
    let text = "\(mark)others: {}\(end)records: {at: a}\(end)"
    #expect(try migrated(text).text == "\(mark)fallbackResource: {}\(end)records: {listPath: a}\(end)")
    let json = "\(mark){\"others\": {},\(end)\"records\": {\"at\": \"a\"}}"
    #expect(
      try migrated(json, file: "a.json").text
        == "\(mark){\"fallbackResource\": {},\(end)\"records\": {\"listPath\": \"a\"}}")
  }

  @Test func `JSON and the descriptions in a configuration are rewritten alike`() throws {
    #expect(
      try migrated("{\n  \"records\": {\"at\": \"at\"},\n\t\"others\":{}}", file: "a.json").text
        == "{\n  \"records\": {\"listPath\": \"at\"},\n\t\"fallbackResource\":{}}")
    let configuration = """
      {"switchboard": 1, "settings": {"at": 1}, "backends": {
        "others": {"plugin": "rest", "url": "http://h", "options": {"because": 1},
          "override": {"size": {"over": "clamp"}, "because": "author"}}}}
      """
    let (found, changes) = try migrated(configuration, file: "config.json")
    #expect(
      found
        == configuration.replacing(text: "\"over\"", with: "\"whenTooLarge\"")
        .replacing(text: "\"because\": \"author\"", with: "\"source\": \"author\""))
    #expect(changes == ["3: over → whenTooLarge", "3: because → source"])
  }

  @Test func `other mistakes are left alone, and what cannot be replaced safely is told`() throws {
    #expect(try migrated("sizes: 1\nothers: {}\n").text == "sizes: 1\nfallbackResource: {}\n")
    #expect(throws: Mistakes.self) { try migrated("others: {}\nfallbackResource: {}\n") }
    #expect(throws: Mistakes.self) { try migrated(#"{"oth\u0065rs": {}}"#, file: "a.json") }
    #expect(
      try migrated("resources:\n  a: {records: &x {at: a}}\n  b: {records: *x}\n").text
        == "resources:\n  a: {records: &x {listPath: a}}\n  b: {records: *x}\n")
    // The same map as two sections; one still has the key.
    #expect(throws: Mistakes.self) { try migrated("hooks: &x {wrap: a/b}\ncreate: *x\n") }
    #expect(throws: Mistakes.self) { try migrated("records: {at: [}\n") }
  }
}
