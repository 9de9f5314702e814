import BackendKit
import BackendTransport
import NIOHTTP1

/// The header fields of a request: those that the configuration sets, its own, and those of every one, in this order where
/// two are the same.
struct RequestFields: Sendable {
  private let common: HTTPHeaders
  private let names: Set<String>
  private let configured: Set<String>

  // Set by the HTTP library from address and body; a second opinion would desynchronise the connection.
  private static let reserved: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

  init(_ settings: TransportSettings, host: String? = nil) {
    var headers = HTTPHeaders(settings.headers.filter { !RequestFields.reserved.contains($0.0.lowercased()) })
    configured = Set(headers.map { $0.name.lowercased() })
    for (name, value) in [
      ("Accept", "application/json"), ("Accept-Encoding", "gzip"), ("User-Agent", settings.userAgent),
    ] where !headers.contains(name: name) {
      headers.add(name: name, value: value)
    }
    // The library names no host where there is none.
    if let host { headers.replaceOrAdd(name: "Host", value: host) }
    common = headers
    names = Set(headers.map { $0.name.lowercased() })
  }

  /// All fields of a request.
  func headers(of request: HTTPRequest) -> HTTPHeaders {
    var headers = common
    let own = request.headers.filter {
      !configured.contains($0.0.lowercased()) && !RequestFields.reserved.contains($0.0.lowercased())
    }
    for (name, _) in own where names.contains(name.lowercased()) { headers.remove(name: name) }
    for (name, value) in own { headers.add(name: name, value: value) }
    return headers
  }

  /// The fields of an answer, without those that describe a compression that has been undone.
  static func answer(_ headers: HTTPHeaders) -> [(String, String)] {
    let encoding = headers.first(name: "content-encoding")
    let isUndone = encoding == "gzip" || encoding == "deflate"
    var fields: [(String, String)] = []
    for (name, value) in headers {
      if isUndone, ["content-encoding", "content-length"].contains(name.lowercased()) { continue }
      fields.append((name, value))
    }
    return fields
  }
}
