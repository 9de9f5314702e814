import BackendKit
import Synchronization

/// An exchange that sends nothing: the first request ends the operation.
final class SilentExchange: HTTPExchange {
  private let asked = Atomic<Bool>(false)

  var wasAsked: Bool { asked.load(ordering: .acquiring) }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    asked.store(true, ordering: .releasing)
    throw BackendError(.cancelled, "no request is sent while a write is checked", effect: .notSent)
  }
}
