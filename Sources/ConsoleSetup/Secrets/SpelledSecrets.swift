/// The secrets that are looked for, in each spelling.
package struct SpelledSecrets: Sendable {
  private var known: Set<String> = []
  private var trees: [(spelling: Spelling, tree: SpelledTree)] = [Spelling.text, .base64, .hexadecimal].map {
    ($0, SpelledTree($0))
  }

  /// Returns whether a text is one of them.
  func contains(_ text: String) -> Bool { known.contains(text) }

  /// Looks for a text from now on.
  package mutating func insert(_ secret: String) {
    guard known.insert(secret).inserted else { return }
    for index in trees.indices {
      for spelled in trees[index].spelling.all(of: secret) { trees[index].tree.insert(spelled) }
    }
  }

  /// A text with a mark in the place of each secret of any of the sets; itself if there is none.
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
      // Two marks in a row may share what stands between them.
      result += text[copied..<max(copied, start)]
      result += Array(mark.utf8)
      copied = end
      index = end
    }
    return copied == 0 ? text : result + text[copied...]
  }
}

/// Values of secret fields that passed, the last of them: in bounded memory, and made ready to be looked for only once a text is
/// searched.
struct SeenSecrets: Sendable {
  /// The most values of a generation.
  static let limit = 4_096
  /// The most bytes of them.
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

  /// Returns whether a text is one of them.
  func contains(_ text: String) -> Bool { recent.known.contains(text) || earlier.known.contains(text) }

  /// Looks for a text, until as many others were seen as two generations hold.
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

  /// The sets to search with.
  mutating func sets() -> [SpelledSecrets] {
    recent.prepare()
    earlier.prepare()
    return [recent.spelled, earlier.spelled]
  }
}
