import BackendKit
import BackendTransport

/// The header fields of a request: those of the configuration, its own, and those of all requests, in this order of
/// precedence.
struct RequestFields: Sendable {
  private let common: [(String, String)]
  private let configured: Set<String>

  // Derived by the HTTP library from address and body; another value would desynchronize the connection.
  private static let reserved: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

  init(_ settings: TransportSettings, host: String? = nil) {
    var fields = settings.headers.filter { !RequestFields.reserved.contains($0.0.lowercased()) }
    configured = Set(fields.map { $0.0.lowercased() })
    let known = configured
    fields += [
      ("Accept", "application/json"), ("Accept-Encoding", Library.encodings), ("User-Agent", settings.userAgent),
    ]
    .filter { !known.contains($0.0.lowercased()) }
    if let host { fields.append(("Host", host)) }
    common = fields
  }

  func headers(of request: HTTPRequest) -> [(String, String)] {
    if request.headers.isEmpty { return common }
    let own = request.headers.filter {
      !configured.contains($0.0.lowercased()) && !RequestFields.reserved.contains($0.0.lowercased())
    }
    return common.filter { field in !own.contains { FieldName.isSame($0.0, field.0) } } + own
  }

  /// The fields of a response, without those that describe a compression that was undone.
  static func answer(_ head: ResponseStream.Head) -> [(String, String)] {
    guard head.first("content-encoding").flatMap(Unpacker.Packing.init) != nil else { return head.headers }
    return head.headers.filter { field in
      !["content-encoding", "content-length"].contains { FieldName.isSame($0, field.0) }
    }
  }
}
