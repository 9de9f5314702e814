public import BackendKit
import Synchronization

/// An exchange that sends reads and records writes instead: the first write ends the operation.
private final class DryRunExchange: HTTPExchange {
  private let base: any HTTPExchange
  private let kept = Mutex<HTTPRequest?>(nil)

  init(_ base: any HTTPExchange) { self.base = base }

  var secrets: (any SecretRegister)? { base.secrets }

  /// The first write, which was not sent; nil if there was none.
  var write: HTTPRequest? { kept.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard request.effect != .read else { return try await base.send(request) }
    kept.withLock { $0 = $0 ?? request }
    throw BackendError(.cancelled, "no write is sent in a dry run", effect: .notSent)
  }
}

extension Client {
  /// The first request of a list, without sending it.
  public func request(of query: ListQuery) async throws(BackendError) -> HTTPRequest {
    do throws(BackendError) {
      try require(.list, try await resource(query.resource))
      guard let origin else { throw .unsupported("\(name) does not show its requests") }
      let silent = SilentExchange()
      do throws(BackendError) {
        _ = try await origin.attach(silent).list(query, at: nil, to: RecordSink { _ in .enough })
      } catch { if silent.asked == nil { throw error } }
      guard let request = silent.asked else { throw .unsupported("\(name) sends no request for this list") }
      return request
    } catch { throw named(error, "list", query.resource) }
  }

  /// The requests of a write, without sending them; reads that it depends on are sent. For a creation, only the first:
  /// requests for files follow at a path with an identifier that is not known yet.
  public func requests(of write: Write) async throws(BackendError) -> [HTTPRequest] {
    let first = try await request(of: write)
    guard case .update(let path, let id, let changes, let parts, _) = write else { return [first] }
    let files = write.filesSentAlone(in: try await resource(path))
    let isFile = files.count == changes.count && parts.isEmpty
    var requests = [first]
    for change in changes.filter({ files.contains($0.field) }).dropFirst(isFile ? 1 : 0) {
      requests.append(try await request(of: .update(path, id, [change], revision: .none)))
    }
    return requests
  }

  /// The first request of a write, without sending it; reads that it depends on are sent. Throws what ``perform(_:)``
  /// would throw before that request.
  public func request(of write: Write) async throws(BackendError) -> HTTPRequest {
    do throws(BackendError) {
      let (resource, proved) = try await known(write.resource)
      let write = filled(write, resource).write
      _ = try check(write, resource, proved)
      guard let origin, let exchange else { throw .unsupported("\(name) does not show its requests") }
      let prepared = try await PreparedWrite(write, resource, of: self)
      let dry = DryRunExchange(exchange)
      let backend = origin.attach(dry)
      do throws(BackendError) {
        _ = try await carryOut(prepared.write, at: prepared.revision, on: backend)
      } catch { if dry.write == nil { throw error } }
      guard let request = dry.write else { throw .unsupported("\(name) sends no request for this \(write.verb)") }
      return request
    } catch { throw named(error, write.verb, write.resource, write.id) }
  }
}
