import Foundation

/// A connection as the fixture server sees it.
final class Connection {
  private let socket: Int32
  private let hear: (String) -> Void
  private var waiting: [UInt8] = []
  private var isOpen = true

  init(_ socket: Int32, _ hear: @escaping (String) -> Void) {
    self.socket = socket
    self.hear = hear
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The next request, head and body, or nil where the other side closed.
  func request() -> String? {
    var text = ""
    while true {
      text = String(decoding: waiting, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let length =
          text[..<end.lowerBound].split(separator: "\r\n").lazy
          .filter { $0.lowercased().hasPrefix("content-length:") }
          .compactMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }.first ?? 0
        let whole = text[..<end.upperBound].utf8.count + length
        if waiting.count >= whole {
          let request = String(decoding: waiting[..<whole], as: UTF8.self)
          waiting.removeFirst(whole)
          hear(request)
          return request
        }
      }
      guard fill() else { return nil }
    }
  }

  /// The head of the next request, whose body is left unread; nil where the other side closed.
  func head() -> String? {
    while true {
      let text = String(decoding: waiting, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.upperBound]
        waiting.removeFirst(head.utf8.count)
        hear(String(head))
        return String(head)
      }
      guard fill() else { return nil }
    }
  }

  /// So many of the next bytes, fewer where the other side closed.
  func bytes(_ count: Int) -> [UInt8] {
    while waiting.count < count, fill() {}
    defer { waiting.removeFirst(min(count, waiting.count)) }
    return Array(waiting.prefix(count))
  }

  /// Waits for the other side to close; returns whether it did.
  func waitForEnd() -> Bool {
    while fill() {}
    return true
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &piece, piece.count, 0)
    guard count > 0 else { return false }
    waiting += piece[..<count]
    return true
  }

  /// Writes a text; returns whether all of it was taken.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes bytes; returns whether all of them were taken.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Lets a write that nobody takes fail after this time.
  func limitWrites(milliseconds: Int) {
    var time = timeval(tv_sec: 0, tv_usec: milliseconds * 1000)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Closes the connection.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(socket)
  }
}
