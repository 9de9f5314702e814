import BackendKit
import Glibc
import Synchronization

/// Shows progress at a terminal once something takes a while: a spinner, the operation, the number of records.
///
/// It is in the row of the cursor and is removed before anything else is shown.
package final class Progress: Sendable {
  private struct State {
    var what: EscapedText?
    /// The progress as the service describes it.
    var detail = ""
    var began = 0.0
    var count = 0
    var total: Int?
    var isDrawn = false
    var isTicking = false
    var turn = 0
    /// The end of a pause that the service has requested.
    var pausesUntil = 0.0
  }

  /// Milliseconds before anything is shown, and between two frames.
  private static let delay = 150.0
  private static let pace = 100

  private let descriptor: Int32
  private let now: @Sendable () -> Double
  private let executor: (any TaskExecutor)?
  private let state = Mutex(State())
  /// True if another program controls the terminal.
  private let isHidden: @Sendable () -> Bool

  package init(
    descriptor: Int32, now: @escaping @Sendable () -> Double, executor: (any TaskExecutor)?,
    isHidden: @escaping @Sendable () -> Bool
  ) {
    self.descriptor = descriptor
    self.now = now
    self.executor = executor
    self.isHidden = isHidden
  }

  package func begin(_ what: EscapedText) {
    let starts = state.withLock { state in
      state.what = what
      state.detail = ""
      state.began = now()
      state.count = 0
      state.total = nil
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if starts { Task(executorPreference: executor) { await self.tick() } }
  }

  /// Sets the expected number of records.
  package func expect(_ total: Int) { state.withLock { $0.total = total } }

  /// Shows the progress as the service describes it; empty if it sends no description.
  package func tell(_ words: EscapedText) { state.withLock { $0.detail = words.text } }

  /// Shows that nothing is sent for so many seconds, at the service's request.
  package func pause(_ seconds: Int) {
    state.withLock { $0.pausesUntil = max($0.pausesUntil, now() + Double(seconds) * 1000) }
  }

  /// Adds to the number of records.
  package func advance(_ count: Int) { state.withLock { $0.count += count } }

  package func end() {
    state.withLock { state in
      state.what = nil
      clear(&state)
    }
  }

  /// Ends an interrupted operation: the terminal has echoed the keys, in the row of the cursor.
  package func endInterrupted() {
    end()
    show("\r\u{1B}[K")
  }

  package func clear() { state.withLock { clear(&$0) } }

  private func clear(_ state: inout State) {
    guard state.isDrawn else { return }
    state.isDrawn = false
    show("\r\u{1B}[K")
  }

  private func tick() async {
    var idle = 0
    while idle < 2 {
      try? await Task.sleep(for: .milliseconds(Self.pace))
      let isHidden = isHidden()
      let isIdle = state.withLock { state in
        guard let what = state.what else { return true }
        let elapsed = now() - state.began
        guard elapsed >= Self.delay, !isHidden else { return false }
        state.turn += 1
        state.isDrawn = true
        show("\r" + line(what, elapsed / 1000, state) + "\u{1B}[K")
        return false
      }
      idle = isIdle ? idle + 1 : 0
    }
    state.withLock { $0.isTicking = false }
  }

  private func line(_ what: EscapedText, _ seconds: Double, _ state: State) -> String {
    var size = winsize()
    let width = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    var text = Self.text(what.text, seconds, count: state.count, total: state.total, turn: state.turn)
    if !state.detail.isEmpty { text += "; \(state.detail)" }
    let pause = ((state.pausesUntil - now()) / 1000).rounded(.up)
    if pause > 0 { text += "; rate limited, waiting \(Int(pause)) s" }
    return String(text.prefix(max(1, width - 1)))
  }

  /// The text of a frame.
  static func text(_ what: String, _ seconds: Double, count: Int, total: Int?, turn: Int) -> String {
    let mark = ["|", "/", "-", "\\"][turn % 4]
    let rate = seconds > 0 ? Int((Double(count) / seconds).rounded()) : 0
    let speed = count > 0 ? "\(count.grouped), \(rate.grouped)/s, " : ""
    let time = "\(Int(seconds.rounded())) s"
    // A total that was passed was none.
    guard let total, total > 1, count <= total else { return "\(mark) \(what): \(speed)\(time)" }
    let done = count
    let filled = done * 20 / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
    let left = done > 0 ? ", \(Int((seconds * Double(total - done) / Double(done)).rounded(.up))) s left" : ""
    return "\(mark) \(what): [\(bar)] \(done.grouped) of \(total.grouped), \(rate.grouped)/s, \(time)\(left)"
  }

  private func show(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
