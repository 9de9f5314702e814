import Foundation
import Synchronization

/// A server on a real socket that answers with bytes written down in the test, for what the demo server cannot do.
public final class SocketServer: Sendable {
  /// The port on 127.0.0.1.
  public let port: Int
  private let descriptor: Int32
  private let answer: @Sendable (String) -> [UInt8]
  private let holdsOpen: Bool
  private let received = Mutex<[String]>([])
  private let held = Mutex<[Int32]>([])

  /// A failed socket operation.
  public struct Failure: Error {}

  /// A server that gives these answers one after the other, the last again and again.
  ///
  /// With `holdsOpen` a connection stays open after its one answer, until the server goes.
  public convenience init(_ answers: [UInt8]..., holdsOpen: Bool = false) throws {
    try self.init(answers, holdsOpen: holdsOpen)
  }

  /// A server that gives these answers one after the other, the last again and again.
  public convenience init(_ answers: [[UInt8]], holdsOpen: Bool = false) throws {
    let rest = AnswersInTurn(answers)
    try self.init(holdsOpen: holdsOpen) { _ in rest.next() }
  }

  /// A server that makes its answer of the text of each request.
  public init(holdsOpen: Bool = false, answering answer: @escaping @Sendable (String) -> [UInt8]) throws {
    self.answer = answer
    self.holdsOpen = holdsOpen
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard result else { throw Failure() }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [weak self, descriptor] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        guard let self else {
          close(connection)
          continue
        }
        // Whoever has the answer may have the connections closed that are held.
        if holdsOpen { self.held.withLock { $0.append(connection) } }
        self.serve(connection)
        if !holdsOpen { close(connection) }
      }
      // Here and nowhere else: a number closed while this thread may still use it would soon name another socket.
      close(descriptor)
    }.start()
  }

  // Ends the wait for connections, and with it the thread.
  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    closeHeld()
  }

  /// Closes the connections that were held open.
  public func closeHeld() {
    held.withLock { held in
      for connection in held { close(connection) }
      held = []
    }
  }

  /// The server's address.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// The first lines of the requests so far.
  public var requests: [String] { texts.map { String($0.prefix { $0 != "\r\n" }) } }

  /// The requests so far as they came.
  public var texts: [String] { received.withLock { $0 } }

  /// An answer with a JSON body.
  public static func json(_ status: Int, _ body: String) -> [UInt8] {
    answer(status, [("Content-Type", "application/json;charset=UTF-8")], body)
  }

  /// An answer with its length in its head.
  public static func answer(_ status: Int, _ headers: [(String, String)] = [], _ body: String = "") -> [UInt8] {
    var head = "HTTP/1.1 \(status) Status\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if status != 204 { head += "Content-Length: \(body.utf8.count)\r\n" }
    return Array((head + "\r\n" + body).utf8)
  }

  private func serve(_ connection: Int32) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !Self.isWhole(bytes) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    received.withLock { $0.append(text) }
    _ = answer(text).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let head = text.range(of: "\r\n\r\n") else { return false }
    let field = text[..<head.lowerBound].lowercased().split(separator: "\r\n").first {
      $0.hasPrefix("content-length:")
    }
    let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    return text[head.upperBound...].utf8.count >= length
  }
}

/// Answers that are given one after the other, the last again and again.
private final class AnswersInTurn: Sendable {
  private let answers: Mutex<[[UInt8]]>

  init(_ answers: [[UInt8]]) { self.answers = Mutex(answers) }

  func next() -> [UInt8] { answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] } }
}
