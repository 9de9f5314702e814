/// The effects of instructions on the screen.
extension Screen {
  mutating func apply(_ instruction: ScreenParser.Instruction) {
    switch instruction {
    case .print(let scalar): print(scalar)
    case .control(let byte): control(byte)
    case .escape(let scalar): escape(scalar)
    case .sequence(let mark?, let numbers, let final):
      if mark == "?" && ["h", "l"].contains(final) { numbers.forEach { set(mode: $0, isOn: final == "h") } }
    case .sequence(nil, let numbers, let final): sequence(final, numbers)
    }
  }

  private mutating func set(mode: Int, isOn: Bool) {
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    switch mode {
    case 7: wraps = isOn
    case 25: showsCursor = isOn
    case 1049 where isOn && main == nil:
      main = (cells, cursor)
      cells = Array(repeating: blankRow, count: rows)
    case 1049 where !isOn:
      guard let shown = main.take() else { return }
      cells = shown.cells
      cursor = Position(row: min(shown.cursor.row, rows - 1), column: min(shown.cursor.column, columns - 1))
    default: break
    }
  }

  private mutating func print(_ scalar: Unicode.Scalar) {
    let width = CharacterWidth.of(scalar)
    if width == 0 { return combine(scalar) }
    if !wraps {
      // The last column is written again and again.
      cursor.column = min(cursor.column, max(0, columns - width))
    } else if wrapIsDue || cursor.column + width > columns {
      cursor.column = 0
      lineFeed()
    }
    wrapIsDue = false
    clearHalf(at: cursor.column)
    cells[cursor.row][cursor.column] = String(scalar)
    if width == 2 && cursor.column + 1 < columns {
      clearHalf(at: cursor.column + 1)
      cells[cursor.row][cursor.column + 1] = nil
    }
    if cursor.column + width >= columns {
      cursor.column = columns - 1
      wrapIsDue = wraps
    } else {
      cursor.column += width
    }
  }

  private mutating func combine(_ scalar: Unicode.Scalar) {
    var column = wrapIsDue ? cursor.column : cursor.column - 1
    if column > 0 && cells[cursor.row][column] == nil { column -= 1 }
    if column >= 0, let text = cells[cursor.row][column] { cells[cursor.row][column] = text + String(scalar) }
  }

  /// Writing over one half of a wide character erases the other.
  private mutating func clearHalf(at column: Int) {
    if cells[cursor.row][column] == nil, column > 0 { cells[cursor.row][column - 1] = " " }
    if column + 1 < columns, cells[cursor.row][column + 1] == nil { cells[cursor.row][column + 1] = " " }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 7: bells += 1
    case 8: cursor.column = max(0, cursor.column - 1)
    case 9: cursor.column = min(columns - 1, (cursor.column / 8 + 1) * 8)
    case 10, 11, 12: lineFeed()
    case 13: cursor.column = 0
    default: return
    }
    wrapIsDue = false
  }

  private mutating func lineFeed() {
    if cursor.row == region.upperBound - 1 {
      scrollUp(1)
    } else {
      cursor.row = min(rows - 1, cursor.row + 1)
    }
  }

  private mutating func scrollUp(_ count: Int) {
    for _ in 0..<min(count, region.count) {
      let row = cells.remove(at: region.lowerBound)
      if region.lowerBound == 0 && !modes.contains(1049) { scrolledOff.append(Self.text(row)) }
      cells.insert(blankRow, at: region.upperBound - 1)
    }
  }

  private mutating func scrollDown(_ count: Int) {
    for _ in 0..<min(count, region.count) {
      cells.remove(at: region.upperBound - 1)
      cells.insert(blankRow, at: region.lowerBound)
    }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "7": saved = cursor
    case "8": cursor = saved
    case "D": lineFeed()
    case "E":
      cursor.column = 0
      lineFeed()
    case "M": if cursor.row == region.lowerBound { scrollDown(1) } else { cursor.row = max(0, cursor.row - 1) }
    case "c": self = Screen(columns: columns, rows: rows)
    default: return
    }
    wrapIsDue = false
  }

  private mutating func sequence(_ final: Unicode.Scalar, _ numbers: [Int]) {
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch final {
    case "A": cursor.row = max(0, cursor.row - count)
    case "B", "e": cursor.row = min(rows - 1, cursor.row + count)
    case "C", "a": cursor.column = min(columns - 1, cursor.column + count)
    case "D": cursor.column = max(0, cursor.column - count)
    case "G", "`": cursor.column = min(columns - 1, count - 1)
    case "d": cursor.row = min(rows - 1, count - 1)
    case "H", "f":
      let column = numbers.count > 1 ? max(1, numbers[1]) : 1
      cursor = Position(row: min(rows - 1, count - 1), column: min(columns - 1, column - 1))
    case "J": eraseScreen(first)
    case "K": eraseLine(first)
    case "X": erase(row: cursor.row, cursor.column..<min(columns, cursor.column + count))
    case "P", "@": shiftCharacters(final == "@", count)
    case "L", "M": shiftRows(final == "L", count)
    case "S": scrollUp(count)
    case "T": scrollDown(count)
    case "r":
      let bottom = numbers.count > 1 && numbers[1] > 0 ? min(rows, numbers[1]) : rows
      region = min(count - 1, bottom - 1)..<bottom
      cursor = Position(row: 0, column: 0)
    case "s": saved = cursor
    case "u": cursor = saved
    default: return
    }
    wrapIsDue = false
  }

  private mutating func erase(row: Int, _ range: Range<Int>) {
    for column in range { cells[row][column] = " " }
  }

  private mutating func eraseLine(_ which: Int) {
    switch which {
    case 0: erase(row: cursor.row, cursor.column..<columns)
    case 1: erase(row: cursor.row, 0..<(cursor.column + 1))
    default: erase(row: cursor.row, 0..<columns)
    }
  }

  private mutating func eraseScreen(_ which: Int) {
    let rowsToClear: Range<Int>
    switch which {
    case 0: rowsToClear = (cursor.row + 1)..<rows
    case 1: rowsToClear = 0..<cursor.row
    default: rowsToClear = 0..<rows
    }
    if which < 2 { eraseLine(which) }
    for row in rowsToClear { cells[row] = blankRow }
  }

  private mutating func shiftCharacters(_ isInserting: Bool, _ count: Int) {
    let count = min(count, columns - cursor.column)
    let blanks = [String?](repeating: " ", count: count)
    if isInserting {
      cells[cursor.row].insert(contentsOf: blanks, at: cursor.column)
      cells[cursor.row].removeLast(count)
    } else {
      cells[cursor.row].removeSubrange(cursor.column..<(cursor.column + count))
      cells[cursor.row].append(contentsOf: blanks)
    }
  }

  private mutating func shiftRows(_ isInserting: Bool, _ count: Int) {
    guard region.contains(cursor.row) else { return }
    let whole = region
    region = cursor.row..<whole.upperBound
    // Rows deleted within the screen do not go to the scrolled-off ones unless it is the top row, which nobody deletes so.
    let kept = scrolledOff
    if isInserting { scrollDown(count) } else { scrollUp(count) }
    scrolledOff = kept
    region = whole
  }
}
