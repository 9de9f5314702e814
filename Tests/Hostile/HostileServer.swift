import AdapterSupport

/// Servers that answer with what a terminal, a shell or a parser might fall for.
enum HostileServer: String, CaseIterable, CustomStringConvertible {
  /// Records whose names and values are hostile words.
  case records
  /// Refusals that quote hostile words.
  case refusals
  /// Every request is sent on to another server.
  case redirects
  /// Responses that end before their length.
  case cut
  /// A response that is not HTTP.
  case garbage
  /// HTML with many tags and attributes in it.
  case markup
  /// A record with thousands of fields.
  case wide

  var description: String { rawValue }

  /// A running server of this kind; `other` is the address that it redirects to.
  func start(other: String) throws -> SocketServer {
    try SocketServer { request in response(to: request, other: other) }
  }

  /// The words of ``CommandLines`` as JSON escapes them, so that a response is valid JSON.
  private static let words = CommandLines.hostileWords.map { word in
    word.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }.joined()
  }

  private func response(to request: String, other: String) -> [UInt8] {
    let path = request.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "?" } } ?? ""
    let isList = path.split(separator: "/").count == 1
    switch self {
    case .records:
      let records = Self.words.enumerated().map { place, word in
        "{\"id\": \"\(word)\", \"title\": \"\(word)\", \"\(word)\": [\"\(word)\"], \"n\": \(place)}"
      }
      return SocketServer.json(200, isList ? "[\(records.joined(separator: ","))]" : records[0])
    case .refusals:
      let status = [400, 401, 403, 404, 409, 429, 500, 503][request.utf8.count % 8]
      // For longer than anyone waits: a busy service without a time is asked again and again.
      return SocketServer.answer(
        status, [("Content-Type", "application/json;charset=UTF-8"), ("Retry-After", "3600")],
        "{\"message\": \"\(Self.words.joined())\", \"error\": \"\(Self.words.joined())\"}")
    case .redirects:
      return SocketServer.answer(302, [("Location", "\(other)/\u{1B}[31m")])
    case .cut:
      return Array("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n[{\"id\": 1, \"title\": \"\(Self.words[0])\"}".utf8)
    case .garbage: return Array("\u{1B}[31m\u{1B}]0;x\u{7} 200 \u{9B}2J\r\n\r\n".utf8)
    case .markup:
      let attributes = (0..<2000).map { " a\($0)='x'" }.joined()
      let html = "<p\(attributes)>\(String(repeating: "<b><a href='\u{1B}[31m'>x", count: 2000))"
        .replacing("\u{1B}", with: "\\u001b")
      let record = "{\"id\": 1, \"title\": \"x\", \"body\": \"\(html)\"}"
      return SocketServer.json(200, isList ? "[\(record)]" : record)
    case .wide:
      let record = "{\"id\": 1, " + (0..<2000).map { "\"field\($0)\": \($0)" }.joined(separator: ", ") + "}"
      return SocketServer.json(200, isList ? "[\(record)]" : record)
    }
  }
}
