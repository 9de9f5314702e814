/// A response, exactly as sent: no header is added but `Date`, and `Content-Length` for a whole body if the status
/// allows one and no such header is given.
package struct DemoResponse: Sendable {
  package enum Body: Sendable {
    /// Sent in one write together with the head. For HEAD only its length is sent.
    case whole([UInt8])
    /// Sent in pieces; chunked without a length. With `cut` the connection is dropped after the last piece; with no
    /// pieces and `cut` it is dropped without any response.
    case pieces([[UInt8]], length: Int?, pause: Duration, cut: Bool)
  }

  package var status: Int
  /// In the order and spelling in which they are sent.
  package var headers: [(name: String, value: String)]
  package var body: Body

  init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .whole(body)
  }

  init(status: Int, type: String, text: String, headers: [(name: String, value: String)] = []) {
    self.init(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
  }

  /// The header fields as sent, including the length of the body.
  package var fields: [(name: String, value: String)] {
    let names = headers.map { $0.name.lowercased() }
    guard case .whole(let bytes) = body, !names.contains("content-length"), !names.contains("transfer-encoding") else {
      return headers
    }
    return headers + [("Content-Length", String(bytes.count))]
  }
}
