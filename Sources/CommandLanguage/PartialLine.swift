/// A line that is still being written, up to the cursor: its whole words, and the one that the cursor stands at.
package struct PartialLine {
  /// The words that are complete.
  package let words: [Word]
  /// The word that ends at the cursor; an empty one after a blank.
  package let last: PartialWord
  /// Whether it is a part that is taken as it is: a statement in SQL.
  package let isVerbatim: Bool
  /// Whether the cursor stands in a comment.
  package let isComment: Bool

  /// Takes a line apart. An open quote or bracket is no error here.
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

/// A word that is still being written.
package struct PartialWord {
  /// How it stands in the line.
  package let raw: String
  /// Where it begins in the line, in Unicode scalars.
  package let start: Int
  /// Its text so far, quotes and escapes resolved.
  package let text: String
  /// Where the last reference to a value begins, in scalars of `raw`; nil where there is none.
  package let dollar: Int?
  // For each scalar of the text, and for what would follow it.
  private let origins: [LineLexer.Origin]

  package init(raw: String, start: Int) {
    var lexer = LineLexer(raw, as: .unfinishedWord)
    self.raw = raw
    self.start = start
    text = lexer.unfinishedWord()
    origins = lexer.origins
    dollar = lexer.dollar.map { Self.scalars(raw, before: $0) }
  }

  /// Whether its first character is quoted or escaped.
  package var startsQuoted: Bool { raw.first.map { "'\"\\".contains($0) } ?? false }

  /// How texts are written in place of what follows the first `head` scalars of the text.
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

  /// A way to write texts at a place of a line.
  package struct Writing {
    /// Where the text begins in the line, in scalars.
    package let start: Int
    /// The quote that was opened before it.
    var outer: Unicode.Scalar?
    /// The quote that it begins with.
    var own: Unicode.Scalar?

    /// How a text is written without the end of its quotes, and that end.
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
