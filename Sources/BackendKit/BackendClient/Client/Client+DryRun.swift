public import BackendKit
import Synchronization

/// An exchange that sends what reads and keeps what writes: the first write ends what an adapter was asked to do.
private final class DryRunExchange: HTTPExchange {
  private let base: any HTTPExchange
  private let kept = Mutex<HTTPRequest?>(nil)

  init(_ base: any HTTPExchange) { self.base = base }

  var secrets: (any SecretRegister)? { base.secrets }

  /// The write that was not sent; nil where there was none.
  var write: HTTPRequest? { kept.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard request.effect != .read else { return try await base.send(request) }
    kept.withLock { $0 = $0 ?? request }
    throw BackendError(.cancelled, "no write is sent in a dry run", effect: .notSent)
  }
}

extension Client {
  /// The requests of a write, none of which is sent; reads that they need are. Of a creation it is the first alone: the
  /// files that follow by themselves go to a path with an identifier that is not known yet.
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

  /// The request with which a write would begin, which is not sent; reads that it needs are. Throws what ``perform(_:)`` would
  /// throw before it.
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
