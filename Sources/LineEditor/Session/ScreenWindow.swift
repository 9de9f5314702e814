internal import CLibedit
internal import Glibc

/// The terminal while a screen is shown on it. Confined to the editor's thread.
final class ScreenWindow {
  private let request: ScreenRequest
  private let mailbox: Mailbox
  private let input: Int32
  /// The terminal opened anew, so that no write waits: the mode of the original belongs to other processes, too.
  private let output: Int32
  private let isOwn: Bool
  private var unsent: ArraySlice<UInt8> = []
  private var isCovered = true

  init(_ request: ScreenRequest, _ setup: TerminalSession.Setup, _ mailbox: Mailbox) {
    self.request = request
    self.mailbox = mailbox
    input = setup.input
    let own = open("/proc/self/fd/\(setup.output)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    isOwn = own >= 0
    output = isOwn ? own : setup.output
  }

  deinit {
    if isOwn { close(output) }
  }

  /// Takes the terminal, to be restored as it is now; false if it is none any more.
  func occupy() -> Bool {
    if tg_arm(input, output, request.leaving, false), cover() { return true }
    tg_disarm()
    return false
  }

  /// Takes a terminal that another program has used, and draws all of it.
  @discardableResult
  func cover() -> Bool {
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { return false }
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | IGNCR)
    // As while a line is edited: what was typed ahead, and line ends in pastes, mean the same.
    settings.c_iflag |= tcflag_t(ICRNL | INLCR)
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    guard tcsetattr(input, TCSANOW, &settings) == 0 else { return false }
    unsent = Array(request.entering.utf8)[...]
    isCovered = true
    return true
  }

  /// Writes what the terminal takes; returns the descriptor to wait for if that is not all, otherwise -1.
  func draw() -> Int32 {
    send()
    // One picture at a time, so that keys are read between them.
    if unsent.isEmpty, mailbox.takeDrawing() || isCovered {
      unsent += request.drawing(isCovered)
      isCovered = false
      send()
    }
    return unsent.isEmpty ? -1 : output
  }

  private func send() {
    // A signal that ends the process may have given the terminal back.
    while !unsent.isEmpty, tg_is_armed() {
      let count = unsent.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        unsent = unsent.dropFirst(count)
      } else if count == 0 || errno == EAGAIN {
        return
      } else if errno != EINTR {
        // A terminal that is gone: the end of its input follows.
        unsent = []
      }
    }
  }

  /// Gives the terminal back as it was.
  func leave() {
    unsent = []
    // A terminal that takes nothing is waited for, but not by a process that is to end.
    var place = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    var patience = 20
    while poll(&place, 1, 100) <= 0, patience > 0 {
      if mailbox.isClosed { patience -= 1 }
    }
    tg_restore()
  }
}
