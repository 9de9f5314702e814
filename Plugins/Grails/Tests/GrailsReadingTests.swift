import AdapterSupport
import BackendKit
import Testing

@Suite struct GrailsReadingTests {
  private let all = ListQuery(GrailsServer.announcements)

  @Test func `reads go to the plural path with a version and ask for JSON in English`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend("1.0")
    _ = try await backend.page(all)
    _ = try await backend.get("2", from: GrailsServer.announcements)
    #expect(
      server.exchange.summaries == [
        "GET /announcements?max=10&offset=0&sort=id&order=asc", "GET /announcements/2",
      ])
    for request in server.exchange.requests {
      #expect(request.header("Accept-Version") == "1.0")
      #expect(request.header("Accept") == "application/json")
      #expect(request.header("Accept-Language") == "en")
      #expect(request.effect == .read)
    }
  }

  @Test func `a list of version 2 does not load bodies, a get does`() async throws {
    let backend = try await GrailsServer.start().backend("2.0")
    let row = try #require(try await backend.page(all).records.first)
    #expect(row.unloaded == ["body"])
    #expect(row.fields.names == ["id", "title"])
    #expect(row.state(of: FieldPath("body")) == .unloaded)
    let whole = try await backend.get("1", from: GrailsServer.announcements)
    #expect(whole.isWhole)
    #expect(whole.fields.names == ["id", "title", "body"])
    #expect(whole.fields["body"]?.text?.contains("<p>") == true)
  }

  @Test func `a body that is not written is null in a list of version 1 and in a get of either`() async throws {
    let server = try await GrailsServer.start(seed: 6, "--set", "grails.nullbody=yes")
    let first = try server.backend("1.0")
    let rows = try await first.page(all).records
    #expect(rows.allSatisfy { $0.isWhole })
    #expect(rows.last?.fields["body"] == .null)
    #expect(rows.first?.fields["body"]?.text != nil)
    let second = try server.backend("2.0")
    for backend in [first, second] {
      let record = try await backend.get("6", from: GrailsServer.announcements)
      #expect(record.fields["body"] == .null)
      #expect(record.isWhole)
    }
    #expect(try await second.page(all).records.last?.state(of: FieldPath("body")) == .unloaded)
  }

  @Test func `both versions list the same records but for their bodies`() async throws {
    let server = try await GrailsServer.start(seed: 25)
    var first = try await server.backend("1.0").page(all).records
    let second = try await server.backend("2.0").page(all).records
    for place in first.indices {
      first[place].fields["body"] = nil
      first[place].unloaded = ["body"]
    }
    #expect(first == second)
    #expect(first.count == 10)
  }

  @Test func `unknown fields, a version and any order of members are kept and tolerated`() async throws {
    let row = #"{"version":7,"title":"T","tags":["a",1.10],"body":"B","id":3}"#
    let fixture = try FixtureServer(FixtureServer.json(200, "[\(row)]"), FixtureServer.json(200, row))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let listed = try #require(try await backend.page(all).records.first)
    #expect(listed.id == "3")
    #expect(listed.fields.names == ["id", "title", "version", "tags"])
    #expect(listed.fields["tags"].map(JSONWriter.compact) == #"["a",1.10]"#)
    // Lists of this version do not load bodies, whatever they show.
    #expect(listed.unloaded == ["body"])
    let record = try await backend.get("3", from: GrailsServer.announcements)
    #expect(record.fields.names == ["id", "title", "body", "version", "tags"] && record.isWhole)
  }

  @Test func `identifiers keep all of their 64 bits`() async throws {
    let fixture = try FixtureServer(
      FixtureServer.json(200, #"[{"id":9007199254740993,"title":"T"}]"#),
      FixtureServer.json(200, #"{"id":9223372036854775807,"title":"T"}"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    #expect(try await backend.page(all).records.first?.id == "9007199254740993")
    let last = RecordID(String(Int64.max))
    #expect(try await backend.get(last, from: GrailsServer.announcements).id == last)
    #expect(fixture.requests.last == "GET /announcements/9223372036854775807 HTTP/1.1")
  }

  @Test(arguments: ["abc", "2.json", "+1", "01", "", "..", "9223372036854775808"])
  func `what is no identifier is refused before anything is sent`(text: String) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let id = RecordID(text)
    let errors = [
      await failure { () throws(BackendError) in _ = try await backend.get(id, from: GrailsServer.announcements) },
      await failure { () throws(BackendError) in
        _ = try await backend.delete(.one(id), from: GrailsServer.announcements)
      },
      await failure { () throws(BackendError) in
        _ = try await backend.update(
          id, in: GrailsServer.announcements, changes: [.set("title", "T")], revision: nil)
      },
    ]
    for error in errors {
      #expect(error?.code == .invalid)
      #expect(error?.effect == .notSent)
    }
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `a body of foreign HTML comes through unchanged and is declared as such`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let body = "<p>caf\u{e9}&nbsp;\u{1B}[2J</p><iframe src=\"//example.org\"></iframe>"
    let receipt = try await backend.create(
      Object([("title", "a\u{7}b"), ("body", .string(body))]), in: GrailsServer.announcements)
    let record = try await backend.get(try #require(receipt.id), from: GrailsServer.announcements)
    #expect(record.fields["body"] == .string(body))
    #expect(record.fields["title"] == "a\u{7}b")
    let resource = try await backend.describe(.known).resource(named: "announcements")
    #expect(resource?.field(named: "body")?.kind == .html)
  }

  @Test(arguments: [
    ("[{\"title\":\"T\"}]", "instead of a record with an id"), ("[3]", "instead of a record with an id"),
    ("{\"message\":\"hello\"}", "not a list"), ("<html>", "not a JSON list"), ("", "not a JSON list"),
    ("[{\"id\":1,\"title\":\"T\"}", "not a JSON list"),
  ])
  func `a success that holds no list of records is a bad answer`(body: String, words: String) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(200, [("Content-Type", "application/json")], body))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in _ = try await backend.page(all) }
    #expect(error?.code == .badResponse)
    #expect(error?.message.contains(words) == true)
  }

  @Test(arguments: ["application/json", "application/json; charset=utf-8", "text/html"])
  func `what counts is that the answer can be read, not the name of its type`(type: String) async throws {
    let fixture = try FixtureServer(
      FixtureServer.answer(200, [("Content-Type", type)], #"[{"id":1,"title":"T"}]"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    #expect(try await backend.page(all).records.count == 1)
  }

  @Test func `another record than the one asked for is a bad answer`() async throws {
    let fixture = try FixtureServer(FixtureServer.json(200, #"{"id":4,"title":"T"}"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in
      _ = try await backend.get("3", from: GrailsServer.announcements)
    }
    #expect(error?.code == .badResponse)
  }
}
