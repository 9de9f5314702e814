import Foundation
import Synchronization
import TestSupport

/// A server for tests: blocking sockets, a thread for each connection, and a closure that says what a connection does.
final class ScriptedServer: Sendable {
  /// The script of a connection; `number` counts the connections from 1.
  typealias Script = @Sendable (_ connection: Connection, _ number: Int) -> Void

  let port: Int
  private let host: String
  private let socketPath: String?
  private let listener: Int32
  private let accepted = Mutex(0)
  private let heard = Mutex<[String]>([])

  var address: String { socketPath.map { "unix://\($0)" } ?? "http://\(host):\(port)" }
  /// The number of connections so far.
  var connections: Int { accepted.withLock { $0 } }
  /// The requests so far, heads and bodies.
  var requests: [String] { heard.withLock { $0 } }

  /// A server at an address of this machine, `127.0.0.1` or `::1`.
  init(at host: String = "127.0.0.1", _ script: @escaping Script) throws {
    (listener, port) = try LocalPort(host).listen(backlog: 16)
    self.host = host.contains(":") ? "[\(host)]" : host
    socketPath = nil
    let listener = listener
    Thread.detachNewThread { [self] in accept(on: listener, script) }
  }

  /// A server at a socket of this machine.
  init(socket path: String, _ script: @escaping Script) throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard bound, listen(listener, 16) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    (host, port) = ("localhost", 0)
    socketPath = path
    Thread.detachNewThread { [self] in accept(on: listener, script) }
  }

  /// Ends the listening; later connections are refused.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func accept(on listener: Int32, _ script: @escaping Script) {
    while true {
      let peer = Glibc.accept(listener, nil, nil)
      guard peer >= 0 else { break }
      let number = accepted.withLock { count in
        count += 1
        return count
      }
      Thread.detachNewThread { [self] in
        let connection = Connection(peer) { request in self.heard.withLock { $0.append(request) } }
        script(connection, number)
        connection.close()
      }
    }
    close(listener)
  }
}

extension ScriptedServer {
  /// A server that answers every request in turn, the connection kept.
  convenience init(
    at host: String = "127.0.0.1", answers: @escaping @Sendable (_ request: String) -> String
  ) throws {
    try self.init(at: host, Self.script(answers))
  }

  /// The same at a socket of this machine.
  convenience init(socket path: String, answers: @escaping @Sendable (_ request: String) -> String) throws {
    try self.init(socket: path, Self.script(answers))
  }

  private static func script(_ answers: @escaping @Sendable (_ request: String) -> String) -> Script {
    { connection, _ in while let request = connection.request() { connection.write(answers(request)) } }
  }

  /// An answer with a body and its length.
  static func answer(_ status: String = "200 OK", _ fields: String..., body: String = "{}") -> String {
    let all = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "", body]
    return all.joined(separator: "\r\n")
  }
}
