/// A line that is still being written, up to the cursor: its whole words, and the one that the cursor stands at.
struct PartialLine {
  /// The words that are complete.
  let words: [Word]
  /// The word that ends at the cursor; an empty one after a blank.
  let last: PartialWord
  /// Whether the cursor stands in a comment.
  let isComment: Bool

  /// Takes a line apart. An open quote or bracket is no error here.
  init(_ line: String) {
    var scanner = WordScanner(line)
    var words: [Word] = []
    var start = line.utf8.count
    scanning: do {
      while let word = try scanner.next() {
        words.append(word)
        if scanner.isAtEnd {
          words.removeLast()
          start = scanner.start
          break scanning
        }
      }
    } catch {
      start = scanner.start
    }
    self.words = words
    isComment = !scanner.isAtEnd && start == line.utf8.count
    let index = line.utf8.index(line.startIndex, offsetBy: start)
    last = PartialWord(
      raw: String(line[index...]), start: line.unicodeScalars.distance(from: line.startIndex, to: index))
  }
}

/// A word that is still being written.
struct PartialWord {
  /// How it stands in the line.
  let raw: String
  /// Where it begins in the line, in Unicode scalars.
  let start: Int
  /// Its text so far, quotes and escapes resolved.
  let text: String
  /// For each scalar of the text, and for what would follow it: where its writing begins in `raw`, and the quote that is
  /// open there.
  private var origins: [(index: Int, quote: Unicode.Scalar?)] = []

  init(raw: String, start: Int) {
    self.raw = raw
    self.start = start
    let scalars = Array(raw.unicodeScalars)
    var text = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var at = 0
    // A quote belongs to the scalar that follows it.
    var begin = 0
    while at < scalars.count {
      let scalar = scalars[at]
      if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else if scalar == quote {
        quote = nil
        begin = at + 1
      } else {
        let isEscape = scalar == "\\" && quote != "'" && at + 1 < scalars.count
        origins.append((begin, begin < at ? nil : quote))
        if isEscape, quote == "\"", let (meant, length) = Self.codePoint(scalars[(at + 1)...]) {
          text.append(meant)
          at += length
        } else {
          text.append(isEscape ? Self.meaning(of: scalars[at + 1], in: quote) : scalar)
          if isEscape { at += 1 }
        }
        begin = at + 1
      }
      at += 1
    }
    // What follows the text begins after it, or with a quote that was opened last.
    origins.append((begin, begin < scalars.count ? nil : quote))
    self.text = String(text)
  }

  /// Whether its first character is quoted or escaped.
  var startsQuoted: Bool { raw.first.map { "'\"\\".contains($0) } ?? false }

  /// How texts are written in place of what follows the first `head` scalars of the text.
  func writing(after head: Int, quoting: Bool) -> Writing {
    let (index, outer) = origins[min(head, origins.count - 1)]
    if let outer { return Writing(start: start + index, outer: outer) }
    let scalars = raw.unicodeScalars
    let next = scalars.index(scalars.startIndex, offsetBy: index)
    let own = next < scalars.endIndex && (scalars[next] == "'" || scalars[next] == "\"") ? scalars[next] : nil
    return Writing(start: start + index, own: own ?? (quoting ? "\"" : nil))
  }

  /// A way to write texts at a place of a line.
  struct Writing {
    /// Where the text begins in the line, in scalars.
    let start: Int
    /// The quote that was opened before it.
    var outer: Unicode.Scalar?
    /// The quote that it begins with.
    var own: Unicode.Scalar?

    /// How a text is written without the end of its quotes, and that end.
    func callAsFunction(_ text: String) -> (text: String, closing: String) {
      let needsDouble = PartialWord.needsDoubleQuotes(text)
      if outer == "'", needsDouble { return ("'\"" + PartialWord.escaped(text, in: "\""), "\"") }
      if let outer { return (PartialWord.escaped(text, in: outer), String(outer)) }
      guard let own else { return (text, "") }
      let chosen: Unicode.Scalar = own == "'" && needsDouble ? "\"" : own
      return (String(chosen) + PartialWord.escaped(text, in: chosen), String(chosen))
    }
  }

  /// Whether a text has to be quoted to be one word.
  static func needsQuotes(_ text: String) -> Bool {
    text.isEmpty || ["?", ">", ">>"].contains(text) || text.utf8.first == UInt8(ascii: "#")
      || text.utf8.contains { $0 <= 0x20 || "\"$'()\\|".utf8.contains($0) } || Visible.text(text) != text
  }

  /// Whether a text cannot stand within single quotes, which know no escapes.
  private static func needsDoubleQuotes(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "'")) || Visible.text(text) != text
  }

  fileprivate static func escaped(_ text: String, in quote: Unicode.Scalar) -> String {
    guard quote == "\"" else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "$": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        let one = String(scalar)
        // What cannot be seen is written so that it can.
        result += Visible.text(one) == one ? one : "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }

  /// The character that `u{202e}` stands for at the beginning, and how long that is; nil where it stands for none.
  private static func codePoint(_ scalars: ArraySlice<Unicode.Scalar>) -> (Unicode.Scalar, length: Int)? {
    guard scalars.starts(with: ["u", "{"]), let end = scalars.firstIndex(of: "}") else { return nil }
    let digits = String(String.UnicodeScalarView(scalars[(scalars.startIndex + 2)..<end]))
    return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { ($0, end - scalars.startIndex + 1) }
  }

  private static func meaning(of scalar: Unicode.Scalar, in quote: Unicode.Scalar?) -> Unicode.Scalar {
    guard quote == "\"" else { return scalar }
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    default: return scalar
    }
  }
}
