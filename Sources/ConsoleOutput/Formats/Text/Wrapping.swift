import BackendKit

package enum Wrapping {
  /// The lines of one line of text, broken at spaces, and between wide characters if a word alone is too long. An
  /// address is broken only on request, and may exceed the width.
  package static func lines(of text: String, width: Int, breaksAddresses: Bool = false) -> [String] {
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
      let isBreakable = columns > width && (breaksAddresses || !word.contains(text: "://"))
      if used > 0 {
        // A word that has to be broken anyway begins on the same line.
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

  /// The lines of one line of text, with continuation lines indented to the text after a list marker.
  static func hangingLines(of text: String, width: Int) -> [String] {
    let mark = listMark(text.utf8)
    guard mark > 0, mark * 2 <= width else { return lines(of: text, width: width) }
    let start = text.utf8.index(text.startIndex, offsetBy: mark)
    let indentation = String(repeating: " ", count: mark)
    return lines(of: String(text[start...]), width: width - mark).enumerated().map { index, line in
      (index == 0 ? String(text[..<start]) : indentation) + line
    }
  }

  // The number of bytes of spaces and `- ` or `1. ` at the beginning.
  private static func listMark(_ text: String.UTF8View) -> Int {
    let blanks = text.prefix { $0 == 0x20 }.count
    let rest = text.dropFirst(blanks)
    if rest.starts(with: "- ".utf8) { return blanks + 2 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }.count
    return digits > 0 && rest.dropFirst(digits).starts(with: ". ".utf8) ? blanks + digits + 2 : 0
  }
}
