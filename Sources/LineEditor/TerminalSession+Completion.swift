internal import CLibedit

/// The Tab key.
extension TerminalSession {
  func complete() -> Int32 {
    guard let completer = setup.completer, request.isCommand else { return Int32(le_beep) }
    let line = line
    // The completer sees the whole command, of which the rows above cannot be changed.
    let above = rowsAbove.unicodeScalars.count
    var answer = completer(rowsAbove + line.text, above + line.cursor)
    answer.start -= above
    guard 0...line.cursor ~= answer.start, let first = answer.candidates.first else { return Int32(le_beep) }
    let typed = Array(line.text.unicodeScalars)[answer.start..<line.cursor]
    let isOnly = answer.candidates.count == 1
    let common = Self.commonStart(of: answer.candidates.map(\.text)) + (isOnly ? first.suffix : "")
    if isOnly || common.unicodeScalars.count > typed.count {
      withLibedit { le_delete_before($0, Int32(typed.count)) }
      return insert(common)
    }
    completion = CompletionList(
      candidates: answer.candidates, charactersBehindCursor: line.length - line.cursor)
    return afterMovingToEnd(.showCandidates)
  }

  func showCandidates() -> Int32 {
    guard let list = completion else { return Int32(le_keep) }
    completion = nil
    let rows = list.rows(columns: TerminalText.size(of: setup.output).columns)
    write("\r\n" + rows.map { $0 + "\r\n" }.joined())
    withLibedit { editor in
      le_move(editor, Int32(-list.charactersBehindCursor))
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  private static func commonStart(of texts: [String]) -> String {
    var common = Array((texts.first ?? "").unicodeScalars)
    for text in texts.dropFirst() {
      common = Array(zip(common, text.unicodeScalars).prefix { $0 == $1 }.map(\.0))
    }
    return String(String.UnicodeScalarView(common))
  }
}
