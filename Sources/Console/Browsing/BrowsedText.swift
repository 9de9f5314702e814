import ConsoleOutput
import ConsoleScreen

/// A text on the whole screen, which keys scroll.
struct BrowsedText {
  let title: EscapedText
  let lines: [EscapedText]
  private(set) var top = 0

  /// A text that was escaped by its format.
  init(_ title: EscapedText, formatted text: String) {
    self.title = title
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { EscapedText(formatted: String($0)) }
  }

  /// Takes a key; false if it ends the text.
  mutating func take(_ key: ScreenEvent, height: Int) -> Bool {
    switch key {
    case .up: top -= 1
    case .down: top += 1
    case .pageUp: top -= height
    case .pageDown, .character(" "): top += height
    case .home: top = 0
    case .end: top = lines.count
    case .escape, .backspace, .enter, .character("q"), .control("c"): return false
    default: break
    }
    top = max(0, min(top, lines.count - height))
    return true
  }
}
