import BackendKit
import Synchronization

/// An exchange that keeps responses to writes, to return them again without another write.
final class KeptAnswers: HTTPExchange {
  private let inner: any HTTPExchange
  private let kept = Mutex<[FaultyExchange.Fault]>([])

  init(_ inner: any HTTPExchange) { self.inner = inner }

  /// The last response to a write; nil if there was none.
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
