import BackendKit
import Synchronization

/// An exchange that sends nothing: the first request ends the operation.
final class SilentExchange: HTTPExchange {
  private let first = Mutex<HTTPRequest?>(nil)

  /// The request that was not sent; nil if there was none.
  var asked: HTTPRequest? { first.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    first.withLock { $0 = $0 ?? request }
    throw BackendError(.cancelled, "no request is sent while an operation is checked", effect: .notSent)
  }
}
