import ConsoleOutput
import Files

/// A text on the whole screen, which keys scroll.
struct BrowsedText {
  let title: EscapedText
  let lines: [EscapedText]
  private(set) var top = 0

  init(_ title: EscapedText, _ text: String) {
    self.title = title
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { EscapedText(String($0)) }
  }

  /// Takes a key; false if it ends the text.
  mutating func take(_ key: ScreenKey, height: Int) -> Bool {
    if [.escape, .backspace, .enter, .character("q"), .control("c")].contains(key) { return false }
    let key = key == .character(" ") ? .pageDown : key
    top = key.scrolled(top, by: height, of: lines.count)
    return true
  }
}

extension ScreenKey {
  /// The place to which the key moves among several; nil if it moves nothing.
  func moved(_ place: Int, by page: Int, last: Int) -> Int? {
    let moved: Int? =
      switch self {
      case .up: place - 1
      case .down: place + 1
      case .pageUp: place - page
      case .pageDown: place + page
      case .home: 0
      case .end: last
      default: nil
      }
    return moved.map { max(0, min($0, last)) }
  }

  /// The first line that is shown once the key has scrolled so many lines in a window of this height.
  func scrolled(_ top: Int, by height: Int, of count: Int) -> Int {
    max(0, min(moved(top, by: height, last: count) ?? top, count - height))
  }
}
