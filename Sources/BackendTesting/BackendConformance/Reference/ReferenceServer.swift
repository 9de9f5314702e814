public import BackendKit
import Synchronization

/// A server in memory that exchanges JSON with one adapter, ``ReferenceBackend``. Together they keep every law.
///
/// | Request | Effect |
/// | --- | --- |
/// | `GET` | names the resources |
/// | `GET /R?size=&cursor=&skip=&search=&filter=` | a page: `items`, `next`, `total`, `pageSize` |
/// | `GET /R/ID` | a record |
/// | `POST /R` | creates a record |
/// | `PATCH /R/ID` | sets and removes fields: `{"set": {}, "unset": []}` |
/// | `PUT /R/ID` | replaces a record |
/// | `DELETE /R/ID`, `DELETE /R` | deletes one record, or all |
/// | `POST /R/ID/ACTION`, `POST /R/ACTION` | performs a described action |
///
/// `PATCH`, `PUT` and `DELETE` of a record respect `If-Match` with a revision.
public final class ReferenceServer: HTTPExchange {
  private let state: Mutex<InMemoryState>

  /// Creates a server with these resources; of two with the same name the last one counts.
  public init(_ resources: [InMemoryResource]) {
    var tables: [String: InMemoryTable] = [:]
    for resource in resources { tables[resource.description.name] = InMemoryTable(resource) }
    state = Mutex(InMemoryState(tables: tables))
  }

  /// All records of a resource, complete.
  public func records(of resource: String) -> [Record] {
    state.withLock { $0.tables[resource]?.rows.map(\.record) ?? [] }
  }

  /// Answers a request.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    if Task.isCancelled { throw BackendError(.cancelled, "the call was cancelled", effect: .notSent) }
    let answer = state.withLock { state in
      do throws(BackendError) { return try state.answer(request) } catch {
        return (ReferenceWire.status(of: error.code), ["error": .string(error.message)])
      }
    }
    return HTTPResponse(
      status: answer.status, headers: [("Content-Type", "application/json")],
      body: HTTPBody(whole: answer.body.map { Array(JSONWriter.compact($0).utf8) } ?? []))
  }
}
