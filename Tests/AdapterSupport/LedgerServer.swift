import Foundation
import Synchronization

/// A server on a real socket that holds one record and keeps a ledger of every request that writes: whether it was taken,
/// what was done, and what was answered. What a console says of the data is held against that ledger.
public final class LedgerServer: Sendable {
  /// The outcome of a writing request, once it has been read completely.
  public enum Reply: Sendable, Hashable, CustomStringConvertible {
    /// The connection is closed without a response; the request was carried out or not.
    case closed(carriedOut: Bool)
    /// The same, and every later connection is refused.
    case closedForGood(carriedOut: Bool)
    /// The connection is reset without a response.
    case reset
    /// The response is not HTTP.
    case garbled
    /// A response; 2xx carries the request out.
    case status(Int)
    /// A response to a request that was carried out, whatever the status.
    case done(Int)

    /// The reply in a word or two.
    public var description: String {
      switch self {
      case .closed(let carriedOut): "closed\(carriedOut ? " after it was done" : "")"
      case .closedForGood(let carriedOut): "closed for good\(carriedOut ? " after it was done" : "")"
      case .reset: "reset"
      case .garbled: "garbled"
      case .status(let status): "\(status)"
      case .done(let status): "\(status) after it was done"
      }
    }
  }

  /// A request that writes, as the server saw it.
  public struct Entry: Sendable, Hashable {
    /// The method.
    public let method: String
    /// The status of the response; nil where none was sent.
    public let status: Int?
    /// True if the request was carried out.
    public let isDone: Bool
  }

  private struct State {
    var replies: [Reply]
    var entries: [Entry] = []
    var title: String?
    var isStopped = false
  }

  /// The port on 127.0.0.1.
  public let port: Int
  private let listener: Int32
  private let list: String
  private let state: Mutex<State>

  /// Creates a server whose one record has this title, with the replies to writing requests; the last one is repeated.
  /// `list` is the response to a read of the collection.
  public init(title: String?, list: String = "[]", _ replies: [Reply]) throws {
    self.list = list
    state = Mutex(State(replies: replies, title: title))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw SocketServer.Failure() }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread { [weak self, listener] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        self?.serve(connection)
        close(connection)
      }
      close(listener)
    }.start()
  }

  deinit { stop() }

  /// The server's address.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// The requests that wrote, in order.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// The title of the record; nil where there is no record.
  public var title: String? { state.withLock { $0.title } }

  /// True if connections are accepted.
  public var isReachable: Bool { state.withLock { !$0.isStopped } }

  /// Refuses every later connection.
  public func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private func serve(_ connection: Int32) {
    guard let request = Self.request(on: connection) else { return }
    let method = String(request.prefix { $0 != " " })
    guard method != "GET" else {
      let path = request.split(separator: " ").dropFirst().first?.prefix { $0 != "?" } ?? ""
      return send(path.hasSuffix("/1") ? record() : SocketServer.json(200, list), on: connection)
    }
    let reply = state.withLock { $0.replies.count > 1 ? $0.replies.removeFirst() : $0.replies[0] }
    switch reply {
    case .closed(let carriedOut): enter(method, request, nil, carriedOut)
    case .closedForGood(let carriedOut):
      enter(method, request, nil, carriedOut)
      stop()
    case .reset:
      enter(method, request, nil, false)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    case .garbled:
      enter(method, request, nil, false)
      send(Array("this is not a HTTP\r\n\r\n".utf8), on: connection)
    case .status(let status), .done(let status):
      enter(method, request, status, (200..<300).contains(status) || reply == .done(status))
      let location = (300..<400).contains(status) ? [("Location", "/elsewhere")] : []
      let body = (200..<300).contains(status) && status != 204 ? Self.json(title ?? "") : ""
      let type = ("Content-Type", "application/json")
      send(SocketServer.answer(status, body.isEmpty ? location : [type], body), on: connection)
    }
  }

  private func enter(_ method: String, _ request: String, _ status: Int?, _ isDone: Bool) {
    state.withLock { state in
      state.entries.append(Entry(method: method, status: status, isDone: isDone))
      guard isDone else { return }
      state.title = method == "DELETE" ? nil : request.contains("\"new\"") ? "new" : state.title
    }
  }

  private func record() -> [UInt8] {
    title.map { SocketServer.json(200, Self.json($0)) } ?? SocketServer.answer(404)
  }

  private static func json(_ title: String) -> String { #"{"id":1,"title":"\#(title)"}"# }

  private func send(_ bytes: [UInt8], on connection: Int32) {
    _ = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// A request with its body; nil where the other side closed before its end.
  private static func request(on connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n") {
        let field = text[..<head.lowerBound].lowercased().split(separator: "\r\n").first {
          $0.hasPrefix("content-length:")
        }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        if text[head.upperBound...].utf8.count >= length { return text }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
