import BackendKit
import Glibc

extension ResponseStream.Failure {
  /// Whether the server may have got the request.
  var mayHaveArrived: Bool { isSent || hasHead }

  /// Whether the request may be sent once more over a fresh connection: it was closed before a byte of the answer, and
  /// doing the request twice does no harm, or not a byte of it had left. A POST that writes is never sent twice, however it is marked.
  func isRepeatable(_ request: HTTPRequest) -> Bool {
    guard !hasHead, FailureReason(self) == .closed else { return false }
    return !isSent || request.effect == .read && request.isRepeatable
      || request.effect == .repeatableWrite && request.method != "POST"
  }
}

extension HTTPRequest {
  /// Whether it may change the server's data.
  var mayWrite: Bool { effect == .write || effect == .repeatableWrite }
}

/// How often and how long a read waits for a server that asks for patience.
struct RetryAfter {
  /// How often a request is repeated.
  static let most = 2
  /// How long all its pauses may be together.
  static let longest = Duration.seconds(10)

  private var count = 0
  private var waited = Duration.zero

  /// How long to wait before the request is sent again, or nil where the answer stands: it is not 429 or 503, names no
  /// time, or has to be waited for too long.
  mutating func pause(after answer: HTTPResponse, now: Int = time(nil)) -> Duration? {
    guard answer.status == 429 || answer.status == 503, count < RetryAfter.most,
      let pause = answer.retryAfter(now: now).map({ Duration.seconds($0) }), waited + pause <= RetryAfter.longest
    else { return nil }
    count += 1
    waited += pause
    return pause
  }
}
