import AdapterSupport
import BackendClient
import BackendKit
import Foundation
import SQL
import TestSupport
import Testing

/// Things and groups to select from, behind a service that filters exactly, or finds records too many.
final class TableServer: Sendable {
  var address: String { server.address }
  private let server: PythonServer

  init(things: Int = 230, failingAt offset: Int? = nil, hangingAt hanging: Int? = nil) async throws {
    server = try await PythonServer("../Server/tables.py", ["\(things)", "\(offset ?? -1)", "\(hanging ?? -1)"])
  }

  /// The requests since the last call, as paths with their parameters.
  func requests() async throws -> [String] {
    try await get("forget").array?.compactMap(\.text) ?? []
  }

  private func get(_ path: String) async throws -> Value {
    let answer = try await ServerExchange(address).send(HTTPRequest("GET", RequestPath(path), effect: .read))
    return try JSONReader.read(try await answer.body.collect())
  }

  /// The client of one of its ways to filter. `change` alters what is said of it.
  func client(
    _ name: String, way: String = "exact", budget: ListBudget = ListBudget(),
    _ change: (inout Service.Resource) -> Void = { _ in }
  ) throws -> Client {
    let fidelity: Fidelity = way == "loose" ? .superset : .exact
    var things = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer), fields: Self.things)
    var groups = Service.Resource(
      "groups", at: try RequestPath("groups"), identifier: IdentifierRule(form: .integer), fields: Self.groups)
    things.owners = [Service.Owner("groups", field: "group")]
    func complete(_ resource: inout Service.Resource, _ fields: [FieldDescription]) {
      resource.recordsAt = [["items"]]
      resource.paging.offset = "offset"
      resource.paging.size = "limit"
      (resource.paging.defaultSize, resource.paging.cap) = (20, 100)
      resource.paging.total = .member(["total"])
      resource.paging.counting.isExact = true
      resource.paging.counting.ignoresConditions = false
      resource.filters = Self.filters(fields, fidelity)
      resource.sorting = Service.Sorting(
        "sort", direction: .minus, exact: way == "loose" ? [] : ["id", "made", "name", "n"], isMultiple: true)
      change(&resource)
    }
    complete(&things, Self.things)
    complete(&groups, Self.groups)
    let service = Service(product: "tables", resources: [things, groups])
    let backend = RESTBackend(
      service, over: try ServerExchange("\(address)/\(way)", headers: [], server: server.program))
    return Client(name: name, backend: backend, budget: budget)
  }

  /// The client of a description of the service.
  func described(_ name: String) throws -> Client {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../Server/tables.yaml")
    let bytes = Array(try Data(contentsOf: file))
    let source = DescriptionSource(backend: name, file: .init(name: "tables.yaml", bytes: bytes), changes: nil) {
      _, _ throws(BackendError) in throw .misconfigured("there are no hooks")
    }
    let prepared = try PluginLibrary("rest").plugin.describing(source)
      .prepare(BackendSettings(name: name, options: Object()))
    let exchange = try ServerExchange("\(address)/exact", headers: [], server: server.program)
    return Client(name: name, backend: prepared.attach(exchange))
  }

  private static func filters(_ fields: [FieldDescription], _ fidelity: Fidelity) -> Service.Filters {
    let signs: [(Service.Filters.Comparison, String)] = [
      (.equal, "eq"), (.notEqual, "ne"), (.less, "lt"), (.lessOrEqual, "le"), (.greater, "gt"), (.greaterOrEqual, "ge"),
      (.contains, "has"),
    ]
    var rows = signs.map { comparison, name in
      Service.Filters.Row(comparison, "{field}.\(name)", fidelity: comparison == .notEqual ? .exact : fidelity)
    }
    rows.append(.init(.isNotNull, "{field}.there", value: "yes", fidelity: fidelity))
    rows.append(.init(.among, "{field}.in", fidelity: fidelity, list: .separated(",")))
    for place in rows.indices {
      rows[place].comparesTexts = true
      rows[place].ignoresCase = fidelity != .exact && rows[place].comparison == .contains
    }
    return Service.Filters(fields.map(\.name) + ["site.name", "site.floor"], rows: rows)
  }

  static let things = [
    FieldDescription("id", .integer, isReadOnly: true), FieldDescription("name", .text),
    FieldDescription("n", .integer),
    FieldDescription("group", .integer, reference: RecordReference(to: "groups")), FieldDescription("flag", .boolean),
    FieldDescription("price", .number), FieldDescription("made", .text, isRequired: true, isNullable: false),
    FieldDescription("site", .object, fields: [FieldDescription("name", .text), FieldDescription("floor", .integer)]),
    FieldDescription("tags", .list), FieldDescription("secret", .text, isSecret: true),
  ]

  static let groups = [
    FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text),
    FieldDescription("code", .text),
  ]
}

/// Backends by name.
struct Backends: SQLCatalog {
  var clients: [String: Client]

  func client(of backend: String) async throws(BackendError) -> Client? { clients[backend] }

  func resource(_ name: String, of client: Client) async throws(BackendError) -> SQLResource? {
    try await resource(name, of: client, asking: true)
  }

  /// The rows of a statement, and what they cost.
  func rows(
    _ text: String, _ parameters: [String: Value] = [:], limits: SQLLimits = SQLLimits()
  ) async throws -> (rows: [[Value]], report: SQLReport) {
    let statement = try await PreparedStatement.prepare(
      SQLStatement(text, parameters: parameters), in: self, limits: limits)
    let rows = Kept()
    let report = try await statement.run { await rows.add($0) }
    return (await rows.all, report)
  }

  private actor Kept {
    private(set) var all: [[Value]] = []
    func add(_ rows: [[Value]]) { all += rows }
  }
}
