public import BackendKit
import Synchronization

extension HTTPBody {
  /// A body of these bytes, in one piece.
  public init(whole bytes: [UInt8]) {
    let rest = Mutex(bytes.isEmpty ? nil : bytes)
    self.init { () throws(BackendError) in
      rest.withLock { rest in
        defer { rest = nil }
        return rest
      }
    }
  }
}

extension FaultyExchange {
  static func cut(_ body: HTTPBody, after count: Int) -> HTTPBody {
    let left = Mutex(count)
    return HTTPBody { () throws(BackendError) in
      let piece = try await body.next()
      let allowed = left.withLock { left in
        defer { left -= min(left, piece?.count ?? 0) }
        return left
      }
      guard let piece, allowed > 0 else {
        throw BackendError(.badResponse, "the connection was closed in the middle of the answer", effect: .rejected)
      }
      return Array(piece.prefix(allowed))
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

  /// A body that goes on until the transport stops it.
  static func endless() -> HTTPBody {
    let sent = Mutex(0)
    return HTTPBody { () throws(BackendError) in
      let count = sent.withLock { sent in
        sent += 1
        return sent
      }
      guard count <= 16 else {
        throw BackendError(.badResponse, "the answer is longer than is allowed", effect: .rejected)
      }
      return [UInt8](repeating: 0x20, count: 1 << 16)
    }
  }
}
