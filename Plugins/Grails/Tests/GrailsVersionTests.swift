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

  @Test func `in the path it stands alone`() async throws {
    let paths: [(String, Value)] = [("readPath", "v{version}/announcements"), ("writePath", "v{version}/announcement")]
    let requests = try await requests([("apiVersion", "2"), ("versionIn", "path")] + paths)
    #expect(requests.map(\.summary) == ["GET /v2/announcements/1", "PUT /v2/announcement/1"])
    #expect(requests.allSatisfy { $0.header("Accept-Version") == nil })
  }

  @Test(arguments: [
    [("apiVersion", "1;q")], [("apiVersion", "")], [("versionIn", "path")], [("readPath", "v{version}/announcements")],
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
