/// A regular expression of a description, checked before anything is sent.
///
/// The expression comes from a server and is not trusted: it runs as an automaton, whose effort is limited and at most
/// the size of the expression times the length of the text. Only what all dialects interpret alike is accepted. The
/// rest (nil) is left to the server: references, look-around, dialect-specific classes, and `.`, `\d`, `\w`, `\s` and
/// complements in a text beyond ASCII.
public struct TextPattern: Sendable {
  /// The maximum number of parts of an expression with its repetitions expanded.
  static let mostParts = 2_000
  /// The maximum number of steps: parts times characters.
  static let mostSteps = 20_000_000

  /// A step of the automaton.
  enum Part: Sendable {
    case scalar(Set)
    /// Continues at both.
    case either(Int, Int)
    case start
    case end
    case match
  }

  struct Set: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isComplement = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) } != isComplement
    }
  }

  private let parts: [Part]
  /// The maximum number of comparisons per character.
  private let width: Int
  /// True if dialects could differ on a text beyond ASCII.
  private let isForASCII: Bool

  /// The pattern; nil if it cannot be decided here.
  public init?(_ source: String) {
    // Beyond 16 bits some dialects count a character as two.
    guard source.utf8.count <= Self.mostParts, source.unicodeScalars.allSatisfy({ $0.value < 0x1_0000 }) else {
      return nil
    }
    var reader = PatternReader(source)
    guard let tree = reader.whole() else { return nil }
    var builder = Builder()
    guard builder.add(tree) else { return nil }
    builder.parts.append(.match)
    parts = builder.parts
    width = builder.parts.reduce(0) { width, part in
      if case .scalar(let set) = part { width + 1 + set.ranges.count } else { width + 1 }
    }
    isForASCII = reader.isForASCII
  }

  /// Returns whether it matches anywhere in a text; nil if only the server can decide. With `beyondASCII`, dialects do
  /// not matter: `.` is any character of the text, and nil is returned only for a text that is too long.
  public func isFound(in text: String, beyondASCII: Bool = false) -> Bool? {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count < Self.mostSteps / width,
      !isForASCII || beyondASCII || scalars.allSatisfy(Self.isPlain)
    else { return nil }
    var current: [Int] = []
    // The last place at which each part was entered, so that none is entered twice there.
    var entered = [Int](repeating: -1, count: parts.count)
    for place in 0...scalars.count {
      // A match may begin anywhere.
      if enter(0, at: place, scalars, &current, &entered) { return true }
      guard place < scalars.count else { break }
      var next: [Int] = []
      for part in current {
        guard case .scalar(let set) = parts[part], set.contains(scalars[place]) else { continue }
        if enter(part + 1, at: place + 1, scalars, &next, &entered) { return true }
      }
      current = next
    }
    return false
  }

  /// Returns whether all dialects put a character into the same classes.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    (0x20..<0x7F).contains(scalar.value) || scalar == "\t" || scalar == "\n"
  }

  /// Enters a part and everything reachable without a character; true if that is a match.
  private func enter(
    _ part: Int, at place: Int, _ scalars: [Unicode.Scalar], _ reached: inout [Int], _ entered: inout [Int]
  ) -> Bool {
    var open = [part]
    while let part = open.popLast() {
      guard entered[part] != place else { continue }
      entered[part] = place
      switch parts[part] {
      case .match: return true
      case .scalar: reached.append(part)
      case .either(let first, let second): open += [second, first]
      case .start: if place == 0 { open.append(part + 1) }
      // In some dialects the end of the last line is the end.
      case .end:
        if place == scalars.count || (place == scalars.count - 1 && scalars[place] == "\n") { open.append(part + 1) }
      }
    }
    return false
  }

  /// Expands an expression into parts.
  private struct Builder {
    var parts: [Part] = []
    // Repetitions of nothing add no parts, but take effort.
    private var effort = 0

    /// Adds the parts of a tree; false if there would be too many.
    mutating func add(_ tree: PatternReader.Tree) -> Bool {
      effort += 1
      guard parts.count < TextPattern.mostParts, effort < 10 * TextPattern.mostParts else { return false }
      switch tree {
      case .part(let part): parts.append(part)
      case .sequence(let trees): return trees.allSatisfy { add($0) }
      case .choice(let first, let rest):
        let fork = parts.count
        parts.append(.match)
        guard add(first) else { return false }
        let jump = parts.count
        parts.append(.match)
        parts[fork] = .either(fork + 1, parts.count)
        guard add(rest) else { return false }
        parts[jump] = .either(parts.count, parts.count)
      case .repetition(let tree, let least, let most):
        for _ in 0..<least { guard add(tree) else { return false } }
        guard let most else { return addLoop(tree) }
        var forks: [Int] = []
        for _ in least..<most {
          forks.append(parts.count)
          parts.append(.match)
          guard add(tree) else { return false }
        }
        for fork in forks { parts[fork] = .either(fork + 1, parts.count) }
      }
      return true
    }

    private mutating func addLoop(_ tree: PatternReader.Tree) -> Bool {
      let fork = parts.count
      parts.append(.match)
      guard add(tree) else { return false }
      parts.append(.either(fork, fork))
      parts[fork] = .either(fork + 1, parts.count)
      return true
    }
  }
}
