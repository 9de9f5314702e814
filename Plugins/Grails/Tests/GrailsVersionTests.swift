import AdapterSupport
import BackendKit
import Testing

/// The version of the interface, wherever an application wants to read it.
@Suite struct GrailsVersionTests {
  private let announcements = GrailsServer.announcements

  private func requests(_ options: [(String, Value)]) async throws -> [HTTPRequest] {
    let fixture = try FixtureServer(FixtureServer.answer(200, [], #"{"id":1,"title":"T","body":null}"#))
    let exchange = try RecordedExchange(fixture)
    let backend = try PluginLibrary("grails").backend(exchange, options: options)
    _ = try await backend.get("1", from: announcements)
    _ = try await backend.update("1", in: announcements, changes: [.set("title", "T")], revision: nil)
    return exchange.requests
  }

  @Test func `any version is named in a header, in reads and in writes`() async throws {
    for request in try await requests([("apiVersion", "3.1-rc")]) {
      #expect(request.header("Accept-Version") == "3.1-rc")
      #expect(request.header("Accept") == "application/json")
    }
  }

  @Test func `none is named nowhere`() async throws {
    for request in try await requests([("apiVersion", "none")]) {
      #expect(request.header("Accept-Version") == nil)
      #expect(request.header("Accept") == "application/json")
    }
  }

  @Test func `in the media type it stands alone`() async throws {
    for request in try await requests([("apiVersion", "1.0"), ("versionIn", "accept")]) {
      #expect(request.header("Accept-Version") == nil)
      #expect(request.header("Accept") == "application/json;v=1.0")
    }
  }

  @Test func `a vendor's media type follows the version`() async throws {
    let options: [(String, Value)] = [
      ("versionIn", "accept"), ("mediaType", "application/vnd.intranet.announcement+json;v={version}"),
    ]
    for request in try await requests([("apiVersion", "1.0")] + options) {
      #expect(request.header("Accept") == "application/vnd.intranet.announcement+json;v=1.0")
    }
    let server = try await GrailsServer.start()
    for (version, unloaded) in [("1.0", []), ("2.0", ["body"])] as [(String, [String])] {
      let record = try await server.backend(version, options: options).page(ListQuery(announcements)).records.first
      #expect(record?.unloaded == unloaded)
    }
    for request in try await requests([("apiVersion", "none")] + options) {
      #expect(request.header("Accept") == "application/json")
    }
  }

  @Test func `of a version of another name a list may leave bodies out`() async throws {
    let list = FixtureServer.json(200, #"[{"id":1,"title":"T","body":"<p>x"},{"id":2,"title":"U"}]"#)
    let exchange = try RecordedExchange(try FixtureServer(list))
    let backend = try library.backend(exchange, options: [("apiVersion", "1.1")])
    let records = try await backend.page(ListQuery(announcements, pageSize: 10)).records
    #expect(records.map(\.unloaded) == [[], ["body"]] && records.first?.fields["body"] == "<p>x")
    for (version, fields, isLikely) in [("1.0", [], false), ("2.0", ["body"], false), ("v3", ["body"], true)]
      as [(String, [String], Bool)]
    {
      let can = try await library.backend(exchange, options: [("apiVersion", .string(version))]).describe(.known)
        .resources.first?.capabilities
      #expect(can?.unlistedFields == fields && can?.unlistedIsLikely == isLikely, "\(version)")
    }
  }

  @Test func `other domain classes stand beside the announcements`() async throws {
    let server = try await GrailsServer.start()
    server.exchange.set("grails.singular=v2")
    let notices = ResourcePath(name: "notices")
    let resources = try JSONReader.read(
      #"{"notices": {"readPath": "announcement", "fields": {"title": "text", "body": "html"}}, "announcement": null}"#)
    let backend = try server.backend(options: [("resources", resources)])
    #expect(try await backend.describe(.known).resources.map(\.name) == ["announcements", "notices", "announcement"])
    // Nobody has said that a list of them is whole.
    let listed = try await backend.page(ListQuery(notices)).records
    #expect(listed.count == 6 && listed.allSatisfy { $0.unloaded == ["body"] })
    let made = try await backend.create(Object([("title", " A "), ("body", .null)]), in: notices)
    let id = try #require(made.id)
    #expect(try await backend.get(id, from: notices).fields == Object([("id", 7), ("title", "A"), ("body", .null)]))
    _ = try await backend.update(id, in: notices, changes: [.set("body", "b")], revision: nil)
    #expect(try await backend.get(id, from: ResourcePath(name: "announcement")).fields["body"] == "b")
    _ = try await backend.delete(.one(id), from: notices)
    #expect(try await backend.page(ListQuery(announcements)).records.count == 6)
    let wrong = try JSONReader.read(#"{"x": {"fields": {"a": "nonsense"}}}"#)
    let refused = await failure { () throws(BackendError) in
      _ = try library.backend(server.exchange, options: [("resources", wrong)])
    }
    #expect(refused?.code == .misconfigured)
  }

  @Test func `in the path it stands alone`() async throws {
    let paths: [(String, Value)] = [("readPath", "v{version}/announcements"), ("writePath", "v{version}/announcement")]
    let requests = try await requests([("apiVersion", "2"), ("versionIn", "path")] + paths)
    #expect(requests.map(\.summary) == ["GET /v2/announcements/1", "PUT /v2/announcement/1"])
    #expect(requests.allSatisfy { $0.header("Accept-Version") == nil })
  }

  @Test(arguments: [
    [("versionIn", "accept"), ("mediaType", "application/json")], [("apiVersion", "1;q")], [("apiVersion", "")],
    [("versionIn", "path")], [("readPath", "v{version}/announcements")],
  ])
  func `an option that is not a valid version is refused unsent`(_ options: [(String, String)]) async throws {
    let fixture = try FixtureServer(FixtureServer.answer(200, [], "[]"))
    let exchange = try RecordedExchange(fixture)
    let error = await failure { () throws(BackendError) in
      _ = try library.backend(exchange, options: options.map { ($0.0, .string($0.1)) })
    }
    #expect(error?.code == .misconfigured && error?.effect == .notSent)
  }

  private let library: PluginLibrary
  init() throws { library = try PluginLibrary("grails") }
}
