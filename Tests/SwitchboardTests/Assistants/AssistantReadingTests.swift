import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The records that assistants read by `switchboard mcp`, and those that they cannot.
@Suite struct AssistantReadingTests {
  @Test func `Parts of a list together have each record once, and say how many are left`() async throws {
    let world = try await ServedWorld("jsonplaceholder", seed: 300)
    let assistant = try Assistant(world.home, [], "--backend", "jsonplaceholder")
    var result = try await assistant.call("list", ["target": "jsonplaceholder/comments", "limit": 200])
    var (ids, parts) = ([Int](), 0)
    while true {
      parts += 1
      ids += result.records.compactMap { $0["id"] as? Int }
      #expect(!result.isError && result.text.utf8.count < 18 << 10, "\(result.error)")
      guard let cursor = result.cursor else { break }
      #expect(result.content["left"] as? Int == 300 - ids.count)
      result = try await assistant.call("list", ["cursor": cursor])
    }
    #expect(ids == Array(1...300))
    #expect(parts > 3)

    let rows = try await assistant.call(
      "sql", ["statement": "-- all\nSELECT id, body FROM jsonplaceholder.comments ORDER BY id DESC"])
    let left = try #require(rows.content["left"] as? Int)
    #expect(rows.records.count + left == 300)
    let rest = try await assistant.call("sql", ["cursor": try #require(rows.cursor)])
    #expect(rest.records.first?["id"] as? Int == left)
    try await assistant.end()
  }

  @Test func `Tools are the commands of the same name`() async throws {
    let world = try await ServedWorld("kitura", "grails")
    let log = world.home.folder.path + "/log"
    let assistant = try Assistant(world.home, ["--log", log], "--backend", "kitura")
    let backends = try await assistant.call("backends")
    #expect((backends.content["backends"] as? [[String: Any]])?.map { $0["name"] as? String } == ["kitura"])
    let resources = try await assistant.call("describe", ["target": "kitura"])
    #expect(resources.content["resource"] as? String == "todos" && resources.content["address"] == nil)
    let open = try await assistant.call(
      "list", ["target": "kitura/todos", "where": "completed = false", "sort": "-order", "fields": "title,order"])
    let shown = try await world.run("list kitura/todos completed=false --sort -order --fields title,order -o json\n")
      .rows()
    #expect(open.records as NSArray == shown as NSArray)
    let count = try await assistant.call(
      "sql", ["statement": "SELECT count(*) AS n FROM kitura.todos WHERE NOT completed"])
    #expect(count.records.first?["n"] as? Int == shown.count)
    let one = try await assistant.call("get", ["target": "kitura/todos", "ids": [0, "99"]])
    #expect(one.isError && one.error.contains("1 read, 1 failed"))
    // A call that becomes no command is logged, too.
    #expect(try await assistant.call("list", ["target": "grails/announcements"]).isError)
    try await assistant.end()
    let lines = try String(contentsOfFile: log, encoding: .utf8).jsonLines().compactMap { $0["command"] as? String }
    #expect(lines.map { $0.prefix { $0 != " " } } == ["backends", "describe", "list", "sql", "get", "list"])
  }

  @Test func `Nothing writes, and only named backends exist, one in each call`() async throws {
    let world = try await ServedWorld("kitura", "grails", "baasic")
    let assistant = try Assistant(world.home, [], "--backend", "kitura", "--backend", "grails")
    for (tool, arguments, sentence) in [
      ("sql", ["statement": "DELETE FROM kitura.todos"], "sql reads with SELECT only"),
      ("sql", ["statement": "SELECT * FROM baasic.todo"], "unknown backend \"baasic\""),
      ("sql", ["statement": "SELECT * FROM \"grails:http://127.0.0.1:1\".x"], "only backends of the configuration"),
      ("list", ["target": "baasic/todo"], "unknown backend \"baasic\""),
      (
        "sql", ["statement": "SELECT * FROM kitura.todos JOIN grails.announcements USING (title)"],
        "a call reads one backend, and this one reads kitura"
      ),
    ] {
      let result = try await assistant.call(tool, arguments)
      #expect(result.isError && result.error.contains(sentence), "\(arguments): \(result.text)")
    }
    try await assistant.end()
    #expect(try await world.run("count kitura/todos\n").output == "8\n")

    let joining = try Assistant(world.home, [], "--backend", "kitura", "--backend", "grails", "--join")
    let joined = try await joining.call(
      "sql", ["statement": "SELECT count(*) AS n FROM kitura.todos, grails.announcements"])
    #expect(joined.records.first?["n"] as? Int == 48)
    try await joining.end()
  }

  @Test func `A production backend is named with --production`() async throws {
    let world = try await ServedWorld("kitura", label: "production")
    let refused = try await world.home.runProgram("", ["mcp", "--backend", "kitura"])
    #expect(refused.status == 2 && refused.errors.contains("kitura is a production backend (--production permits it)"))
    let assistant = try Assistant(world.home, [], "--backend", "kitura", "--production")
    let labels = try await assistant.call("backends").content["backends"] as? [[String: Any]]
    #expect(labels?.first?["label"] as? String == "production")
    try await assistant.end()
  }

  @Test func `A call ends at its bounds, and the next one has bounds of its own`() async throws {
    let world = try await ServedWorld("jsonplaceholder", seed: 300)
    let assistant = try Assistant(world.home, [], "--backend", "jsonplaceholder", "--max-requests", "1")
    let many = try await assistant.call("sql", ["statement": "SELECT id, body FROM jsonplaceholder.comments"])
    #expect(many.isError && many.error.contains("a call may send 1 request"), "\(many.text)")
    #expect(try await assistant.call("get", ["target": "jsonplaceholder/users", "ids": [1]]).records.count == 1)
    try await assistant.end()

    let demo = try await DemoProcess.late("fault.count=1")
    let config = try demo.configuration(in: world.home)
    let waiting = try Assistant(world.home, config: config, [], "--backend", "intranet", "--timeout", "1s")
    let late = try await waiting.call("get", ["target": "intranet/announcements", "ids": [1]])
    #expect(late.isError && late.error.contains("the call took longer than 1"))
    try await waiting.end()
  }

  @Test func `Control characters reach a client only as escapes`() async throws {
    let world = try await ServedWorld("kitura")
    let title = "a\u{1B}]0;b\u{7}\u{202E}\u{9B}31m"
    _ = try await world.run("create kitura/todos title=\"a\\u{1b}]0;b\\u{7}\\u{202e}\\u{9b}31m\" user=x order=9\n")
    let assistant = try Assistant(world.home, [], "--backend", "kitura")
    let found = try await assistant.call("list", ["target": "kitura/todos", "where": "order = 9"])
    #expect(found.records.first?["title"] as? String == title)
    // Models and people read the text as it is.
    #expect(found.text.contains(#"\u001b"#) && found.text.contains(#"\u202e"#) && found.text.contains(#"\u009b"#))
    let failed = try await assistant.call("list", ["target": "kitura/todos", "sort": title])
    #expect(failed.isError && !failed.error.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    let ending = try await assistant.end()
    #expect(!ending.bytes.contains(0x1B) && !ending.output.unicodeScalars.contains("\u{202E}"))
  }

  @Test(arguments: [true, false]) func `Secret fields do not exist`(isDescribed: Bool) async throws {
    let service = try await PythonServer("../Server/secrets.py")
    let home = try ConsoleRun.Home()
    let field = isDescribed ? "{type: text, secret: true}" : "text"
    _ = try home.write(
      """
      preset: plain
      identifier: {type: integer}
      page: {style: none}
      resources:
        items:
          fields:
            id: {type: integer, readOnly: true}
            title: text
            phrase: \(field)
            vault: {type: object, fields: {pin: \(field), shelf: integer}}
          filter: {fields: [phrase, title], conditions: {"=": {template: "{field}", accuracy: exact}}}
        drafts: {}
      """, to: "s.yaml")
    let secrets = isDescribed ? "" : #", "secrets": ["phrase", "pin"]"#
    let config = try home.write(
      """
      {"switchboard": 1, "backends": {"s": {"plugin": "rest", "url": "\(service.address)", "description": "s.yaml"\(secrets)}}}
      """, to: "s.json")
    let assistant = try Assistant(home, config: config, [], "--backend", "s")
    var texts: [String] = []
    for (tool, arguments) in [
      ("describe", ["target": "s/items"]), ("describe", ["target": "s/drafts"]), ("list", ["target": "s/items"]),
      ("list", ["target": "s/drafts"]), ("get", ["target": "s/items", "ids": [1]]),
      ("sql", ["statement": "SELECT *, _record FROM s.items"]), ("sql", ["statement": "SELECT * FROM s.drafts"]),
      ("get", ["target": "s/items", "ids": [9]]),
    ] as [(String, [String: Any])] {
      texts.append(try await assistant.call(tool, arguments).text)
    }
    #expect(texts[2].contains("item 3") && texts[4].contains("item 1") && texts[4].contains("shelf"), "\(texts)")
    for text in texts.dropLast() {
      #expect(!["phrase", "\"pin\"", "cret"].contains(where: text.contains), "\(text)")
    }
    #expect(!(texts.last ?? "").contains("cret phrase"))
    for (tool, arguments) in [
      ("list", ["target": "s/items", "where": "phrase ~ 's'"]), ("list", ["target": "s/items", "sort": "phrase"]),
      ("list", ["target": "s/items", "fields": "id,vault.pin"]),
      ("list", ["target": "s/drafts", "where": "phrase > 'a'"]),
      ("get", ["target": "s/items", "ids": [1], "fields": "phrase"]),
      ("sql", ["statement": "SELECT id FROM s.items WHERE phrase > 'a'"]),
    ] as [(String, [String: Any])] {
      let result = try await assistant.call(tool, arguments)
      #expect(result.isError && result.records.isEmpty, "\(arguments): \(result.text)")
    }
    try await assistant.end()
  }
}
