import ConsoleOutput
import ConsoleScreen
import Files
import LineEditor
import Synchronization

/// The window of the line editor's terminal as a screen of the console.
final class TerminalScreen: Screen {
  /// The frame to show, and the rows that are shown.
  private struct Picture {
    var frame = ScreenFrame()
    var grid: ScreenGrid
  }

  private let editor: LineEditor
  private let output: Output
  private let picture: Mutex<Picture>
  /// The keys that were not taken yet; nil while the screen is closed.
  private let keys = Mutex<AsyncStream<ScreenKey>?>(nil)

  /// A screen in a theme, with what was written before above it; nil if the terminal cannot show one.
  static func open(on editor: LineEditor, _ theme: Theme, after output: Output) async -> TerminalScreen? {
    let screen = TerminalScreen(editor, theme, output)
    return await screen.reopen() ? screen : nil
  }

  private init(_ editor: LineEditor, _ theme: Theme, _ output: Output) {
    (self.editor, self.output) = (editor, output)
    picture = Mutex(Picture(grid: ScreenGrid(theme: theme)))
  }

  deinit {
    // Otherwise no line could be read any more.
    if keys.withLock({ $0 != nil }) { editor.endScreen() }
  }

  var size: (columns: Int, rows: Int) { editor.windowSize }

  func show(_ frame: ScreenFrame) {
    picture.withLock { $0.frame = frame }
    editor.drawScreen()
  }

  func next() async -> ScreenKey {
    guard let keys = keys.withLock({ $0 }) else { return .closed }
    // A command that is interrupted gets no further keys.
    for await key in keys { return key }
    return .closed
  }

  func close() async {
    keys.withLock { $0 = nil }
    await editor.closeScreen()
  }

  func reopen() async -> Bool {
    output.flush()
    let (keys, continuation) = AsyncStream.makeStream(of: ScreenKey.self)
    let request = ScreenRequest(
      entering: ScreenSequences.enter, leaving: ScreenSequences.leave,
      drawing: { [weak self] isCovered in self?.drawing(isCovered) ?? [] },
      key: { key in
        continuation.yield(key)
        if key == .closed { continuation.finish() }
      })
    guard await editor.openScreen(request) else { return false }
    self.keys.withLock { $0 = keys }
    return true
  }

  private func drawing(_ isCovered: Bool) -> [UInt8] {
    let size = size
    return picture.withLock { picture in
      if isCovered { picture.grid.forget() }
      return Array(picture.grid.update(to: picture.frame, columns: size.columns, rows: size.rows).utf8)
    }
  }
}
