/// Known secrets, searched for in every spelling.
package struct SpelledSecrets: Sendable {
  private var known: Set<String> = []
  private var trees: [(spelling: Spelling, tree: SpelledTree)] = [Spelling.text, .base64, .hexadecimal].map {
    ($0, SpelledTree($0))
  }

  func contains(_ text: String) -> Bool { known.contains(text) }

  package mutating func insert(_ secret: String) {
    guard known.insert(secret).inserted else { return }
    for index in trees.indices {
      for spelled in trees[index].spelling.all(of: secret) { trees[index].tree.insert(spelled) }
    }
  }

  /// Replaces each secret of any of the sets in a text by a mark; unchanged if there is none.
  package static func replaced(in text: [UInt8], by mark: String, _ sets: [SpelledSecrets]) -> [UInt8] {
    let trees = sets.filter { !$0.known.isEmpty }.flatMap(\.trees)
    if trees.isEmpty { return text }
    let reader = SpellingReader(text: text)
    // Worth it for a long text.
    let begins =
      text.count > 1_000 ? (0...UInt8.max).map { byte in trees.contains { $0.tree.mayBegin(with: byte) } } : []
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while index < text.count {
      guard begins.isEmpty || begins[Int(text[index])] else {
        index += 1
        continue
      }
      var (start, end) = (index, index)
      for (spelling, tree) in trees {
        guard let found = tree.end(in: reader, at: index) else { continue }
        let range = spelling.range(index..<found, in: text)
        (start, end) = (min(start, range.lowerBound), max(end, range.upperBound))
      }
      guard end > index else {
        index += 1
        continue
      }
      // Two consecutive marks may share the text between them.
      result += text[copied..<max(copied, start)]
      result += Array(mark.utf8)
      copied = end
      index = end
    }
    return copied == 0 ? text : result + text[copied...]
  }
}

/// The most recent values of secret fields, in bounded memory and prepared for searching on first use.
struct SeenSecrets: Sendable {
  /// The maximum number of values of a generation.
  static let limit = 4_096
  /// The maximum number of bytes of a generation.
  static let maximumSize = 1 << 20

  private struct Generation: Sendable {
    var known: Set<String> = []
    var size = 0
    /// Those that are not in `spelled` yet.
    var fresh: [String] = []
    var spelled = SpelledSecrets()

    mutating func prepare() {
      for text in fresh { spelled.insert(text) }
      fresh = []
    }
  }

  private var recent = Generation()
  private var earlier = Generation()

  func contains(_ text: String) -> Bool { recent.known.contains(text) || earlier.known.contains(text) }

  /// Adds a text, which is kept until two generations of others follow.
  mutating func insert(_ text: String) {
    guard text.utf8.count <= Self.maximumSize, !recent.known.contains(text) else { return }
    if recent.known.count >= Self.limit || recent.size + text.utf8.count > Self.maximumSize {
      earlier = recent
      recent = Generation()
    }
    recent.known.insert(text)
    recent.size += text.utf8.count
    recent.fresh.append(text)
  }

  mutating func sets() -> [SpelledSecrets] {
    recent.prepare()
    earlier.prepare()
    return [recent.spelled, earlier.spelled]
  }
}
