/// A prompt in the form that libedit needs.
struct Prompt {
  /// Rows above the last, written once before the line is read: libedit does not support newlines in a prompt.
  let rowsAbove: String
  /// The last row for libedit: escape sequences merged and wrapped in `\1`.
  let wrapped: String
  /// The last row as a person sees it.
  let visible: String

  /// Keeps colors (`ESC [ … m`) unless `plain`; other control characters are dropped.
  init(_ text: String, plain: Bool) {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.pieces(String($0)) }
    let above = rows.dropLast().map { row in
      row.map { plain && $0.isEscape ? "" : $0.text }.joined() + "\r\n"
    }
    rowsAbove = above.joined()
    let last = rows.last ?? []
    visible = last.filter { !$0.isEscape }.map(\.text).joined()
    wrapped = plain ? visible : Self.wrap(last)
  }

  private struct Piece {
    var text: String
    var isEscape: Bool
  }

  private static func pieces(_ row: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(row).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        let sequence = rest.prefix { $0 == "[" || $0 == ";" || "0"..."9" ~= $0 }
        guard sequence.first == "[", rest.dropFirst(sequence.count).first == "m" else { continue }
        add("\u{1B}\(String(sequence))m", isEscape: true, to: &pieces)
        rest = rest.dropFirst(sequence.count + 1)
      } else if !ControlCharacter.contains(scalar) {
        add(String(scalar), isEscape: false, to: &pieces)
      }
    }
    return pieces
  }

  private static func add(_ text: String, isEscape: Bool, to pieces: inout [Piece]) {
    if pieces.last?.isEscape == isEscape {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append(Piece(text: text, isEscape: isEscape))
    }
  }

  private static func wrap(_ pieces: [Piece]) -> String {
    var pieces = pieces
    // libedit drops a sequence that nothing visible follows, so the last one goes before the last character.
    if let tail = pieces.last, tail.isEscape, pieces.count > 1, let character = pieces[pieces.count - 2].text.last {
      pieces[pieces.count - 2].text.removeLast()
      pieces.append(Piece(text: String(character), isEscape: false))
      if pieces[pieces.count - 3].text.isEmpty { pieces.remove(at: pieces.count - 3) }
    }
    var merged: [Piece] = []
    for piece in pieces { add(piece.text, isEscape: piece.isEscape, to: &merged) }
    return merged.map { $0.isEscape ? "\u{1}\($0.text)\u{1}" : $0.text }.joined()
  }
}
