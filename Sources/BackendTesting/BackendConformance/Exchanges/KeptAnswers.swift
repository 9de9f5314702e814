import BackendKit
import Synchronization

/// A way to a server that keeps the answers to writes, so that they can be given again without another write.
final class KeptAnswers: HTTPExchange {
  private let inner: any HTTPExchange
  private let kept = Mutex<[FaultyExchange.Fault]>([])

  init(_ inner: any HTTPExchange) { self.inner = inner }

  /// The last answer to a write; nil where there was none.
  var last: FaultyExchange.Fault? { kept.withLock { $0.last } }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let answer = try await inner.send(request)
    guard request.effect != .read else { return answer }
    let bytes = try await answer.body.collect()
    let type = answer.header("Content-Type") ?? ""
    let headers = answer.headers.filter { $0.0.lowercased() != "content-type" }
    let text = String(decoding: bytes, as: UTF8.self)
    kept.withLock { $0.append(.answer(status: answer.status, type: type, body: text, headers: headers)) }
    return answer.with(bytes)
  }
}
