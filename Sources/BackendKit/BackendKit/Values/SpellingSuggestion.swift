/// Suggests corrections of mistyped words.
public enum SpellingSuggestion {
  /// The most similar candidate, if likely; the first of several. A letter that is missing, added, replaced or swapped
  /// with its neighbor counts as one difference; case does not count. If none is similar enough, the only candidate
  /// that begins with the word.
  public static func suggestion(for word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    guard (1...40).contains(letters.count) else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().unicodeScalars)
      let limit = min(max(1, max(letters.count, other.count) / 3), 3)
      guard abs(other.count - letters.count) <= limit else { continue }
      let distance = distance(letters, other)
      // If every letter differs, nothing was recognized.
      guard distance < max(letters.count, other.count) else { continue }
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate ?? onlyOne(beginningWith: word.lowercased(), among: candidates)
  }

  private static func onlyOne(beginningWith word: String, among candidates: [String]) -> String? {
    guard word.utf8.count > 1 else { return nil }
    let matching = candidates.filter { $0.lowercased().hasPrefix(word) }
    return matching.count == 1 ? matching.first : nil
  }

  // The optimal string alignment distance, in three rows.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (place, other) in right.enumerated() {
        var cost = min(last[place + 1] + 1, current[place] + 1, last[place] + (letter == other ? 0 : 1))
        if row > 0, place > 0, letter == right[place - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[place - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
