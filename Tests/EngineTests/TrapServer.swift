import AdapterSupport
import BackendClient
public import BackendKit
import Foundation
import ServiceDescription
import Synchronization
import TestSupport
import Testing

/// A service of `Server` with a switch for each trap, as a process of its own.
final class TrapServer: Sendable {
  /// Its address.
  var address: String { server.address }
  private let server: PythonServer

  /// Starts it.
  init(_ file: String = "traps.py") async throws {
    server = try await PythonServer("Server/\(file)")
  }

  /// The backend of a switch, with one resource, its things.
  func backend(
    _ trap: String, headers: [(String, String)] = [], apiVersion: String? = nil,
    errors: Service.Errors = Service.Errors(),
    hooks: Service.Hooks = Service.Hooks(), _ change: (inout Service.Resource) -> Void = { _ in }
  ) throws -> RESTBackend {
    var things = Service.Resource(
      "things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer), fields: Self.fields)
    (things.isOpen, things.paging) = (true, .none)
    change(&things)
    let service = Service(product: "traps", apiVersion: apiVersion, resources: [things], errors: errors, hooks: hooks)
    return RESTBackend(
      service, over: try ServerExchange("\(address)/\(trap)", headers: headers, server: server.program))
  }

  /// The backend of a switch that a description says everything of.
  func backend(_ trap: String, described text: String) throws -> RESTBackend {
    let file = DescriptionSource.File(name: "api.yaml", bytes: Array(text.utf8))
    let service = try Description(DescriptionSource(backend: trap, file: file, isTrusted: true)).service()
    return RESTBackend(service, over: try ServerExchange("\(address)/\(trap)", headers: [], server: server.program))
  }

  /// The client of such a backend.
  func client(
    _ trap: String, errors: Service.Errors = Service.Errors(), hooks: Service.Hooks = Service.Hooks(),
    _ change: (inout Service.Resource) -> Void = { _ in }
  ) throws -> Client {
    Client(name: "traps", backend: try backend(trap, errors: errors, hooks: hooks, change))
  }

  /// The requests so far.
  func log() async throws -> [String] {
    let answer = try await ServerExchange(address).send(HTTPRequest("GET", RequestPath("log"), effect: .read))
    return String(decoding: try await answer.body.collect(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static let fields = [
    FieldDescription("id", .integer, isReadOnly: true), FieldDescription("name", .text),
    FieldDescription("group", .text), FieldDescription("n", .integer), FieldDescription("note", .text),
  ]
}

extension Client {
  /// The identifiers of a whole list, and how it ended.
  func all(
    _ query: ListQuery = ListQuery(ResourcePath(name: "things"), pageSize: 10), jobs: Int = 1
  ) async throws(BackendError) -> (ids: [Int], summary: ListSummary) {
    let kept = Mutex<[Int]>([])
    var request = ListRequest(query)
    request.jobs = jobs
    let summary = try await list(
      request,
      to: RecordSink { records in
        kept.withLock { $0 += records.map { $0.id.flatMap { Int($0.text) } ?? -1 } }
        return .more
      })
    return (kept.withLock(\.self), summary)
  }
}

let things = ResourcePath(name: "things")

extension Object: @retroactive ExpressibleByDictionaryLiteral {
  /// The members in the order written.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
