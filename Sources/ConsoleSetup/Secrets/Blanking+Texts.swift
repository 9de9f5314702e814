import BackendKit

extension Blanking {
  /// A text without these secrets and the known ones.
  package func text(_ text: String, without secrets: [String]) -> String {
    if secrets.isEmpty { return self.text(text) }
    var spelled = SpelledSecrets()
    for secret in secrets where secret.utf8.count >= SecretNames.minimumLength { spelled.insert(secret) }
    var text = String(
      decoding: SpelledSecrets.replaced(in: Array(text.utf8), by: Self.mark, [spelled]), as: UTF8.self)
    // The longest first: replacing a part would leave the rest.
    for secret in Set(secrets).sorted(by: { $0.utf8.count > $1.utf8.count })
    where (1..<SecretNames.minimumLength).contains(secret.utf8.count) {
      text = Self.replacing(secret, in: text)
    }
    return self.text(text)
  }

  /// A short text is replaced only as a word of its own: `a` is part of many words.
  private static func replacing(_ secret: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(ofText: secret) {
      let before = rest[..<range.lowerBound].last ?? result.last
      let after = rest[range.upperBound...].first
      let isWord = [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber } ?? true }
      result += rest[..<range.lowerBound] + (isWord ? mark : secret)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
