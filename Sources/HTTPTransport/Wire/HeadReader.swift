/// Reads the head of a response from its lines.
struct HeadReader {
  /// The result of a line.
  enum Step {
    case more
    case head(ResponseStream.Head)
    case fault(FailureReason)
  }

  /// The maximum number of bytes, preliminary responses included.
  static let limit = 256 << 10

  /// True once the head is there; what follows the body changes nothing.
  private(set) var isOver = false
  /// True from the first line of a head to its end.
  private(set) var isInside = false
  /// True unless the server says that it closes the connection.
  var keepsConnection: Bool { isOver && head.first("connection")?.lowercased() != "close" }
  private var head = ResponseStream.Head(status: 0, headers: [])
  private var count = 0

  /// Takes a line with its end.
  mutating func take(_ line: UnsafeBufferPointer<UInt8>) -> Step {
    if isOver { return .more }
    count += line.count
    if count > Self.limit { return .fault(.garbled("the response header is longer than \(Self.limit >> 10) KiB")) }
    let text = line[...].drop(while: Self.isBlank).reversed().drop(while: Self.isBlank).reversed()
    if text.isEmpty { return end() }
    if text.starts(with: "HTTP/".utf8) {
      head = ResponseStream.Head(status: Self.status(text), headers: [])
      isInside = true
      if head.status < 100 { return .fault(.garbled("the response has no valid status")) }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let name = text[..<colon]
      let value = text[text.index(after: colon)...].drop(while: Self.isBlank)
      head.headers.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
    }
    return .more
  }

  private mutating func end() -> Step {
    isInside = false
    if head.status < 200 { return .more }
    isOver = true
    return .head(head)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func status(_ line: some Sequence<UInt8>) -> Int {
    let words = Array(line).split(separator: 0x20)
    return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
  }
}
