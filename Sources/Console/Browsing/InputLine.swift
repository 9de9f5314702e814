import ConsoleOutput
import Files

/// A line being typed on a screen.
struct InputLine {
  private var typed: [Character]
  private var place: Int

  init(_ text: String = "") {
    typed = Array(text)
    place = typed.count
  }

  var text: String { String(typed) }

  /// Takes a key; false if it is not one of a line.
  mutating func take(_ key: ScreenKey) -> Bool {
    switch key {
    case .character(let character): type([character])
    case .paste(let text): type(Array(text))
    case .left, .control("b"): place = max(0, place - 1)
    case .right, .control("f"): place = min(typed.count, place + 1)
    case .home, .control("a"): place = 0
    case .end, .control("e"): place = typed.count
    case .control("u"):
      typed.removeFirst(place)
      place = 0
    case .backspace:
      guard place > 0 else { break }
      place -= 1
      typed.remove(at: place)
    case .delete: if place < typed.count { typed.remove(at: place) }
    default: return false
    }
    return true
  }

  private mutating func type(_ characters: [Character]) {
    typed.insert(contentsOf: characters, at: place)
    place += characters.count
  }

  /// The part around the cursor that fits into so many columns, and the column of the cursor.
  func shown(in width: Int) -> (text: EscapedText, cursor: Int) {
    var start = max(0, place - width)
    func before() -> EscapedText { EscapedText(String(typed[start..<place])) }
    while start < place, DisplayWidth.columns(of: before().text) >= width { start += 1 }
    let head = before()
    return (head + EscapedText(String(typed[place...].prefix(width))), DisplayWidth.columns(of: head.text))
  }
}
