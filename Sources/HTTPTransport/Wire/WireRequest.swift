import BackendKit

/// One request as it goes over the wire.
struct WireRequest: Sendable {
  let method: String
  let address: String
  let headers: [(String, String)]
  let body: [UInt8]?
  /// The body where it is not held in memory, with its length.
  let content: (body: HTTPBody, length: Int)?
  let way: Way
  /// True if it goes over a connection of its own.
  var isFresh: Bool
  /// True if it may change the server's data.
  var mayWrite = false
  /// The time from the request's departure to the head of the response.
  let firstByte: Duration
  /// The moment at which the whole response has to be there.
  let deadline: ContinuousClock.Instant
  /// True if it lasts as long as parts keep coming.
  let isLong: Bool
  /// True if nothing is sent: it ends with the certificate that the server shows.
  var isAsking = false

  /// The header as lines; nil where a field has a character that cannot be sent.
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

  /// The address as the library takes it: of a server at a socket, with the host that it is told.
  var libraryAddress: String {
    guard way.origin.socket != nil else { return address }
    return "http://\(way.origin.host)\(address.dropFirst(way.origin.address.count))"
  }
}
