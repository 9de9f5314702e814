internal import CLibedit

extension TerminalSession {
  private static let more = "--More--"

  func complete() -> Int32 {
    guard let completer = setup.completer, request.isCommand else { return Int32(le_beep) }
    let line = line
    // The completer gets the whole command, whose rows above cannot be changed.
    let above = rowsAbove.unicodeScalars.count
    guard var answer = awaited({ completer(rowsAbove + line.text, above + line.cursor) }) else { return Int32(le_keep) }
    answer.start -= above
    guard 0...line.cursor ~= answer.start, let first = answer.candidates.first else { return Int32(le_beep) }
    let typed = Array(line.text.unicodeScalars)[answer.start..<line.cursor]
    let isOnly = answer.candidates.count == 1
    let common = Self.commonStart(of: answer.candidates.map(\.text)) + (isOnly ? first.suffix : "")
    let goesOn = common.unicodeScalars.count > typed.count && common.unicodeScalars.starts(with: typed)
    if !answer.isPartial, isOnly || goesOn {
      withLibedit { le_delete_before($0, Int32(typed.count)) }
      return insert(common)
    }
    completion = CompletionList(
      candidates: answer.candidates, charactersBehindCursor: line.length - line.cursor)
    return afterMovingToEnd(.showCandidates)
  }

  /// The final answer; until it arrives, the line shows that the completer is waiting. Nil if Ctrl-C cancelled; any
  /// other key also ends the wait, and has its usual effect.
  private func awaited(_ ask: () -> Completion) -> Completion? {
    var answer = ask()
    guard answer.isPending else { return answer }
    let isShown = showAsking()
    defer { if isShown { write("\u{1B}[K") } }
    let end = ContinuousClock.now + .seconds(30)
    while answer.isPending, ContinuousClock.now < end {
      guard keys.hasNext(within: 20) else {
        answer = ask()
        continue
      }
      guard let event = try? keys.next() else { return nil }
      if case .character(let key) = event, key.value == EditorKeys.interrupt { return nil }
      keys.pushBack(event)
      return nil
    }
    return answer
  }

  /// Shows behind the line that the completer is waiting, if there is room.
  private func showAsking() -> Bool {
    let (line, columns) = (line, TerminalText.size(of: setup.output).columns)
    guard !isDumb, line.cursor == line.length,
      TerminalText.end(of: prompt.visible + line.text, columns: columns).column + Self.asking.count < columns
    else { return false }
    write("\u{1B}7" + (hasDim ? "\u{1B}[2m\(Self.asking)\u{1B}[22m" : Self.asking) + "\u{1B}8")
    return true
  }

  private static let asking = "  asking … Ctrl-C to cancel"

  func showCandidates() -> Int32 {
    guard let list = completion else { return Int32(le_keep) }
    completion = nil
    let size = TerminalText.size(of: setup.output)
    let rows = list.rows(columns: size.columns).map { row in
      row.map { $0.text + (hasDim && !$0.note.isEmpty ? "\u{1B}[2m\($0.note)\u{1B}[22m" : $0.note) }.joined()
    }
    write("\r\n")
    page(rows, height: max(1, size.rows - 1))
    drawnAbove = nil
    withLibedit { editor in
      le_move(editor, Int32(-list.charactersBehindCursor))
      le_draw(editor)
    }
    return Int32(le_keep)
  }

  /// Prints rows one window at a time: Space continues by a window, Enter by a row. Escape, q and Ctrl-C end it; so
  /// does any other key, which is then part of the line.
  private func page(_ rows: [String], height: Int) {
    var printed = 0
    var room = height
    var later: [KeyEvent] = []
    while true {
      let next = min(rows.count, printed + room)
      write(rows[printed..<next].map { $0 + "\r\n" }.joined())
      printed = next
      guard printed < rows.count else { break }
      write(Self.more)
      let key = nextKey(keepingOthersIn: &later)
      write("\r" + (isDumb ? String(repeating: " ", count: Self.more.count) + "\r" : "\u{1B}[K"))
      switch key {
      case .character(" "), .character("\t"): room = height
      case .character("\n"), .character("\r"), .down: room = 1
      default:
        if let key, ![.escape, .interrupt, .character("\u{3}"), .character("q")].contains(key) { later.append(key) }
        later.reversed().forEach(keys.pushBack)
        return
      }
    }
    later.reversed().forEach(keys.pushBack)
  }

  /// The next key; nil if there are none. Other events are kept for later.
  private func nextKey(keepingOthersIn others: inout [KeyEvent]) -> KeyEvent? {
    while let event = try? keys.next() {
      switch event {
      case .resized, .continued: others.append(event)
      default: return event
      }
    }
    return nil
  }

  private static func commonStart(of texts: [String]) -> String {
    var common = Array((texts.first ?? "").unicodeScalars)
    for text in texts.dropFirst() {
      common = Array(zip(common, text.unicodeScalars).prefix { $0 == $1 }.map(\.0))
    }
    return String(String.UnicodeScalarView(common))
  }
}
