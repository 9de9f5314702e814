/// A line being typed, up to the cursor: its complete words, and the one at the cursor.
package struct PartialLine {
  /// The words that are complete.
  package let words: [Word]
  /// The word that ends at the cursor; empty after a blank.
  package let last: PartialWord
  /// True if the cursor is in a verbatim part: an SQL statement.
  package let isVerbatim: Bool
  package let isComment: Bool

  /// Parses a line, in which open quotes and brackets are allowed.
  package init(_ line: String) {
    var lexer = LineLexer(line)
    var words: [Word] = []
    var start = line.utf8.count
    var isVerbatim = false
    scanning: do {
      while let word = try lexer.next() {
        words.append(word)
        if lexer.isAtEnd {
          words.removeLast()
          start = lexer.start
          isVerbatim = word.isVerbatim
          break scanning
        }
      }
      isVerbatim = lexer.place.begins(with: 0)
    } catch {
      start = lexer.start
      isVerbatim = lexer.place.begins(with: lexer.bytes[start])
    }
    self.words = words
    self.isVerbatim = isVerbatim
    isComment = !lexer.isAtEnd && start == line.utf8.count
    let index = line.utf8.index(line.startIndex, offsetBy: start)
    last = PartialWord(
      raw: String(line[index...]), start: line.unicodeScalars.distance(from: line.startIndex, to: index))
  }
}

/// A word being typed.
package struct PartialWord {
  /// The word as written in the line.
  package let raw: String
  /// The start of the word in the line, in Unicode scalars.
  package let start: Int
  /// Its text so far, with quotes and escapes resolved.
  package let text: String
  /// The start of the last reference to a value, in scalars of `raw`; nil if there is none.
  package let dollar: Int?
  // For each scalar of the text, and for the next one.
  private let origins: [LineLexer.Origin]

  package init(raw: String, start: Int) {
    var lexer = LineLexer(raw, as: .unfinishedWord)
    self.raw = raw
    self.start = start
    text = lexer.unfinishedWord()
    origins = lexer.origins
    dollar = lexer.dollar.map { Self.scalars(raw, before: $0) }
  }

  /// True if the first character is quoted or escaped.
  package var startsQuoted: Bool { raw.first.map { "'\"\\".contains($0) } ?? false }

  /// Returns the way to write a replacement for the text after its first `head` scalars.
  package func writing(after head: Int, quoting: Bool) -> Writing {
    let (offset, outer) = origins[min(head, origins.count - 1)]
    let start = start + Self.scalars(raw, before: offset)
    if let outer { return Writing(start: start, outer: Unicode.Scalar(outer)) }
    let next = raw.utf8.dropFirst(offset).first.map { Unicode.Scalar($0) }
    return Writing(start: start, own: next == "'" || next == "\"" ? next : quoting ? "\"" : nil)
  }

  private static func scalars(_ text: String, before offset: Int) -> Int {
    text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
  }

  /// The quoting of replacements at a place of a line.
  package struct Writing {
    /// The start of the text in the line, in scalars.
    package let start: Int
    /// The quote that is open before it.
    var outer: Unicode.Scalar?
    /// The quote that it begins with.
    var own: Unicode.Scalar?

    /// Returns a text as written without its closing quotes, and those quotes.
    package func callAsFunction(_ text: String) -> (text: String, closing: String) {
      let needsDouble = Quoting.needsDoubleQuotes(text)
      if outer == "'", needsDouble { return ("'\"" + Quoting.escaped(text, in: "\""), "\"") }
      if let outer { return (Quoting.escaped(text, in: outer), String(outer)) }
      guard let own else { return (text, "") }
      let chosen: Unicode.Scalar = own == "'" && needsDouble ? "\"" : own
      return (String(chosen) + Quoting.escaped(text, in: chosen), String(chosen))
    }
  }
}
