import AdapterSupport
import ConsoleSupport
import Foundation
import Testing

/// Lists in which something stands that is no record, and what the note after a list tells.
@Suite("Lists that are not whole") struct UnreadableRecordTests {
  private func run(
    _ plugin: String, _ body: String, headers: [(String, String)] = [], _ arguments: String...
  ) async throws -> ConsoleRun {
    let server = try SocketServer(SocketServer.answer(200, [("Content-Type", "application/json")] + headers, body))
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "\(plugin)", "url": "\(server.address)"
        \(plugin == "baasic" ? #", "options": {"resources": {"todos": null}}"# : "")}}}
        """)
    return try await home.run("", arguments)
  }

  @Test(
    "the other records are listed; it is said which cannot be read and why, with status 5",
    arguments: [
      ("grails", #"[{"id":1,"title":"a"},{"title":"b"},{"id":3,"title":"c"}]"#, "record 2 cannot be read: "),
      ("kitura", #"[7,{"id":1,"title":"a"},{"id":3,"title":"c"},"x"]"#, "record 1, record 4 cannot be read: "),
      ("jsonplaceholder", #"[{"id":1,"title":"a"},null,{"id":3,"title":"c"}]"#, "record 2 cannot be read: "),
      ("kitura", #"[{"id":1,"title":"a"},{"title":"b"},{"id":3,"title":"c"}]"#, "record 2 cannot be read: it has no"),
      ("jsonplaceholder", #"[{"title":"a"},{"id":1},{"id":{}},{"id":3}]"#, "record 1, record 3 cannot be read: it has"),
      ("baasic", #"{"item":[{"id":"1"},{"title":"b"},{"id":"3"}],"totalRecords":3}"#, "record 2 cannot be read: it"),
      (
        "baasic", #"{"item":[{"id":"1"},{"id":"\ud800"},{"id":"3"}],"totalRecords":3}"#,
        "record 2 cannot be read: identifier \u{FFFD}, member id: a string contains a lone surrogate (byte 33)"
      ),
      (
        "jsonplaceholder", #"[{"id":1},{"id":2,"n":NaN},{"id":3}]"#,
        "record 2 cannot be read: identifier 2, member n: NaN is not a value of JSON (byte 25)"
      ),
      (
        "kitura", #"[{"id":1,"title":"a"},{"id":Infinity,"title":"b"},{"id":3,"title":"c"}]"#,
        "record 2 cannot be read: member id: Infinity is not a value of JSON (byte 36)"
      ),
    ])
  func listed(plugin: String, body: String, sentence: String) async throws {
    let resource = plugin == "grails" ? "announcements" : "todos"
    for command in ["list a/\(resource) --all -o id", "list a/\(resource) title!=x --all -o id"] {
      let run = try await run(plugin, body, "-c", command)
      #expect((run.status, run.output) == (5, "1\n3\n"), "\(run.errors)")
      #expect(run.errors.contains("the list is incomplete: \(sentence)"), "\(run.errors)")
    }
    let count = try await run(plugin, body, "-c", "count a/\(resource) title!=x")
    #expect(count.status == 5)
    let loop = try await run(
      plugin, body, "-c", "for row in (list a/\(resource) --all)\n  get a/\(resource) $row.id\nend")
    #expect((loop.status, loop.output) == (5, ""))
  }

  @Test func `half a surrogate pair is shown as a replacement character, with a warning`() async throws {
    let body = #"[{"id":1,"title":"a"},{"id":2,"title":"x\ud800"},{"id":3,"title":"c"}]"#
    let run = try await run("grails", body, "-c", "list a/announcements --all -o ndjson")
    #expect(run.status == 0 && run.output.contains("\"x\u{FFFD}\""), "\(run.errors)")
    #expect(
      run.errors.contains(
        "warning: record 2: identifier 2, member title: a string contains a lone surrogate (byte 46), shown as \u{FFFD}"
      ),
      "\(run.errors)")
  }

  @Test("where nothing is a record this is not a list") func none() async throws {
    let run = try await run("grails", #"[{"title":"a"},{"title":"b"}]"#, "-c", "list a/announcements -o id")
    #expect((run.status, run.output) == (1, ""))
  }

  @Test("the note after a page of a filtered list tells how many there are at most") func total() async throws {
    let body = "[" + (1...3).map { #"{"userId":1,"id":\#($0),"title":"x"}"# }.joined(separator: ",") + "]"
    let headers = [("X-Total-Count", "20")]
    let text = try await run("jsonplaceholder", body, headers: headers, "-c", "list a/todos userId=1 -n 2 -o id")
    #expect((text.status, text.output) == (0, "1\n2\n"))
    #expect(text.errors.contains("1–2 of at most 20, more: next\n"), "\(text.errors)")
    let json = try await run(
      "jsonplaceholder", body, headers: headers, "--errors", "json", "-c", "list a/todos userId=1 -n 2 -o id")
    #expect(json.errors.contains(#""first":1,"count":2,"totalAtMost":20}"#), "\(json.errors)")
    let whole = try await run(
      "jsonplaceholder", body, headers: headers, "--errors", "json", "-c", "list a/todos -n 2 -o id")
    #expect(whole.errors.contains(#""first":1,"count":2,"total":20}"#), "\(whole.errors)")
  }
}

/// Header fields that the configuration sets and the adapter would send, too.
@Suite("Configured headers") struct ConfiguredHeaderTests {
  @Test("are sent as they stand in the configuration") func sent() async throws {
    let server = try SocketServer(SocketServer.json(200, "[]"))
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "grails", "url": "\(server.address)", "headers":
          {"accept-language": "zh-CN", "Accept": "application/vnd.x+json"}}}}
        """)
    try await home.run(commands: "list a/announcements").succeeded()
    let request = try #require(server.texts.first)
    for field in ["accept-language: zh-CN", "Accept: application/vnd.x+json"] {
      #expect(request.contains("\r\n\(field)\r\n"), "\(request)")
    }
    #expect(request.lowercased().components(separatedBy: "\r\naccept-language:").count == 2)
  }

  @Test("those that follow from the request are refused", arguments: ["Host", "content-type", "Content-Length"])
  func refused(name: String) async throws {
    let home = try ConsoleRun.Home(
      configuration:
        #"{"switchboard": 1, "backends": {"a": {"plugin": "grails", "url": "http://x", "headers": {"\#(name)": "x"}}}}"#
    )
    let run = try await home.run(commands: "count")
    #expect((run.status, run.output) == (3, ""))
    #expect(run.errors.contains("backends.a.headers.\(name): \(name) cannot be configured: it is derived from"))
  }
}
