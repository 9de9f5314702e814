internal import CLibedit
internal import Glibc

/// The terminal of the process with keys read one by one and without echo.
enum QuietTerminal {
  /// Runs a body with the terminal's descriptor and restores the mode in any case, even if a signal ends the process
  /// meanwhile. `modes` are further local modes to disable, `action` determines what happens to earlier keys, and
  /// `endsRow` moves the cursor to the next row at the end. Nil: the process has no terminal.
  static func use<Success>(
    without modes: Int32 = 0, _ action: Int32, endsRow: Bool, _ body: (Int32) -> Success
  ) -> Success? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    let isInstalled = tg_is_installed()
    if !isInstalled { tg_install(-1) }
    defer { if !isInstalled { tg_remove() } }
    guard tg_arm(terminal, terminal, "", true) else { return nil }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else {
      tg_disarm()
      return nil
    }
    var before = settings
    defer {
      if endsRow {
        tg_restore()
      } else {
        tcsetattr(terminal, TCSANOW, &before)
        tg_disarm()
      }
    }
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | modes)
    settings.c_iflag |= tcflag_t(ICRNL)
    guard tcsetattr(terminal, action, &settings) == 0 else { return nil }
    return body(terminal)
  }
}
