import BackendKit
import BackendTransport
import Testing

@testable import Console
@testable import ConsoleSetup

@Suite("Rows of a busy service") struct RowRetryTests {
  /// A connection to a service that asks for patience.
  private struct Busy: Connection {
    let retryAfter: Int?
    var address: String { "http://busy.test" }
    var activeLogin: ActiveLogin? { nil }

    func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse { throw .unsupported("no request") }

    func perform(_ operation: SessionOperation) async throws(BackendError) -> Object { throw .unsupported("no login") }
  }

  @Test("a pause that was given up is counted as far as it went") func givenUp() async {
    let policy = RowRetryPolicy(Busy(retryAfter: 250), retries: 0)
    let (attempts, attempted) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await policy.attempt { () async throws -> Int in
        attempted.yield()
        throw BackendError(.rateLimited, "busy", effect: .rejected)
      }
    }
    var iterator = attempts.makeAsyncIterator()
    _ = await iterator.next()
    task.cancel()
    let result = await task.result
    #expect((result.failure as? BackendError)?.code == .cancelled)
    #expect(policy.note?.contains("250") != true, "\(policy.note ?? "")")
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
