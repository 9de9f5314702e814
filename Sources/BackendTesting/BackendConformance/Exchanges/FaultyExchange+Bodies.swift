import BackendKit
import Synchronization

extension HTTPResponse {
  func with(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: HTTPBody(whole: body))
  }
}

extension FaultyExchange {
  /// A body that ends with an error after this many bytes.
  private static func cut(
    _ body: HTTPBody, after count: Int, _ end: @escaping @Sendable () async -> BackendError
  ) -> HTTPBody {
    let left = Mutex(count)
    return HTTPBody { () throws(BackendError) in
      let allowed = left.withLock { $0 }
      guard allowed > 0, let piece = try await body.next() else { throw await end() }
      left.withLock { $0 -= min($0, piece.count) }
      return Array(piece.prefix(allowed))
    }
  }

  static func cut(_ body: HTTPBody, after count: Int) -> HTTPBody {
    cut(body, after: count) {
      BackendError(.badResponse, "the connection was closed in the middle of the response", effect: .rejected)
    }
  }

  static func drip(_ body: HTTPBody) -> HTTPBody {
    let held = Mutex<ArraySlice<UInt8>>([])
    return HTTPBody { () throws(BackendError) in
      if held.withLock({ $0.isEmpty }) {
        guard let piece = try await body.next() else { return nil }
        held.withLock { $0 = piece[...] }
      }
      return held.withLock { held in held.popFirst().map { [$0] } }
    }
  }

  static func replaced(_ bytes: [UInt8], _ text: String, _ other: String) -> HTTPBody {
    HTTPBody(whole: Array(String(decoding: bytes, as: UTF8.self).replacing(text: text, with: other).utf8))
  }

  /// A body whose last byte is held back until a stream ends.
  static func held(_ body: HTTPBody, until released: AsyncStream<Void>) -> HTTPBody {
    let last = Mutex<UInt8?>(nil)
    return HTTPBody { () throws(BackendError) in
      while let piece = try await body.next() {
        let ready = last.withLock { last in
          defer { last = piece.last ?? last }
          return (last.map { [$0] } ?? []) + piece.dropLast()
        }
        if !ready.isEmpty { return ready }
      }
      for await _ in released {}
      if Task.isCancelled { throw BackendError(.cancelled, "the call was cancelled", effect: .rejected) }
      return last.withLock { last in
        defer { last = nil }
        return last.map { [$0] }
      }
    }
  }

  /// A body that stalls after this many bytes.
  static func stalled(_ body: HTTPBody, after count: Int) -> HTTPBody {
    cut(body, after: count) { await stalled(.rejected) }
  }

  /// A body that continues until the transport's limit.
  static func endless() -> HTTPBody {
    let sent = Mutex(0)
    return HTTPBody { () throws(BackendError) in
      guard sent.next() <= 16 else {
        throw .badResponse("the response is longer than allowed")
      }
      return [UInt8](repeating: 0x20, count: 1 << 16)
    }
  }
}
