public import BackendKit
import Synchronization

/// A ``ReferenceBackend`` together with its server, which records the calls that reach the server.
public final class InMemoryBackend: ForwardingBackend {
  private let server: ReferenceServer
  private let adapter: @Sendable (any HTTPExchange) -> ReferenceBackend
  private let state = Mutex(Account())

  private struct Account {
    var calls: [BackendCall] = []
    var failures: [BackendError] = []
  }

  /// Creates a backend with these resources; of two with the same name the last one counts.
  public init(_ resources: [InMemoryResource], product: String? = "records in memory", apiVersion: String? = nil) {
    server = ReferenceServer(resources)
    adapter = { ReferenceBackend(resources, exchange: $0, product: product, apiVersion: apiVersion) }
  }

  /// The calls that reached the server, in order. Excludes plans, static descriptions and undeclared calls.
  public var calls: [BackendCall] { state.withLock { $0.calls } }

  /// Forgets the calls so far.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Makes the next call that reaches the server fail; after two calls of this function, the next two.
  public func failNext(with error: BackendError) { state.withLock { $0.failures.append(error) } }

  /// All records of a resource, complete.
  public func records(of resource: String) -> [Record] { server.records(of: resource) }

  /// A reference adapter whose calls are not recorded.
  public var inner: any Backend { adapter(server) }

  /// Passes the call to a reference adapter.
  public func pass<Answer>(
    _ call: BackendCall, _ make: (any Backend) async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer { try await make(adapter(for: call)) }

  /// The adapter for a call, which is recorded or made to fail at its first request, unless it was cancelled before.
  private func adapter(for call: BackendCall) -> ReferenceBackend {
    let requests = Mutex(0)
    let way = AlteredExchange(server) { [self] request, server throws(BackendError) in
      if !Task.isCancelled, requests.next() == 1 { try account(call) }
      return try await server.send(request)
    }
    return adapter(way)
  }

  private func account(_ call: BackendCall) throws(BackendError) {
    let failure = state.withLock { state -> BackendError? in
      state.calls.append(call)
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    if let failure { throw failure }
  }
}
