package import ConsoleSystem
import Glibc
import Synchronization

/// The destination of results: a file descriptor with a buffer, written at the end of each command.
///
/// A closed reader ends the run silently; any other write error ends it with a message.
public final class Output: Sendable {
  struct State {
    var buffer: [UInt8] = []
    /// The error number that ended writing.
    var failure: Int32?
    /// The texts to write next, created lazily.
    var later: [@Sendable () -> String] = []
    /// True if the buffer is written as soon as there is nothing else to do.
    var isAwaited = false
    /// The output of a command that may exceed the window.
    var page: PagedOutput?
    /// A file that gets a copy without colors.
    var copy: OutputCopy?
    /// Transforms each line of text; nil leaves lines unchanged.
    var form: LineForm?
    /// An incomplete line, if lines are transformed.
    var partLine = ""
    /// Runs before the terminal shows something.
    var beforeShowing: (@Sendable () -> Void)?
  }

  /// The maximum number of bytes in the buffer.
  private static let most = 1 << 16

  package let descriptor: Int32
  let state = Mutex(State())

  /// The width of the terminal that a captured output is made for.
  let capturedWidth: Int?
  package let isCaptured: Bool
  /// The number of bytes after which a captured output has no reader any more.
  let mostCaptured: Int

  /// True if the descriptor is a terminal.
  public let isTerminal: Bool

  /// Output to a descriptor, which stays open.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    capturedWidth = nil
    isCaptured = false
    mostCaptured = .max
  }

  /// Output kept in memory, formatted as for another one; ``takeText()`` returns it. Commands stop after about so many
  /// bytes.
  package init(capturedFor other: Output, most: Int = .max) {
    descriptor = -1
    isTerminal = other.isTerminal
    capturedWidth = other.width
    isCaptured = true
    mostCaptured = most
  }

  /// Returns the text written to a captured output since the last call.
  package func takeText() -> String {
    settle()
    return state.withLock { state in
      defer { state.buffer.removeAll() }
      return String(decoding: state.buffer, as: UTF8.self)
    }
  }

  /// Calls `body` each time before a terminal shows text, to remove temporary displays.
  package func beforeShowing(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.beforeShowing = body } }

  /// Transforms a line of text, without its line end.
  package typealias LineForm = @Sendable (String) -> String

  /// Transforms each line written from now on; nil ends that. Text of ``write(whole:)`` is unchanged.
  package func setForm(_ form: LineForm?) {
    settle()
    state.withLock { $0.form = form }
  }

  package var hasForm: Bool { state.withLock { $0.form != nil } }

  /// Appends lines that are not transformed.
  public func write(whole text: EscapedText) {
    settle()
    append(text.text, isWhole: true)
  }

  /// Copies everything written from now on to a file; nil ends that.
  package func copy(to copy: OutputCopy?) {
    settle()
    state.withLock { state in
      state.copy?.end()
      state.copy = copy
    }
  }

  /// The path of the copy as given.
  package var copyPath: String? { state.withLock { $0.copy?.path } }

  /// Returns the reason why the copy ended, once.
  package func takeCopyComplaint() -> String? {
    state.withLock { state in
      guard let complaint = state.copy?.complaint else { return nil }
      state.copy?.end()
      state.copy = nil
      return complaint
    }
  }

  /// True if nothing can be written any more.
  public var isBroken: Bool { state.withLock { $0.failure != nil } }

  /// True if nothing can be written because the reader has closed.
  public var lostItsReader: Bool { state.withLock { $0.failure == EPIPE } }

  /// The reason why nothing can be written any more, as a clause; nil if there is none, or if the reader has closed.
  public var complaint: String? {
    state.withLock { $0.failure }.flatMap { $0 == EPIPE ? nil : "cannot write: \(String(cString: strerror($0)))" }
  }

  /// Appends text; written with the next `flush` or when the buffer is full.
  public func write(_ text: EscapedText) { write(formatted: text.text) }

  /// Appends the result of a format, for a person or a program.
  package func write(formatted text: String) {
    settle()
    append(text)
  }

  /// Appends the result of a format as UTF-8, decoded only if needed.
  package func write(formatted text: [UInt8]) {
    settle()
    let isDone = state.withLock { state in
      guard state.form == nil, state.copy == nil, state.page == nil else { return false }
      state.buffer += text
      if state.buffer.count >= Self.most { drain(&state) }
      return true
    }
    if !isDone { append(String(decoding: text, as: UTF8.self)) }
  }

  /// Appends text that is created when there is time: in ``settle()``, or before anything else is written.
  package func writeLater(_ text: @escaping @Sendable () -> String) {
    let isMuch = state.withLock { state in
      state.later.append(text)
      return state.later.count > 64
    }
    // Results that arrive faster than they can be shown would never leave time for it.
    if isMuch { settle() }
  }

  /// True if some text has yet to be created.
  public var isUnsettled: Bool { state.withLock { !$0.later.isEmpty } }

  /// Creates the deferred text.
  public func settle() {
    let later = state.withLock { state in
      defer { if !state.later.isEmpty { state.later = [] } }
      return state.later
    }
    for text in later { append(text()) }
  }

  /// Makes ``idle()`` write the buffer before waiting for anything else.
  package func flushWhenIdle() { state.withLock { $0.isAwaited = true } }

  /// Uses the time while a response is awaited: creates deferred text, and writes the buffer if requested.
  public func idle() {
    settle()
    state.withLock { if $0.isAwaited { drain(&$0) } }
  }

  private func append(_ text: String, isWhole: Bool = false) {
    state.withLock { state in
      var text = text
      if let form = state.form, !isWhole {
        // "\r\n" is a single character.
        let lines = (state.partLine + text).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        state.partLine = lines.last.map(String.init) ?? ""
        text = lines.dropLast().map { form(String($0)) + "\n" }.joined()
      }
      state.buffer.append(contentsOf: text.utf8)
      state.copy?.write(text)
      if state.page != nil { page(text, &state) }
      if state.buffer.count >= Self.most { drain(&state) }
    }
  }

  /// Writes the buffer.
  public func flush() {
    settle()
    if state.withLock({ !$0.partLine.isEmpty }) { append("\n") }
    state.withLock { drain(&$0) }
  }
}
