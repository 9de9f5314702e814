/// The differences between two texts, in the format of `diff -u`.
package struct UnifiedDiff {
  /// The lines; empty if the texts are equal.
  package let lines: [String]

  /// The number of context lines.
  private static let context = 3

  private struct Line {
    let mark: Character
    let text: Substring
    /// The number of lines of each text before it.
    let old: Int
    let new: Int
  }

  package init(_ old: [UInt8], _ new: [UInt8], file: String) {
    let all = Self.lines(Self.split(old), Self.split(new))
    let changed = all.indices.filter { all[$0].mark != " " }
    guard let first = changed.first else {
      lines = []
      return
    }
    var hunks = [first...first]
    for place in changed.dropFirst() {
      if place - hunks[hunks.count - 1].upperBound <= 2 * Self.context {
        hunks[hunks.count - 1] = hunks[hunks.count - 1].lowerBound...place
      } else {
        hunks.append(place...place)
      }
    }
    lines =
      ["--- \(file)", "+++ \(file)"]
      + hunks.flatMap { hunk in
        let start = max(hunk.lowerBound - Self.context, 0)
        return Self.hunk(Array(all[start...min(hunk.upperBound + Self.context, all.count - 1)]))
      }
  }

  private static func hunk(_ part: [Line]) -> [String] {
    func range(_ before: Int, _ mark: Character) -> String {
      let count = part.count { $0.mark == " " || $0.mark == mark }
      return "\(count == 0 ? before : before + 1)" + (count == 1 ? "" : ",\(count)")
    }
    let head = "@@ -\(range(part[0].old, "-")) +\(range(part[0].new, "+")) @@"
    return [head] + part.map { "\($0.mark)\($0.text)" }
  }

  private static func lines(_ old: [Substring], _ new: [Substring]) -> [Line] {
    let difference = new.difference(from: old)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, removed.contains(left) {
        lines.append(Line(mark: "-", text: old[left], old: left, new: right))
        left += 1
      } else if right < new.count, inserted.contains(right) {
        lines.append(Line(mark: "+", text: new[right], old: left, new: right))
        right += 1
      } else {
        guard left < old.count, right < new.count else { break }
        lines.append(Line(mark: " ", text: old[left], old: left, new: right))
        (left, right) = (left + 1, right + 1)
      }
    }
    return lines
  }

  /// The lines of a text; a final carriage return counts but is not shown.
  private static func split(_ bytes: [UInt8]) -> [Substring] {
    var lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { Substring($0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
