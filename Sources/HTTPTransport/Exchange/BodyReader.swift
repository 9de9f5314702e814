import BackendKit
import Synchronization

/// Reads the body of a response. When it is released, the rest is skipped if short; otherwise the connection is closed.
final class BodyReader: Sendable {
  private let stream: ResponseStream
  private let failures: FailureText
  private let traced: TracedAttempt?

  init(_ stream: ResponseStream, failures: FailureText, traced: TracedAttempt?) {
    self.stream = stream
    self.failures = failures
    self.traced = traced
  }

  deinit {
    if !stream.isShort { stream.cancel() }
    traced?.end(isWhole: false)
  }

  /// The next piece, or nil at the end.
  func next() async throws(BackendError) -> [UInt8]? {
    do {
      let piece = try await stream.next()
      traced?.take(piece)
      return piece
    } catch {
      traced?.end(isWhole: false)
      throw failures.inBody(error)
    }
  }
}

extension HTTPBody {
  /// This body, with an error beyond `limit` bytes.
  func limited(to limit: Int) -> HTTPBody {
    let count = Count()
    return HTTPBody { () throws(BackendError) in
      guard let piece = try await next() else { return nil }
      guard count.add(piece.count) <= limit else {
        throw .badResponse("the response is longer than \(limit) bytes")
      }
      return piece
    }
  }
}

/// A sum shared by tasks.
private final class Count: Sendable {
  private let sum = Mutex(0)

  func add(_ number: Int) -> Int {
    sum.withLock { sum in
      sum += number
      return sum
    }
  }
}
