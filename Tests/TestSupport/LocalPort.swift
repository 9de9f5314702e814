internal import Glibc

/// A port of this machine, at one of its addresses.
public struct LocalPort: Sendable {
  /// True if the machine has `::1`.
  public static let hasIPv6 = (try? LocalPort("::1").listen(backlog: 1)).map { close($0.socket) == 0 } ?? false

  private let host: String
  private let number: Int

  /// The port with a number; any free one without.
  public init(_ host: String, _ number: Int = 0) { (self.host, self.number) = (host, number) }

  /// Opens a socket that listens.
  public func listen(backlog: Int32) throws -> (socket: Int32, port: Int) {
    let bound = try bind()
    guard Glibc.listen(bound.socket, backlog) == 0 else {
      close(bound.socket)
      throw failure
    }
    return bound
  }

  /// Opens a socket that has the port and does not listen. `isShared`: one that says the same may listen there.
  fileprivate func bind(isShared: Bool = false) throws -> (socket: Int32, port: Int) {
    try withAddress { address in
      let socket = Glibc.socket(address.ai_family, address.ai_socktype, 0)
      var yes: Int32 = isShared ? 1 : 0
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      var bound = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let isBound =
        Glibc.bind(socket, address.ai_addr, address.ai_addrlen) == 0
        && withUnsafeMutableBytes(of: &bound) { bytes in
          bytes.withMemoryRebound(to: sockaddr.self) { getsockname(socket, $0.baseAddress, &size) == 0 }
        }
      guard isBound else {
        close(socket)
        throw failure
      }
      // The port is at the same place in the addresses of both kinds.
      let port = withUnsafeBytes(of: bound) { $0.load(fromByteOffset: 2, as: UInt16.self) }
      return (socket, Int(UInt16(bigEndian: port)))
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
    guard getaddrinfo(host, String(number), &hints, &found) == 0, let first = found else { throw failure }
    defer { freeaddrinfo(first) }
    return try body(first.pointee)
  }

  private var failure: Spawn.Failure {
    Spawn.Failure("port \(number) of \(host) cannot be had: \(String(cString: strerror(errno)))")
  }
}

/// A port that refuses connections, and that no other program is given meanwhile: only a demo that is told its number
/// may listen there.
public final class RefusingPort: Sendable {
  private let socket: Int32

  /// Takes a port.
  public init(_ number: Int, at host: String = "127.0.0.1") throws {
    socket = try LocalPort(host, number).bind(isShared: true).socket
  }

  deinit { close(socket) }
}

/// A port that neither takes nor refuses connections: its queue is full.
public final class SilentPort: Sendable {
  private let sockets: [Int32]

  /// Takes a port.
  public init(_ host: String, _ number: Int) throws {
    let port = LocalPort(host, number)
    // The first one fills the queue; the system drops the requests of all others.
    sockets = [try port.listen(backlog: 0).socket] + (try (0..<3).map { _ in try port.connect() })
  }

  deinit { for socket in sockets { close(socket) } }
}
