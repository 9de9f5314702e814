import BackendKit

/// One request as sent over the wire.
struct WireRequest: Sendable {
  let method: String
  let address: String
  let headers: [(String, String)]
  let body: [UInt8]?
  /// A streamed body with its length.
  let content: (body: HTTPBody, length: Int)?
  let way: Way
  /// True if it needs a new connection.
  var isFresh: Bool
  var mayWrite = false
  /// The time limit from sending the request to the head of the response.
  let firstByte: Duration
  /// The time at which the whole response has to be complete.
  let deadline: ContinuousClock.Instant
  /// True if it may last as long as data keeps arriving.
  let isLong: Bool
  /// True if nothing is sent: it ends with the server's certificate.
  var isAsking = false

  /// The header as lines; nil if a field has a character that cannot be sent.
  var lines: [String]? {
    var lines = headers.map { $0.1.isEmpty ? "\($0.0);" : "\($0.0): \($0.1)" }
    let isSendable = headers.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
    // A name without a value keeps libcurl from adding the field.
    for name in ["Content-Type", "Expect"] where !headers.contains(where: { FieldName.isSame($0.0, name) }) {
      lines.append("\(name):")
    }
    return isSendable ? lines : nil
  }

  /// The address in the library's form: for a socket, with the host name that the server gets.
  var libraryAddress: String {
    guard way.origin.socket != nil else { return address }
    return "http://\(way.origin.host)\(address.dropFirst(way.origin.address.count))"
  }
}

/// The names of header fields, which are case-insensitive.
enum FieldName {
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
  }
}
