import BackendKit

/// A way to a server on which every request is answered as another one.
final class SwappedResponseExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let other: HTTPRequest

  init(_ inner: any HTTPExchange, instead other: HTTPRequest) {
    self.inner = inner
    self.other = other
  }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse { try await inner.send(other) }
}
