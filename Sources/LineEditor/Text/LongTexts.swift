/// Texts too tall for the window, for which the line shows a mark: libedit cannot draw text beyond its window.
struct LongTexts {
  private var texts: [(mark: String, text: String)] = []

  /// Stores a text; returns its mark.
  mutating func hold(_ text: String, as kind: String) -> String {
    if let known = texts.first(where: { $0.text == text }) { return known.mark }
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).count
    let size = rows > 1 ? "\(rows) lines" : "\(text.unicodeScalars.count) characters"
    let mark = "[\(kind) \(texts.count + 1): \(size)]"
    texts.append((mark, text))
    return mark
  }

  /// The line with each mark replaced by its text once.
  func expanded(_ line: String) -> String {
    var line = line
    for (mark, text) in texts {
      guard let start = line.indices.first(where: { line[$0...].hasPrefix(mark) }) else { continue }
      line.replaceSubrange(start..<line.index(start, offsetBy: mark.count), with: text)
    }
    return line
  }
}
