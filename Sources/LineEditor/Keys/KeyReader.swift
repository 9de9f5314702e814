internal import CLibedit
internal import Glibc

/// Waits for keys and wake-ups on the editor's thread and returns them as events.
final class KeyReader {
  /// The reason why there are no further events.
  enum Failure: Error {
    case endOfInput
    case system(Int32)
  }

  /// The time that Escape waits for the rest of a sequence, in milliseconds.
  private static let escapeDelay: Int32 = 25

  /// A descriptor that ends a wait once it can be written to; -1 if there is nothing to write.
  var output: Int32 = -1

  private let terminal: Int32
  private let mailbox: Mailbox
  private var decoder = ScalarDecoder()
  private var lexer = KeyLexer()
  private var bytes: ArraySlice<UInt8> = []
  private var events: [KeyEvent] = []
  private var buffer = [UInt8](repeating: 0, count: 4096)

  init(terminal: Int32, mailbox: Mailbox) {
    self.terminal = terminal
    self.mailbox = mailbox
  }

  /// Inserts an event before all others.
  func pushBack(_ event: KeyEvent) {
    events.insert(event, at: 0)
  }

  /// Blocks until the next event. `idle` runs before each wait between keys, `woken` after it; an event that `idle`
  /// returns replaces the wait. `always` makes them run within an incomplete key, too.
  func next(
    always: Bool = false, idle: () -> KeyEvent? = { nil }, woken: () -> Void = {}
  ) throws(Failure) -> KeyEvent {
    while true {
      if !events.isEmpty { return events.removeFirst() }
      if let byte = bytes.popFirst() {
        decoder.feed(byte) { if let event = lexer.feed($0) { events.append(event) } }
      } else {
        try wait(always, idle, woken)
      }
    }
  }

  /// Returns whether there is a key, or one arrives within this many milliseconds.
  func hasNext(within milliseconds: Int32) -> Bool {
    if !events.isEmpty || !bytes.isEmpty { return true }
    var descriptors = [
      pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&descriptors, 2, milliseconds) > 0
  }

  private func wait(_ always: Bool, _ idle: () -> KeyEvent?, _ woken: () -> Void) throws(Failure) {
    var descriptors = [
      pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mailbox.pipe.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: -1, events: Int16(POLLOUT), revents: 0),
    ]
    var ready = poll(&descriptors, 2, 0)
    if ready == 0 {
      let isBetweenKeys = always || lexer.isBetweenKeys
      if isBetweenKeys, let event = idle() {
        events.append(event)
        return
      }
      descriptors[2].fd = output
      ready = poll(&descriptors, 3, lexer.isAfterEscape ? Self.escapeDelay : -1)
      if isBetweenKeys { woken() }
    }
    if ready == 0 {
      events.append(lexer.escapeTimedOut())
    } else if ready < 0 {
      if errno != EINTR { throw .system(errno) }
    } else {
      if descriptors[1].revents != 0 { try takeWakeUp() }
      if descriptors[0].revents != 0 { try read() }
    }
  }

  private func takeWakeUp() throws(Failure) {
    mailbox.pipe.drain()
    if tg_take_continued() { events.append(.continued) }
    if tg_take_resized() { events.append(.resized) }
    // Not an event: a function of libedit that waits for one more character would take it for that.
    if mailbox.isClosed { throw .endOfInput }
  }

  private func read() throws(Failure) {
    // One byte at a time, so that later input stays with the terminal for its next reader. The slice is released first,
    // or the array below would be copied.
    bytes = []
    let count = Glibc.read(terminal, &buffer, lexer.isPasting ? buffer.count : 1)
    if count > 0 {
      bytes = buffer[..<count]
    } else if count == 0 {
      throw .endOfInput
    } else if errno != EINTR && errno != EAGAIN {
      throw .system(errno)
    }
  }
}
