// What an adapter looks like, in the words of the files that are written.
extension PluginSkeleton {
  var plugin: String {
    """
    import BackendKit

    let plugin = Plugin(
      name: "\(name)", version: "0.1.0", summary: "\(name) of our service", options: \(type)Backend.options,
      make: { settings throws(BackendError) in try \(type)Backend(settings) })

    @c(switchboard_plugin)
    public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }

    """
  }

  var backend: String {
    """
    import BackendKit

    /// Records of a service that sends them as JSON: all of them for `GET /\(name)`, one for `GET /\(name)/ID`.
    ///
    /// The comments of `Backend` are the promises to keep; the tests hold each of them against this adapter.
    struct \(type)Backend: Backend {
      static let options = [
        OptionDescription("path", .text, standard: "\(name)", help: "the path of the records, below the backend's address")
      ]

      private static let resource = ResourceDescription(
        name: "\(name)", identifier: IdentifierRule(field: "id", form: .integer),
        fields: [FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text)],
        capabilities: Capabilities(operations: [.list, .get], paging: .none, hasTotal: true))

      private let exchange: any HTTPExchange
      private let path: RequestPath

      init(_ settings: BackendSettings) throws(BackendError) {
        exchange = settings.exchange
        path = try settings.path("path", of: Self.options)
      }

      func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
        if depth == .live {
          _ = try await list(ListQuery(ResourcePath(name: Self.resource.name)), at: nil, to: RecordSink { _ in .enough })
        }
        return BackendDescription(product: "\(name)", resources: [Self.resource])
      }

      // The service filters, sorts and pages nothing: the console does, and the notes say why.
      func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
        try Self.resource.check(query.resource)
        try query.refuseNative()
        var notes = ["the server sends every record at once"]
        if !query.filters.isEmpty || query.search != nil { notes.append("the server has no filters and no search") }
        if !query.sort.isEmpty { notes.append("the server sorts by nothing") }
        if query.fields != nil { notes.append("the server always sends every field") }
        return ListPlan(
          filters: query.filters.map { _ in .not }, sort: query.sort.isEmpty ? .exact : .not,
          search: query.search == nil ? .exact : .not, fields: query.fields == nil ? .exact : .not,
          skip: query.skip == 0 ? .exact : .not, countsRecords: true, request: request(path).summary,
          notes: notes)
      }

      func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
        try await plan(query).checkNothingIsLeft()
        // Where a list goes on that was given up: after so many records.
        let used = cursor.map { Int($0.text) ?? -1 } ?? 0
        guard used >= 0 else { throw .invalid("\\"\\(cursor?.text ?? "")\\" is no page mark of this backend") }
        let answer = try await answer(to: request(path))
        let reading = try await answer.body.records(after: used, to: sink) { (value) throws(BackendError) in
          try record(value)
        }
        return reading.document == nil ? PageEnd(next: Cursor(String(reading.count))) : PageEnd(total: reading.count)
      }

      func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
        try Self.resource.check(resource)
        if let complaint = Self.resource.identifier.complaint(about: id.text) { throw .invalid(complaint) }
        let answer = try await answer(to: request(try RequestPath(segments: path.segments + [id.text])), id)
        let record = try record(try await answer.body.json())
        guard record.id == id else { throw .answeredWith(record.id) }
        return record
      }

      func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
        throw .unsupported("\\(resource) can only be read")
      }

      func update(
        _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
      ) async throws(BackendError) -> WriteReceipt {
        throw .unsupported("\\(resource) can only be read")
      }

      func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
        throw .unsupported("\\(resource) can only be read")
      }

      private func request(_ path: RequestPath) -> HTTPRequest {
        HTTPRequest("GET", path, headers: [("Accept", "application/json")], effect: .read)
      }

      /// The answer where it is a success; throws what its status says of the record, or of the address.
      private func answer(to request: HTTPRequest, _ id: RecordID? = nil) async throws(BackendError) -> HTTPAnswer {
        let answer = try await exchange.send(request)
        guard answer.isSuccess else {
          let words = answer.words(in: try await answer.explanation())
          var error = answer.failure(of: request, id.map { "record \\($0)" } ?? "such resource", saying: words)
          if answer.status == 404, id == nil { error.hint = "check the backend's address" }
          throw error
        }
        try answer.checkIsNoPage()
        return answer
      }

      private func record(_ value: Value) throws(BackendError) -> Record {
        guard let fields = value.object, let id = fields["id"]?.integer else {
          throw BackendError(.badResponse, "the answer holds a \\(value.kind) that is no record", effect: .rejected)
        }
        return Record(id: RecordID(String(id)), fields: fields)
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

    @Suite struct \(type)BackendTests {
      private let path = ResourcePath(name: "\(name)")

      private func backend(_ exchange: any HTTPExchange) throws -> any Backend {
        try plugin.make(BackendSettings(name: "test", options: plugin.withStandards(Object()), exchange: exchange))
      }

      private func titles(_ backend: any Backend) async throws -> [Value?] {
        let page = HeldPage()
        _ = try await backend.list(ListQuery(path), at: nil, to: page.sink)
        return await page.records.map { $0.fields["title"] }
      }

      // A fixture server gives the answers that are written down here.
      @Test func `An answer that is no list is an error`() async throws {
        let server = FixtureServer(.json(200, "{\\"error\\": \\"not today\\"}"))
        let error = await #expect(throws: BackendError.self) { try await titles(backend(server)) }
        #expect(error?.code == .badResponse)
        #expect(server.summaries == ["GET /\(name)"])
      }

      // A recording holds what a real server answered: switchboard --record FILE makes one.
      @Test func `The recorded list is read`() async throws {
        let file = try #require(Bundle.module.path(forResource: "list", ofType: "ndjson", inDirectory: "Recordings"))
        let recording = try RecordedExchange(file)
        #expect(try await titles(backend(recording)) == ["first", "second"])
        #expect(recording.remaining.isEmpty)
      }

      // The backend in memory keeps every law: what it answers is what this adapter should answer, too.
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

    `Sources/\(module)/\(type)Backend.swift` is the adapter: change in it what your service does otherwise. The comments of
    `Backend` in BackendKit say what an adapter promises, and `swift test` judges it by every one of these laws.

    Build it with the compiler and in the configuration of the console that opens it, and try it:

    ```sh
    swift test
    swift build -c release
    switchboard --plugin-path .build/release list \(name):https://\(name).example.org
    ```

    `switchboard --record Tests/\(module)Tests/Recordings/list.ndjson …` records what a real server answers, without
    secrets, for a test that needs no server. `plugins` says why a plugin is refused: most often it was built against other
    sources of BackendKit than the console.

    """
  }
}
