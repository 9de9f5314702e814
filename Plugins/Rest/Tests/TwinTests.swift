import AdapterSupport
import BackendClient
import BackendKit
import DemoServerSupport
import Testing

/// A service described as data that has to answer as its adapter in Swift does.
struct Twin: Sendable, CustomStringConvertible {
  var name: String
  var plugin: String
  var dialect: String
  var resource: String
  var switches = ""
  /// A field that texts are written to.
  var text: String
  /// Conditions, as a field and what it is compared with.
  var filters: [Filter]
  /// Orders.
  var sorts: [[SortKey]]

  var description: String { name }

  static let all = [
    Twin(
      name: "grails", plugin: "grails", dialect: "grails", resource: "announcements", text: "title",
      filters: [
        .compare(FieldPath("id"), .equal, .word("3")), .compare(FieldPath("title"), .contains, .word("a")),
        .compare(FieldPath("id"), .greater, .word("10")), .isNull(FieldPath("body")),
      ], sorts: [[SortKey(FieldPath("id"), isDescending: true)], [SortKey(FieldPath("title"))]]),
    Twin(
      name: "kitura", plugin: "kitura", dialect: "kitura", resource: "todos", text: "title",
      filters: [
        .compare(FieldPath("completed"), .equal, .word("true")), .compare(FieldPath("title"), .contains, .word("o")),
        .compare(FieldPath("order"), .lessOrEqual, .word("4")),
      ], sorts: [[SortKey(FieldPath("title"))], [SortKey(FieldPath("order"), isDescending: true)]]),
    Twin(
      name: "json-server", plugin: "jsonplaceholder", dialect: "jsonplaceholder", resource: "posts",
      switches: "jsonplaceholder.profile=json-server", text: "title",
      filters: [
        .compare(FieldPath("userId"), .equal, .word("3")), .compare(FieldPath("userId"), .equal, .word("3.0")),
        .among(FieldPath("id"), [.word("1"), .word("7"), .word("77")]),
        .compare(FieldPath("title"), .contains, .word("qui")), .compare(FieldPath("id"), .greater, .word("20")),
        .not(.compare(FieldPath("userId"), .equal, .word("1"))),
      ], sorts: [[SortKey(FieldPath("title"))], [SortKey(FieldPath("id"), isDescending: true)]]),
  ]

  /// A client of the adapter in Swift and one of the description, each over a server of its own.
  func clients() async throws -> [Client] {
    var clients: [Client] = []
    for isDescribed in [false, true] {
      let demo = try await DemoProcess.start(["--memory", "--seed", "30"])
      let exchange = try ServerExchange(demo, dialect, switches: switches)
      let prepared =
        try isDescribed
        ? DescribedService.prepared(DescribedService.source(name)) : PluginLibrary(plugin).prepared()
      clients.append(Client(name: name, exchange: exchange, prepared: prepared))
    }
    return clients
  }
}

@Suite struct TwinTests {
  /// Returns the outcome of a call: the result, or the kind of failure and its effect on the data.
  private func outcome<Result>(_ call: () async throws(BackendError) -> Result) async -> String {
    do { return "\(try await call())" } catch { return "\(error.code) \(error.effect)" }
  }

  private func list(_ client: Client, _ request: ListRequest) async -> String {
    await outcome { () throws(BackendError) in
      let page = BufferedPage()
      let summary = try await client.list(request, to: page.sink)
      let records = await page.records.map { record in
        let fields = Object(record.fields.members.sorted { $0.0 < $1.0 })
        return "\(record.id?.text ?? "") \(JSONWriter.compact(.object(fields))) \(record.unloaded)"
      }
      return "\(summary.first) \(summary.count) \(summary.total ?? -1) \(summary.next != nil)\n"
        + records.joined(separator: "\n")
    }
  }

  @Test("lists are the same: conditions, orders, pages, in every combination", arguments: Twin.all)
  func lists(_ twin: Twin) async throws {
    let clients = try await twin.clients()
    let resource = try #require(ResourcePath(twin.resource))
    for filters in [[]] + twin.filters.map({ [$0] }) + [Array(twin.filters.prefix(2))] {
      for sort in [[]] + twin.sorts {
        for (limit, skip) in [(nil, 0), (7, 0), (7, 5), (3, 14)] as [(Int?, Int)] {
          var query = ListQuery(resource)
          query.filters = filters
          query.sort = sort
          query.skip = skip
          let request = ListRequest(query, limit: limit)
          let (swift, data) = (await list(clients[0], request), await list(clients[1], request))
          #expect(swift == data, "\(filters) \(sort) \(String(describing: limit)) \(skip)")
        }
      }
    }
  }

  @Test("records are read, made, changed and deleted alike", arguments: Twin.all)
  func writes(_ twin: Twin) async throws {
    let clients = try await twin.clients()
    let resource = try #require(ResourcePath(twin.resource))
    var reported: [[String]] = []
    for client in clients {
      var steps: [String] = []
      func tell(_ record: Record?) -> String {
        guard let record else { return "none" }
        return JSONWriter.compact(.object(Object(record.fields.members.sorted { $0.0 < $1.0 })))
      }
      for id in ["3", "9999"] {
        steps.append(
          await outcome { () throws(BackendError) in tell(try await client.get(RecordID(id), from: resource)) })
      }
      var made: RecordID?
      steps.append(
        await outcome { () throws(BackendError) in
          let receipt = try await client.perform(
            .create(resource, Object([(twin.text, .string(" a new one "))])))
          made = receipt.id
          return "\(receipt.id?.text ?? "") \(tell(receipt.record))"
        })
      let id = try #require(made)
      for changes in [[Change.set(twin.text, "another")], [.unset(twin.text)], [.set("id", "x")], [.set("unknown", 1)]]
      {
        steps.append(
          await outcome { () throws(BackendError) in
            tell(try await client.perform(.update(resource, id, changes)).record)
          })
      }
      steps.append(await outcome { () throws(BackendError) in tell(try await client.get(id, from: resource)) })
      for _ in 0..<2 {
        steps.append(
          await outcome { () throws(BackendError) in
            _ = try await client.perform(.delete(resource, .one(id)))
            return "deleted"
          })
      }
      reported.append(steps)
    }
    for (swift, data) in zip(reported[0], reported[1]) { #expect(swift == data) }
  }
}
