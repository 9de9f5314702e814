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
      guard let distance = likeness(letters, candidate.lowercased()), distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.candidate ?? onlyOne(beginningWith: word.lowercased(), among: candidates)
  }

  /// A hint for a name that is none of these: those that were probably meant, otherwise all of a few. `shown` is the form
  /// in which a name is shown.
  public static func hint(
    for word: String, among names: [String], as label: String = "resources", shown: (String) -> String = { $0 }
  ) -> String? {
    if let question = question(for: word, among: names, shown: shown) { return question }
    let more = names.count > few ? " and \(names.count - few) more" : ""
    return names.isEmpty ? nil : "\(label): \(names.prefix(few).map(shown).joined(separator: ", "))\(more)"
  }

  /// The question whether the most similar name was meant; of many, one of the nearest five: those that contain the
  /// word, then similar ones, also by the part after their last slash. Nil if none is near.
  public static func question(
    for word: String, among names: [String], shown: (String) -> String = { $0 }
  ) -> String? {
    let isFew = names.count <= few
    let near =
      isFew ? [suggestion(for: word, among: names)].compactMap(\.self) : nearest(word.lowercased(), among: names)
    guard let last = near.last.map(shown) else { return nil }
    let others = near.dropLast().map(shown).joined(separator: ", ")
    return "did you mean \(others)\(others.isEmpty ? "" : " or ")\(last)?"
  }

  /// The maximum number of names that a hint has in full.
  private static let few = 10

  private static func nearest(_ word: String, among names: [String]) -> [String] {
    let letters = Array(word.unicodeScalars)
    guard (1...40).contains(letters.count) else { return [] }
    let ranked = names.compactMap { name -> (name: String, rank: (Int, Int))? in
      let other = name.lowercased()
      if letters.count > 1, other.contains(text: word) { return (name, (0, other.utf8.count)) }
      let last = other.lastIndex(of: "/").map { String(other[other.index(after: $0)...]) }
      let distances = [other, last].compactMap(\.self).compactMap { likeness(letters, $0) }
      return distances.min().map { (name, ($0 + 1, other.utf8.count)) }
    }
    return ranked.sorted { $0.rank < $1.rank }.prefix(5).map(\.name)
  }

  /// The number of differences; nil if there are too many.
  private static func likeness(_ letters: [Unicode.Scalar], _ candidate: String) -> Int? {
    let other = Array(candidate.unicodeScalars)
    let limit = min(max(1, max(letters.count, other.count) / 3), 3)
    guard abs(other.count - letters.count) <= limit else { return nil }
    let distance = distance(letters, other)
    // If every letter differs, nothing was recognized.
    return distance <= limit && distance < max(letters.count, other.count) ? distance : nil
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
