import HTTPTypes

/// A request as a dialect sees it: nothing decoded, nothing normalized.
struct DemoRequest: Sendable {
  /// As sent: `GET`, `PROPFIND`, …
  let method: String
  /// The request target after the dialect's base, up to the question mark, with percent-encoding and doubled slashes as
  /// sent; `/` if empty.
  let path: String
  /// The query after the question mark, as sent.
  let query: String?
  /// The dialect's base path, such as `/grails`.
  let base: String
  let host: String?
  /// All headers but `Host`, in order.
  let headers: HTTPFields
  let body: [UInt8]
  let settings: Settings

  /// The value of a header by its lowercase name; several of one name are joined by a comma.
  func header(_ lowercased: String) -> String? {
    var value: String?
    for field in headers where field.name.canonicalName == lowercased {
      value = value.map { "\($0), \(field.value)" } ?? field.value
    }
    return value
  }

  /// The address of the dialect's base as the client wrote it: `http://HOST/grails`.
  var baseAddress: String { "http://\(host ?? "localhost")\(base)" }
}
