import ConsoleSetup

/// The difference between a request and a recorded one. A blank matches any text.
struct RequestDifference: CustomStringConvertible {
  private let parts: [(name: String, recorded: String, asked: String)]

  init?(_ recorded: RecordedExchange.Request, _ asked: RecordedExchange.Request) {
    var parts: [(name: String, recorded: String, asked: String)] = []
    if recorded.method != asked.method { parts.append(("method", recorded.method, asked.method)) }
    if !Self.matches(recorded.target, asked.target) {
      parts.append(("path", "/" + recorded.target, "/" + asked.target))
    }
    parts += Self.headers(recorded.headers, asked.headers)
    if recorded.body?.isEmpty != asked.body?.isEmpty || !Self.matches(recorded.body ?? [], asked.body ?? []) {
      let (recorded, asked) = Self.excerpts(recorded.body, asked.body)
      parts.append(("body", recorded, asked))
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  var description: String {
    parts.map { "\($0.name): recorded \($0.recorded), asked \($0.asked)" }.joined(separator: "; ")
  }

  private static func headers(
    _ recorded: [RecordedExchange.Field], _ asked: [RecordedExchange.Field]
  ) -> [(name: String, recorded: String, asked: String)] {
    var rest = asked
    var parts: [(name: String, recorded: String, asked: String)] = []
    for field in recorded {
      let name = field.name.lowercased()
      guard let index = rest.firstIndex(where: { $0.name.lowercased() == name }) else {
        parts.append(("header \(field.name)", field.value, "none"))
        continue
      }
      let found = rest.remove(at: index)
      if !matches(field.value, found.value) { parts.append(("header \(field.name)", field.value, found.value)) }
    }
    return parts + rest.map { ("header \($0.name)", "none", $0.value) }
  }

  private static func matches(_ recorded: String, _ asked: String) -> Bool {
    matches(Array(recorded.utf8), Array(asked.utf8))
  }

  private static func matches(_ recorded: [UInt8], _ asked: [UInt8]) -> Bool {
    if recorded == asked { return true }
    let parts = recorded.split(on: Array(Blanking.mark.utf8))
    guard let first = parts.first, let last = parts.last, parts.count > 1, asked.starts(with: first) else {
      return false
    }
    var rest = asked.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Returns excerpts of two bodies from their first difference.
  private static func excerpts(_ recorded: [UInt8]?, _ asked: [UInt8]?) -> (String, String) {
    guard let recorded, let asked else { return (excerpt(recorded, 0), excerpt(asked, 0)) }
    let same = zip(recorded, asked).prefix { $0 == $1 }.count
    return (excerpt(recorded, max(0, same - 20)), excerpt(asked, max(0, same - 20)))
  }

  private static func excerpt(_ body: [UInt8]?, _ start: Int) -> String {
    guard let body else { return "none" }
    let text = String(decoding: body[min(start, body.count)...].prefix(80), as: UTF8.self)
    return "\"\(start > 0 ? "…" : "")\(text)\(body.count > start + 80 ? "…" : "")\""
  }
}

extension Array<UInt8> {
  fileprivate func split(on separator: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = self[...]
    while let range = rest.range(of: separator) {
      parts.append(Array(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [Array(rest)]
  }
}

extension ArraySlice<UInt8> {
  fileprivate func range(of other: [UInt8]) -> Range<Int>? {
    guard !other.isEmpty else { return startIndex..<startIndex }
    guard count >= other.count else { return nil }
    for index in startIndex...(endIndex - other.count)
    where self[index] == other[0] && self[index..<index + other.count].elementsEqual(other) {
      return index..<index + other.count
    }
    return nil
  }
}
