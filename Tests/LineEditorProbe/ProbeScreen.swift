import ConsoleOutput
import ConsoleScreen
import Files
import Glibc
import LineEditor
import Synchronization

/// The screen of the probe: its size, the number of keys and the last of them.
///
/// `q` leaves, `?` asks a question and comes back, `h` shows hostile texts, `c` the cursor, `x` crashes, `k` ends the
/// program with the status 7 as it is. A window of five rows closes the editor.
final class ProbeScreen: Sendable {
  private struct Picture {
    var frame = ScreenFrame()
    var grid = ScreenGrid(theme: Theme.chosen(.dark, use: .always, environment: [:], isTerminal: true))
  }

  private let editor: LineEditor
  private let picture = Mutex(Picture())
  private let keys = AsyncStream.makeStream(of: ScreenKey.self)

  init(_ editor: LineEditor) { self.editor = editor }

  /// Shows the screen to its end, which it returns.
  func run() async -> String {
    guard await open() else { return "no screen" }
    var count = 0
    var answer = ""
    show(count, "none")
    for await key in keys.stream {
      count += 1
      switch key {
      case .character("q"):
        await editor.closeScreen()
        return "left after \(count)"
      case .character("x"): preconditionFailure("as asked")
      case .character("k"): _exit(7)
      case .character("h"): show(Self.hostile)
      case .character("c"): show(count, "cursor", cursor: (5, 1))
      case .character("?"):
        await editor.closeScreen()
        var request = LineRequest(prompt: "sure? >")
        request.isCommand = false
        if case .line(let text) = await editor.readLine(request) { answer = text }
        guard await open() else { return "no screen again" }
        show(count, "answered [\(answer)]")
      case .closed: return "closed"
      case .resized where editor.windowSize.rows == 5: Task.detached { self.editor.close() }
      case .paste(let text): show(count, "paste of \(text.unicodeScalars.count): \(text.prefix(20))")
      default: show(count, "\(key)")
      }
    }
    return "over"
  }

  private func open() async -> Bool {
    let request = ScreenRequest(
      entering: ScreenSequences.enter, leaving: ScreenSequences.leave, drawing: { self.drawing($0) },
      key: { self.keys.continuation.yield($0) })
    return await editor.openScreen(request)
  }

  private func drawing(_ isCovered: Bool) -> [UInt8] {
    let size = editor.windowSize
    return picture.withLock { picture in
      if isCovered { picture.grid.forget() }
      return Array(picture.grid.update(to: picture.frame, columns: size.columns, rows: size.rows).utf8)
    }
  }

  private func show(_ count: Int, _ key: String, cursor: (column: Int, row: Int)? = nil) {
    let size = editor.windowSize
    var frame = ScreenFrame([
      [ScreenSpan("screen \(size.columns)x\(size.rows)", .name, isSelected: true)],
      [ScreenSpan("\(count): \(key)", .date)],
    ])
    frame.cursor = cursor
    show(frame)
  }

  private func show(_ frame: ScreenFrame) {
    picture.withLock { $0.frame = frame }
    editor.drawScreen()
  }

  private static let hostile: ScreenFrame = {
    let texts = [
      "\u{1B}[2J\u{1B}]0;title\u{7}\r\n\u{9B}1m", "\u{202E}right to left\u{2066} \u{200B}\u{FEFF}", "שלום עולם",
      String(repeating: "公告", count: 300), "e" + String(repeating: "\u{301}", count: 100_000),
      String(repeating: "x", count: 1 << 20), String(repeating: "👩‍👩‍👧‍👦", count: 200),
      String(repeating: "👩\u{200D}", count: 100_000), "\u{301}mark first",
    ]
    return ScreenFrame(texts.map { [ScreenSpan(EscapedText($0), .change)] } + [[ScreenSpan("the end", .alarm)]])
  }()
}
