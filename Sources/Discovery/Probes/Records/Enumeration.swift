import BackendKit

/// Texts of records that are so few, and recur so often, that a field may have no others.
enum Enumeration {
  /// The words of an enumeration, in order of appearance; nil unless a few recur so often that others are unlikely.
  static func words(in values: [Value], of name: String) -> [Value]? {
    let plain = DocumentedResource.plain(name)
    guard !people.contains(where: plain.hasSuffix) else { return nil }
    var words: [Value] = []
    var counts: [Value: Int] = [:]
    for value in values {
      guard let text = value.text, isWord(text) else { return nil }
      if counts[value] == nil { words.append(value) }
      guard words.count <= mostWords else { return nil }
      counts[value, default: 0] += 1
    }
    guard words.count > 1, words.count * usesOfWord <= values.count, counts.values.allSatisfy({ $0 >= leastUses })
    else {
      return nil
    }
    return words
  }

  private static let mostWords = 8
  /// The number of uses of each word, on average and at least.
  private static let (usesOfWord, leastUses) = (8, 3)
  /// The ends of names of fields that name people or things, so that new values will come.
  private static let people = [
    "name", "by", "user", "author", "owner", "login", "creator", "assignee", "mail", "city", "title",
  ]

  private static func isWord(_ text: String) -> Bool {
    (1...30).contains(text.utf8.count) && text.first?.isLetter == true
      && text.allSatisfy { $0.isLetter || $0.isNumber || "_- ".contains($0) }
  }
}
