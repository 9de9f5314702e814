import BackendKit
import DemoServerSupport
import Foundation
import Synchronization

/// Requests over a connection each, without login, repetition or redirects.
struct SocketExchange: HTTPExchange {
  private let port: Int
  private let base: String

  init(_ address: String) throws {
    let url = URL(string: address)
    guard let port = url?.port, url?.host == "127.0.0.1", let path = url?.path else { throw URLError(.badURL) }
    self.port = port
    base = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    let (port, bytes, isHead) = (port, encoded(request), request.method == "HEAD")
    let result: Result<RawAnswer, any Error> = await withCheckedContinuation { continuation in
      Thread {
        continuation.resume(
          returning: Result {
            let connection = try RawConnection(port: port)
            try connection.write(bytes)
            return try connection.answer(toHead: isHead)
          })
      }.start()
    }
    guard case .success(let answer) = result, answer.status != 0 else {
      throw BackendError(
        .unavailable, "no answer from port \(port)", effect: request.effect == .read ? .rejected : .unknown)
    }
    return HTTPAnswer(
      status: answer.status, headers: answer.headers.map { ($0.name, $0.value) }, body: body(of: answer))
  }

  private func encoded(_ request: HTTPRequest) -> [UInt8] {
    var head = "\(request.method) \(base)/\(request.target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
    if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (request.body ?? [])
  }

  private func body(of answer: RawAnswer) -> HTTPBody {
    let rest = Mutex(answer.body)
    return HTTPBody { () throws(BackendError) in
      let piece = rest.withLock { rest in
        let piece = Array(rest.prefix(1000))
        rest.removeFirst(piece.count)
        return piece
      }
      if !piece.isEmpty { return piece }
      guard answer.isComplete else {
        throw BackendError(.badResponse, "the connection ended in the middle of the answer", effect: .rejected)
      }
      return nil
    }
  }
}
