import Foundation

/// One connection to a port of this machine, over which bytes go exactly as given.
public final class RawConnection: Sendable {
  private let descriptor: Int32

  /// A failed socket operation.
  public struct Failure: Error, CustomStringConvertible {
    /// The call and the system's word for its failure.
    public let description: String

    fileprivate init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
  }

  /// Connects to 127.0.0.1.
  public init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure("socket") }
    var timeout = timeval(tv_sec: 180, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let failure = Failure("connect to port \(port)")
      close(descriptor)
      throw failure
    }
  }

  deinit { close(descriptor) }

  /// Sends one request over a connection of its own and reads the answer.
  ///
  /// `Host` is added, and `Content-Length` where there is a body and neither it nor `Transfer-Encoding` is given.
  public static func exchange(
    _ method: String, _ target: String, to port: Int, headers: [(String, String)] = [], bytes: [UInt8]? = nil
  ) throws -> RawAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    let names = headers.map { $0.0.lowercased() }
    if let bytes, !names.contains("content-length"), !names.contains("transfer-encoding") {
      head += "Content-Length: \(bytes.count)\r\n"
    }
    let connection = try RawConnection(port: port)
    try connection.write(Array((head + "\r\n").utf8) + (bytes ?? []))
    return try connection.answer(toHead: method == "HEAD")
  }

  /// Sends all the bytes.
  public func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure("send") }
      rest = rest.dropFirst(count)
    }
  }

  /// The next bytes; empty at the end of the stream or after a reset. Throws after three minutes of silence.
  public func read() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == ECONNRESET { return [] }
    guard count >= 0 else { throw Failure("recv") }
    return Array(buffer[..<count])
  }

  /// Reads one answer as its framing says; what is cut short comes back incomplete.
  public func answer(toHead isHead: Bool = false) throws -> RawAnswer { try piecedAnswer(toHead: isHead).answer }

  /// Reads one answer, and says in how many pieces it came.
  public func piecedAnswer(toHead isHead: Bool = false) throws -> (answer: RawAnswer, pieces: Int) {
    var parser = AnswerParser(isHead: isHead)
    var pieces = 0
    while true {
      let bytes = try read()
      if bytes.isEmpty { return (parser.finished(), pieces) }
      pieces += 1
      if let answer = parser.feed(bytes) { return (answer, pieces) }
    }
  }
}
