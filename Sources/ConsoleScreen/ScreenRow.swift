import ConsoleOutput

/// A row of a window, cut at its width.
struct ScreenRow {
  /// The most scalars of a character that are shown: an emoji of a family with skin colors has eleven.
  private static let longest = 16

  private let columns: Int
  private var text = ""
  private var used = 0
  /// The scalars that may still follow: those without a width do not fill the row.
  private var left: Int

  /// The row with its colors. A wide character that the edge would split becomes a blank, as do control characters.
  static func text(_ spans: [ScreenSpan], columns: Int, _ theme: Theme) -> String {
    var row = ScreenRow(columns: columns)
    for span in spans {
      let content = row.content(of: span)
      guard !content.isEmpty else { continue }
      row.text += span.isSelected ? ScreenSequences.select : ""
      row.text += theme.paint(content, span.role)
      row.text += span.isSelected ? ScreenSequences.deselect : ""
    }
    guard !row.text.isEmpty else { return "" }
    // In the last column a terminal would erase the last character.
    return row.used < columns ? row.text + ScreenSequences.clearRest : ScreenSequences.clearRest + row.text
  }

  private init(columns: Int) {
    self.columns = columns
    left = columns * Self.longest
  }

  /// The beginning of a span that still fits, with the colors in it.
  private mutating func content(of span: ScreenSpan) -> String {
    var content = ""
    var isColored = false
    var rest = span.text.text.unicodeScalars[...]
    while used < columns, left > 0, let first = rest.first {
      if let color = ScreenSequences.color(at: rest) {
        content.unicodeScalars.append(contentsOf: color)
        // The end of a color also ends the selection.
        if span.isSelected { content += ScreenSequences.select }
        isColored = true
        left -= 1
        rest = rest[color.endIndex...]
      } else if Self.isControl(first) {
        content += " "
        used += 1
        rest = rest.dropFirst()
      } else {
        // Colors are found by scalars first: a mark after one would be part of its last letter.
        let piece = rest.prefix(left).prefix { !Self.isControl($0) }
        append(String(piece), to: &content)
        left -= piece.count
        rest = rest[piece.endIndex...]
      }
    }
    return isColored ? content + ScreenSequences.plain : content
  }

  private mutating func append(_ piece: String, to content: inout String) {
    for character in piece where used < columns {
      let width = DisplayWidth.columns(of: character)
      if used + width > columns {
        content += " "
        used = columns
      } else {
        content.unicodeScalars.append(contentsOf: character.unicodeScalars.prefix(Self.longest))
        used += width
      }
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value
  }
}
