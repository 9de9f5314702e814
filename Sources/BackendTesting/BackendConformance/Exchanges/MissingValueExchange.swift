import BackendKit
import Synchronization

/// An exchange that removes one value beside the records, or one header field, from each response.
final class MissingValueExchange: HTTPExchange {
  enum Part: Hashable {
    case member(String)
    case header(String)
    /// A member of each record in a list.
    case record(String)

    var words: String {
      switch self {
      case .member(let name): "the value \(name)"
      case .header(let name): "the header \(name)"
      case .record(let name): "the member \(name)"
      }
    }
  }

  // Header fields that determine how the response is read.
  private static let framing: Set<String> = [
    "content-type", "content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "date",
  ]

  private let inner: any HTTPExchange
  private let left: Part?
  private let seen = Mutex<[Part]?>(nil)
  private let seenInRecords = Mutex<[Part]>([])

  init(_ inner: any HTTPExchange, without left: Part?) {
    self.inner = inner
    self.left = left
  }

  /// The parts of all responses so far.
  var parts: [Part] { seen.withLock { $0 ?? [] } }

  var recordParts: [Part] { seenInRecords.withLock { $0 } }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let answer = try await inner.send(request)
    guard answer.isSuccess, answer.status != 204 else { return answer }
    let bytes = try await answer.body.collect()
    let document = try? JSONReader.read(bytes)
    if let names = document.flatMap(MissingValueExchange.firstRecord)?.names {
      seenInRecords.withLock { $0 = names.map { .record($0) } }
    }
    if case .record(let name)? = left, let document {
      return answer.with(Array(JSONWriter.compact(document.without(name)).utf8))
    }
    var object = document?.object
    let members = object?.members.filter { $0.1 != .null && $0.1.array == nil && $0.1.object == nil } ?? []
    let headers = answer.headers.map { $0.0.lowercased() }.filter { !MissingValueExchange.framing.contains($0) }
    let parts = members.map { Part.member($0.0) } + headers.map { Part.header($0) }
    seen.withLock { $0 = $0.map { $0.filter(parts.contains) } ?? parts }
    guard case .member(let name)? = left, object?[name] != nil else {
      let kept = answer.headers.filter { left != .header($0.0.lowercased()) }
      return HTTPResponse(status: answer.status, headers: kept, body: HTTPBody(whole: bytes))
    }
    object?[name] = nil
    return answer.with(Array(JSONWriter.compact(.object(object ?? Object())).utf8))
  }

  private static func firstRecord(_ document: Value) -> Object? {
    if let elements = document.array { return elements.first?.object }
    for (_, value) in (document.object ?? Object()).members {
      if let found = value.array?.first?.object ?? value.object.flatMap({ firstRecord(.object($0)) }) { return found }
    }
    return nil
  }
}
