import Foundation

/// A port of this machine, at one of its addresses.
struct LocalPort {
  /// True if the machine has `::1`.
  static let hasIPv6 = (try? LocalPort("::1").listen(backlog: 1)).map { Glibc.close($0.socket) == 0 } ?? false

  private let host: String
  private let number: Int

  /// The port with a number; any free one without.
  init(_ host: String, _ number: Int = 0) { (self.host, self.number) = (host, number) }

  /// Opens a socket that listens.
  func listen(backlog: Int32) throws -> (socket: Int32, port: Int) {
    try withAddress { address in
      let listener = socket(address.ai_family, address.ai_socktype, 0)
      var bound = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let isBound =
        bind(listener, address.ai_addr, address.ai_addrlen) == 0 && Glibc.listen(listener, backlog) == 0
        && withUnsafeMutableBytes(of: &bound) { bytes in
          bytes.withMemoryRebound(to: sockaddr.self) { getsockname(listener, $0.baseAddress, &size) == 0 }
        }
      guard isBound else {
        close(listener)
        throw POSIXError(.EADDRNOTAVAIL)
      }
      // The port is at the same place in the addresses of both kinds.
      let port = withUnsafeBytes(of: bound) { $0.load(fromByteOffset: 2, as: UInt16.self) }
      return (listener, Int(UInt16(bigEndian: port)))
    }
  }

  /// Begins to connect, without waiting.
  fileprivate func connect() throws -> Int32 {
    try withAddress { address in
      let connecting = socket(address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue), 0)
      _ = Glibc.connect(connecting, address.ai_addr, address.ai_addrlen)
      return connecting
    }
  }

  private func withAddress<Result>(_ body: (addrinfo) throws -> Result) throws -> Result {
    var hints = addrinfo()
    (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST, Int32(SOCK_STREAM.rawValue))
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(number), &hints, &found) == 0, let first = found else {
      throw POSIXError(.EADDRNOTAVAIL)
    }
    defer { freeaddrinfo(first) }
    return try body(first.pointee)
  }
}

/// A port that neither takes nor refuses connections: its queue is full.
final class SilentPort {
  private let sockets: [Int32]

  init(_ host: String, _ number: Int) throws {
    let port = LocalPort(host, number)
    // The first one fills the queue; the system drops the requests of all others.
    sockets = [try port.listen(backlog: 0).socket] + (try (0..<3).map { _ in try port.connect() })
  }

  deinit { for socket in sockets { close(socket) } }
}
