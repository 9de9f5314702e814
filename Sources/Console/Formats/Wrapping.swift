/// Breaks text into lines of a width.
enum Wrapping {
  /// The lines of one line of text, broken at blanks, and between wide characters where a word alone is too long. An
  /// address is not broken unless so wished: it can be longer than the width.
  static func lines(of text: String, width: Int, breaksAddresses: Bool = false) -> [String] {
    guard width > 0, text.utf8.count > width, DisplayWidth.columns(of: text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let columns = DisplayWidth.columns(of: String(word))
      if used > 0, used + 1 + columns <= width {
        line += " " + word
        used += 1 + columns
        continue
      }
      let isBreakable = columns > width && (breaksAddresses || !word.contains("://"))
      if used > 0 {
        // What is broken anyway goes on in the same line.
        if isBreakable, used + 1 < width {
          line += " "
          used += 1
        } else {
          lines.append(line)
          (line, used) = ("", 0)
        }
      }
      guard isBreakable else {
        line += word
        used += columns
        continue
      }
      for character in word {
        let columns = DisplayWidth.columns(of: character)
        if used + columns > width, used > 0 {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += columns
      }
    }
    return lines + [line]
  }
}
