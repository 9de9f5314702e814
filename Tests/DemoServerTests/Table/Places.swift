import Foundation

/// Puts texts into their places in braces, and characters in the place of the marks for them.
struct Places {
  private let first: [String: String]
  private let second: [String: String]

  /// The places of `second` may also stand in the texts of `first`.
  init(_ first: [String: String], then second: [String: String]) {
    self.first = first
    self.second = second
  }

  func filled(_ text: some StringProtocol) -> String {
    Self.spelledOut(Self.put(second, into: Self.put(first, into: String(text))))
  }

  /// The texts between those places where any text may stand.
  func pieces(_ pattern: String) -> [String] {
    pattern.split(separator: "...", omittingEmptySubsequences: false).map { filled($0) }
  }

  /// True where a text consists of the pieces and of any text between two of them.
  static func matches(_ text: String, _ pieces: [String]) -> Bool {
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return text == pieces.first }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  private static func put(_ values: [String: String], into text: String) -> String {
    values.reduce(text) { text, entry in
      guard text.contains("\(entry.key)}") else { return text }
      let encoded = spelledOut(entry.value).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return text.replacing("{%\(entry.key)}", with: encoded).replacing("{\(entry.key)}", with: entry.value)
    }
  }

  private static func spelledOut(_ text: String) -> String {
    text.replacing(/\{([^{}]+)\*(\d+)\}/) { String(repeating: String($0.1), count: Int($0.2) ?? 0) }
      .replacing("␠", with: " ").replacing("⏎", with: "\n")
  }
}
