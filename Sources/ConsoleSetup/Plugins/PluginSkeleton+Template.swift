// The templates of the files of an adapter.
extension PluginSkeleton {
  var plugin: String {
    """
    import BackendKit

    let plugin = Plugin(
      name: "\(name)", version: "0.1.0", summary: "\(name) of our service", options: \(type)Service.options,
      prepare: { settings throws(BackendError) in PreparedBackend(try \(type)Service(settings).service) })

    @c(switchboard_plugin)
    public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }

    """
  }

  var service: String {
    """
    import BackendKit

    /// A service that sends records as JSON: all of them for `GET /\(name)`, one for `GET /\(name)/ID`.
    ///
    /// `Service` and its parts have the other facts that can be described; the tests check what is described here.
    struct \(type)Service {
      static let options = [
        OptionDescription("path", .text, default: "\(name)", help: "the path of the records, below the backend's address")
      ]

      private let path: RequestPath

      init(_ settings: BackendSettings) throws(BackendError) {
        path = try settings.path("path", of: Self.options)
      }

      var service: Service {
        let records = Service.Resource(
          "\(name)", at: path, identifier: IdentifierRule(field: "id", form: .integer),
          fields: [FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text)])
        // Other things that the service can do: records.paging, records.creating, records.updating, records.deleting…
        return Service(
          product: "\(name)", resources: [records], inspection: Service.Inspection(readsList: true))
      }
    }

    """
  }

  var tests: String {
    """
    import BackendConformance
    import BackendKit
    import BackendTestSupport
    import Foundation
    import Testing

    @testable import \(module)

    @Suite struct \(type)Tests {
      private let path = ResourcePath(name: "\(name)")

      private func backend(_ exchange: any HTTPExchange) throws -> any Backend {
        try plugin.prepare(BackendSettings(name: "test", options: plugin.withDefaults(Object()))).attach(exchange)
      }

      private func titles(_ backend: any Backend) async throws -> [Value?] {
        let page = BufferedPage()
        _ = try await backend.list(ListQuery(path), at: nil, to: page.sink)
        return await page.records.map { $0.fields["title"] }
      }

      // A fixture server sends the responses that are written here.
      @Test func `A response that is not a list is an error`() async throws {
        let server = FixtureServer(.json(200, "{\\"error\\": \\"not today\\"}"))
        let error = await #expect(throws: BackendError.self) { try await titles(backend(server)) }
        #expect(error?.code == .badResponse)
        #expect(server.summaries == ["GET /\(name)"])
      }

      // A recording contains the responses of a real server: switchboard --record FILE writes one.
      @Test func `The recorded list is read`() async throws {
        let file = try #require(Bundle.module.path(forResource: "list", ofType: "ndjson", inDirectory: "Recordings"))
        let recording = try RecordedExchange(file)
        #expect(try await titles(backend(recording)) == ["first", "second"])
        #expect(recording.remaining.isEmpty)
      }

      // The backend in memory follows every rule: this adapter should return the same.
      @Test func `The list is that of a backend in memory with the same records`() async throws {
        let records: [Object] = [Object([("id", 1), ("title", "first")]), Object([("id", 2), ("title", "second")])]
        let memory = InMemoryBackend([InMemoryResource("\(name)", records)])
        #expect(try await titles(backend(Self.server)) == titles(memory))
      }

      @Test(arguments: ConformanceSuite.laws) func `The adapter keeps the law`(_ law: Law) async throws {
        var subject = ConformanceSubject("\(name)", path, exchange: Self.server, plugin: plugin)
        subject.isReadOnly = true
        try await ConformanceSuite(subject).check(law)
      }

      /// A server in memory, with two records.
      private static let server = FixtureServer { request in
        let records = [#"{"id": 1, "title": "first"}"#, #"{"id": 2, "title": "second"}"#]
        if request.path.segments == ["\(name)"] { return .json(200, "[\\(records.joined(separator: ","))]") }
        let isRecord = request.path.segments.dropLast() == ["\(name)"]
        let place = isRecord ? request.path.segments.last.flatMap { Int($0) } ?? 0 : 0
        return records.indices.contains(place - 1) ? .json(200, records[place - 1]) : .json(404, "{}")
      }
    }

    """
  }

  var recording: String {
    """
    {"switchboardRecording":1}
    {"number":1,"backend":"\(name)","address":"http://127.0.0.1","request":{"method":"GET","target":"\(name)","effect":"read",\
    "headers":[["Accept","application/json"]]},"response":{"status":200,"headers":[["Content-Type","application/json"]],\
    "body":"[{\\"id\\":1,\\"title\\":\\"first\\"},{\\"id\\":2,\\"title\\":\\"second\\"}]","isWhole":true}}

    """
  }

  var readme: String {
    """
    # switchboard-\(name)

    | verb | request |
    | --- | --- |
    | `list` | `GET /\(name)` |
    | `get` | `GET /\(name)/ID` |

    `Sources/\(module)/\(type)Service.swift` describes the service: change it to match yours. `Service` in BackendKit shows what
    can be described, and `swift test` checks the description against every rule that a backend must follow.

    Build it with the compiler and the configuration of the console that opens it, and try it:

    ```sh
    swift test
    swift build -c release
    switchboard --plugin-path .build/release list \(name):https://\(name).example.org
    ```

    `switchboard --record Tests/\(module)Tests/Recordings/list.ndjson …` records the responses of a real server,
    without secrets, for a test that needs no server. `plugins` shows why a plugin is refused: usually it was built against
    other sources of BackendKit than the console.

    """
  }
}
