/// The pairs of a query string or of a form body, decoded, in order.
struct Form: Sendable {
  private(set) var pairs: [(name: String, value: String)] = []

  /// Decodes `a=1&b=%20`; `+` is a space, bytes that are not UTF-8 become U+FFFD, a broken `%` is kept.
  init(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : ""))
    }
  }

  private init(pairs: [(name: String, value: String)]) { self.pairs = pairs }

  subscript(name: String) -> String? {
    pairs.first { $0.name == name }?.value
  }

  /// Concatenates the pairs.
  static func + (left: Form, right: Form) -> Form { Form(pairs: left.pairs + right.pairs) }

  private static func decoded(_ text: some Sequence<UInt8>) -> String {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return String(decoding: PercentEncoding.decodedBytes(spaced).bytes, as: UTF8.self)
  }
}
