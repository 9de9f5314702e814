import BackendKit

/// The request of a browser that comes back from a login: `GET /callback?code=…&state=…` at this machine.
struct RedirectRequest {
  /// The path to which the server sends the browser.
  static let path = "/callback"

  enum Verdict: Equatable {
    /// The parameters of the login's end.
    case taken([String: String])
    /// Not the end of this login; the status says why.
    case refused(status: String)
  }

  /// Judges the head of a request at a port. It counts only with the state of this login, which no other page and no
  /// other user of this machine can know.
  static func judged(_ head: ArraySlice<UInt8>, port: Int, state: String) -> Verdict {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      return .refused(status: "400 Bad Request")
    }
    guard words[0] == "GET" else { return .refused(status: "405 Method Not Allowed") }
    // A name that leads to this machine could be a page's (DNS rebinding).
    let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
      .flatMap { $0.dropFirst(5).split { $0 == " " || $0 == "\t" } }
    guard hosts == ["127.0.0.1:\(port)"] else { return .refused(status: "421 Misdirected Request") }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first == path[...] else { return .refused(status: "404 Not Found") }
    guard parts.count == 2, let query = parameters(parts[1]), RandomText.isSame(query["state"] ?? "", state) else {
      return .refused(status: "403 Forbidden")
    }
    return .taken(query)
  }

  /// The parameters of a query; nil if one is malformed or given twice.
  private static func parameters(_ query: Substring) -> [String: String]? {
    var found: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.map { PercentEncoding.decoded($0.replacing(text: "+", with: "%20")[...]) }
      guard texts.count == 2, let name = texts[0], let value = texts[1], found.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return found
  }

  /// The response to a request: a page without scripts, links and anything of the request.
  static func page(_ verdict: Verdict) -> [UInt8] {
    let (status, title, text) =
      switch verdict {
      case .taken(let query) where query["error"] == nil:
        ("200 OK", "Back to the terminal", "The console completes the login. You can close this page.")
      case .taken:
        ("200 OK", "Not logged in", "The terminal says why. You can close this page.")
      case .refused(let status):
        (status, "Nothing was done", "This request does not belong to the login that the console waits for.")
      }
    let body = "<!DOCTYPE html><title>Switchboard</title><h1>\(title)</h1><p>\(text)</p>\n"
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
      "Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer", "Cache-Control: no-store",
      "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
