internal import CLibedit

/// Keys that move over or delete one letter, which libedit takes for a single scalar.
extension TerminalSession {
  /// True if libedit would stop within the letter before the cursor.
  var isAfterLongLetter: Bool { Letter.lengthOfLast(in: line.beforeCursor) > 1 }

  /// True if libedit would stop within the letter at the cursor.
  var isBeforeLongLetter: Bool { Letter.lengthOfFirst(in: line.afterCursor) > 1 }

  func moveLeft() -> Int32 { move(-Letter.lengthOfLast(in: line.beforeCursor)) }

  func moveRight() -> Int32 { move(Letter.lengthOfFirst(in: line.afterCursor)) }

  func deleteBefore() -> Int32 { deleteBefore(Letter.lengthOfLast(in: line.beforeCursor)) }

  func deleteAfter() -> Int32 {
    let length = Letter.lengthOfFirst(in: line.afterCursor)
    withLibedit { le_move($0, Int32(length)) }
    return deleteBefore(length)
  }

  /// Inserts a typed character; a combining mark becomes one with the letter before it, if there is such a character.
  func type(_ scalar: Unicode.Scalar) -> Int32 {
    guard TerminalText.width(of: scalar) == 0, let letter = line.beforeCursor.unicodeScalars.last,
      let composed = Letter.composing(letter, scalar)
    else { return insert(String(scalar)) }
    withLibedit { le_delete_before($0, 1) }
    return insert(String(composed))
  }

  private func move(_ scalars: Int) -> Int32 {
    guard scalars != 0 else { return Int32(le_beep) }
    withLibedit { le_move($0, Int32(scalars)) }
    return Int32(le_move_cursor)
  }

  private func deleteBefore(_ scalars: Int) -> Int32 {
    guard scalars > 0 else { return Int32(le_beep) }
    withLibedit { le_delete_before($0, Int32(scalars)) }
    return Int32(le_refresh)
  }
}
