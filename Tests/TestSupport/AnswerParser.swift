/// Cuts an answer out of the bytes of a connection.
struct AnswerParser {
  let isHead: Bool
  private var bytes: [UInt8] = []
  private var answer = RawAnswer()
  private var bodyStart: Int?

  init(isHead: Bool) { self.isHead = isHead }

  /// The answer, as soon as it is whole.
  mutating func feed(_ more: [UInt8]) -> RawAnswer? {
    bytes += more
    if bodyStart == nil { readHead() }
    guard let bodyStart else { return nil }
    let rest = bytes[bodyStart...]
    if isHead || answer.status == 204 || answer.status == 304 { return whole([]) }
    if answer.header("transfer-encoding")?.lowercased() == "chunked" {
      return dechunked(rest).map { whole($0) }
    }
    guard let length = answer.header("content-length").flatMap({ Int($0) }), rest.count >= length else { return nil }
    return whole(Array(rest.prefix(length)))
  }

  /// Returns the answer at the end of the stream; it is complete only if that end is the framing.
  mutating func finished() -> RawAnswer {
    guard let bodyStart else { return answer }
    answer.body = Array(bytes[bodyStart...])
    answer.isComplete = answer.header("transfer-encoding") == nil && answer.header("content-length") == nil
    return answer
  }

  private mutating func whole(_ body: [UInt8]) -> RawAnswer {
    answer.body = body
    answer.isComplete = true
    return answer
  }

  private mutating func readHead() {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= 4,
      let end = (0...bytes.count - 4).first(where: { bytes[$0..<$0 + 4].elementsEqual(mark) })
    else { return }
    bodyStart = end + 4
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
    answer.status = words.dropFirst().first.flatMap { Int($0) } ?? 0
    answer.reason = words.count > 2 ? String(words[2]) : ""
    answer.headers = lines.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      return (String(name), line.dropFirst(name.count + 1).drop { $0 == " " }.description)
    }
  }

  private func dechunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = bytes
    var body: [UInt8] = []
    while let end = rest.firstIndex(of: 10) {
      let size = String(decoding: rest[..<end], as: UTF8.self).prefix { $0.isHexDigit }
      guard let count = Int(size, radix: 16), rest.endIndex - end >= count + 3 else { return nil }
      if count == 0 { return body }
      body += rest[(end + 1)..<(end + 1 + count)]
      rest = rest[(end + 3 + count)...]
    }
    return nil
  }
}
