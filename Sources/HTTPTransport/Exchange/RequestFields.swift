import BackendKit
import BackendTransport

/// The header fields of a request: those that the configuration sets, its own, and those of every one, in this order where
/// two are the same.
struct RequestFields: Sendable {
  private let common: [(String, String)]
  private let configured: Set<String>

  // Set by the HTTP library from address and body; a second opinion would desynchronise the connection.
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

  /// All fields of a request.
  func headers(of request: HTTPRequest) -> [(String, String)] {
    if request.headers.isEmpty { return common }
    let own = request.headers.filter {
      !configured.contains($0.0.lowercased()) && !RequestFields.reserved.contains($0.0.lowercased())
    }
    return common.filter { field in !own.contains { FieldName.isSame($0.0, field.0) } } + own
  }

  /// The fields of an answer, without those that describe a compression that has been undone.
  static func answer(_ head: ResponseStream.Head) -> [(String, String)] {
    guard Unpacker.Packing(head.first("content-encoding")) != nil else { return head.headers }
    return head.headers.filter { field in
      !["content-encoding", "content-length"].contains { FieldName.isSame($0, field.0) }
    }
  }
}
