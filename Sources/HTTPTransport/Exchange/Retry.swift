import BackendKit
import Glibc

extension ResponseStream.Failure {
  /// True if the server may have received the request.
  var mayHaveArrived: Bool { isSent || hasHead }

  /// Returns whether the request may be sent again over a new connection: the connection was closed before the first
  /// byte of the response, and either repeating the request is harmless, or no byte of it was sent. A POST that writes
  /// is never sent twice, however it is marked.
  func isRepeatable(_ request: HTTPRequest) -> Bool {
    guard !hasHead, reason == .closed else { return false }
    return !isSent || request.effect == .read && request.isRepeatable
      || request.effect == .repeatableWrite && request.method != "POST"
  }
}

extension HTTPResponse {
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension HTTPRequest {
  var mayWrite: Bool { effect.mayWrite }
}

extension RequestEffect {
  /// True if such a request may change the server's data. A login changes none.
  var mayWrite: Bool { self == .write || self == .repeatableWrite }
}

/// The pauses of a read when the server asks it to wait.
struct RetryAfter {
  /// The maximum number of repetitions of a request.
  static let most = 2
  /// The maximum total duration of the pauses.
  static let longest = Duration.seconds(10)

  private var count = 0
  private var waited = Duration.zero

  /// Returns the pause before the request is sent again; nil if the response is final: its status is neither 429 nor
  /// 503, it names no time, the pause would be too long, or the request was repeated often enough.
  mutating func pause(after answer: HTTPResponse, now: Int = time(nil)) -> Duration? {
    guard answer.status == 429 || answer.status == 503, count < RetryAfter.most,
      let pause = answer.retryAfter(now: now).map({ Duration.seconds($0) }), waited + pause <= RetryAfter.longest
    else { return nil }
    count += 1
    waited += pause
    return pause
  }
}
