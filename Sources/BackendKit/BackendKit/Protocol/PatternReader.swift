/// Parses the regular expressions that ``TextPattern`` can decide; gives up at anything else.
struct PatternReader {
  indirect enum Tree {
    case part(TextPattern.Part)
    case sequence([Tree])
    case choice(Tree, Tree)
    case repetition(Tree, least: Int, most: Int?)
  }

  /// True if dialects could differ on a text beyond ASCII.
  private(set) var isForASCII = false
  private var rest: ArraySlice<Unicode.Scalar>
  private var depth = 0

  init(_ source: String) { rest = Array(source.unicodeScalars)[...] }

  mutating func whole() -> Tree? {
    guard let tree = choice(), rest.isEmpty else { return nil }
    return tree
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func choice() -> Tree? {
    var ways: [Tree] = []
    repeat {
      guard let way = sequence() else { return nil }
      ways.append(way)
    } while take("|")
    guard var tree = ways.popLast() else { return nil }
    while let way = ways.popLast() { tree = .choice(way, tree) }
    return tree
  }

  private mutating func sequence() -> Tree? {
    var trees: [Tree] = []
    while let next = rest.first, next != "|", next != ")" {
      guard let tree = atom(), let repeated = repetition(of: tree) else { return nil }
      trees.append(repeated)
    }
    return .sequence(trees)
  }

  private mutating func atom() -> Tree? {
    guard let first = rest.popFirst() else { return nil }
    switch first {
    case "^": return .part(.start)
    case "$": return .part(.end)
    case ".":
      isForASCII = true
      return .part(.scalar(TextPattern.Set(ranges: [0x0A...0x0A], isComplement: true)))
    case "[": return set().map { .part(.scalar($0)) }
    case "(": return group()
    case "\\": return escape(inSet: false).map { .part(.scalar($0)) }
    case "*", "+", "?", "{", "}", "]", ")": return nil
    default: return .part(.scalar(Self.only(first)))
    }
  }

  private mutating func group() -> Tree? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 50 else { return nil }
    if take("?") { guard take(":") else { return nil } }
    guard let tree = choice(), take(")") else { return nil }
    return tree
  }

  private mutating func repetition(of tree: Tree) -> Tree? {
    var repeated = tree
    switch rest.first {
    case "*": repeated = .repetition(tree, least: 0, most: nil)
    case "+": repeated = .repetition(tree, least: 1, most: nil)
    case "?": repeated = .repetition(tree, least: 0, most: 1)
    case "{":
      rest.removeFirst()
      guard let least = number() else { return nil }
      var most: Int? = least
      if take(",") { most = rest.first == "}" ? nil : number() ?? -1 }
      guard rest.first == "}", most.map({ $0 >= least }) ?? true else { return nil }
      repeated = .repetition(tree, least: least, most: most)
    default: return tree
    }
    if case .part(.start) = tree { return nil }
    if case .part(.end) = tree { return nil }
    rest.removeFirst()
    // A lazy one finds the same texts.
    _ = take("?")
    if let next = rest.first, "*+?{".unicodeScalars.contains(next) { return nil }
    return repeated
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard (1...4).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(String(String.UnicodeScalarView(digits))).flatMap { $0 <= TextPattern.mostParts ? $0 : nil }
  }

  // MARK: Characters

  private mutating func set() -> TextPattern.Set? {
    var set = TextPattern.Set(ranges: [])
    if take("^") {
      set.isComplement = true
      isForASCII = true
    }
    // Dialects disagree about an empty set.
    guard rest.first != "]" else { return nil }
    while let first = rest.popFirst() {
      if first == "]" { return set }
      // Set subtraction and intersection in some dialects.
      guard first != "[", !(first == "&" && rest.first == "&") else { return nil }
      guard let low = first == "\\" ? escape(inSet: true) : Self.only(first) else { return nil }
      guard rest.first == "-", rest.dropFirst().first != "]" else {
        set.ranges += low.ranges
        continue
      }
      rest.removeFirst()
      guard let next = rest.popFirst(), next != "[",
        let high = next == "\\" ? escape(inSet: true) : Self.only(next), let from = low.single, let to = high.single,
        from <= to
      else { return nil }
      set.ranges.append(from...to)
    }
    return nil
  }

  private mutating func escape(inSet: Bool) -> TextPattern.Set? {
    guard let letter = rest.popFirst() else { return nil }
    switch letter {
    case "d", "w", "s":
      isForASCII = true
      return TextPattern.Set(ranges: Self.classes[letter] ?? [])
    case "D", "W", "S":
      // A complement cannot be nested in a set.
      guard !inSet, let lower = letter.properties.lowercaseMapping.unicodeScalars.first else { return nil }
      isForASCII = true
      return TextPattern.Set(ranges: Self.classes[lower] ?? [], isComplement: true)
    case "t": return Self.only("\t")
    case "n": return Self.only("\n")
    case "r": return Self.only("\r")
    case "x": return hex(2)
    case "u": return hex(4)
    default:
      // Letters and digits have another meaning in some dialect, or refer to a group.
      guard letter.isASCII, !letter.properties.isAlphabetic, !("0"..."9").contains(letter), letter != "_" else {
        return nil
      }
      return Self.only(letter)
    }
  }

  private mutating func hex(_ count: Int) -> TextPattern.Set? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let code = UInt32(String(String.UnicodeScalarView(digits)), radix: 16), let scalar = Unicode.Scalar(code)
    else { return nil }
    rest = rest.dropFirst(count)
    return Self.only(scalar)
  }

  private static func only(_ scalar: Unicode.Scalar) -> TextPattern.Set {
    TextPattern.Set(ranges: [scalar.value...scalar.value])
  }

  private static let classes: [Unicode.Scalar: [ClosedRange<UInt32>]] = [
    "d": [0x30...0x39], "w": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A], "s": [0x09...0x0D, 0x20...0x20],
  ]
}

extension TextPattern.Set {
  /// Its only character; nil if there are several.
  fileprivate var single: UInt32? {
    guard ranges.count == 1, !isComplement, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
