internal import CLibedit
internal import Glibc

/// Reads a line from the terminal of the process without echo, for passwords.
///
/// It uses the terminal itself, whatever standard input is, and restores its mode in any case, even if a signal ends
/// the process meanwhile.
public struct PasswordReader {
  /// The answer to a prompt.
  public enum Answer: Sendable, Equatable {
    /// The typed text.
    case line(String)
    /// Input with invalid UTF-8.
    case notText
    /// The prompt was cancelled.
    case givenUp
  }

  private static let interrupt: UInt8 = 3
  private static let endOfFile: UInt8 = 4
  private static let eraseLine: Set<UInt8> = [0x15, 0x17]
  private static let erase: Set<UInt8> = [0x08, 0x7F]
  private static let escape: UInt8 = 0x1B

  private let terminal: Int32
  private var bytes: [UInt8] = []

  /// Prompts and reads, blocking the calling thread. `wait` waits until a descriptor is readable; false cancels. Nil:
  /// the process has no terminal.
  public static func read(_ question: String, wait: (Int32) -> Bool) -> Answer? {
    quietly { terminal in
      _ = question.utf8.withContiguousStorageIfAvailable { write(terminal, $0.baseAddress, $0.count) }
      var line = PasswordReader(terminal: terminal)
      return line.result(wait)
    }
  }

  /// Runs a body with the descriptor of the terminal, whose keys come one by one and without echo. The mode is restored
  /// in any case, even if a signal ends the process meanwhile, and the cursor goes to the next row. Nil: the process has
  /// no terminal.
  private static func quietly<Success>(_ body: (Int32) -> Success) -> Success? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    let isInstalled = tg_is_installed()
    if !isInstalled { tg_install(-1) }
    defer { if !isInstalled { tg_remove() } }
    guard tg_arm(terminal, terminal, "", true) else { return nil }
    defer { tg_restore() }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    // Ctrl-C comes as a byte, and cancels the prompt.
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    settings.c_iflag |= tcflag_t(ICRNL)
    guard tcsetattr(terminal, TCSAFLUSH, &settings) == 0 else { return nil }
    return body(terminal)
  }

  private init(terminal: Int32) { self.terminal = terminal }

  private mutating func result(_ wait: (Int32) -> Bool) -> Answer {
    while let byte = next(wait) {
      switch byte {
      case 0x0A, 0x0D:
        // Further rows of a paste are neither commands nor meant to be shown.
        tcflush(terminal, TCIFLUSH)
        return String(validating: bytes, as: UTF8.self).map { .line($0) } ?? .notText
      case Self.escape: skipKey(wait)
      case Self.interrupt: return .givenUp
      case Self.endOfFile:
        if bytes.isEmpty { return .givenUp }
      case let byte where Self.eraseLine.contains(byte): bytes = []
      case let byte where Self.erase.contains(byte):
        // The bytes of one character.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
      case 0..<0x20: continue
      default: bytes.append(byte)
      }
    }
    return .givenUp
  }

  /// Skips the rest of a key that sends several bytes: an arrow, Home, Delete, the beginning of a paste.
  private func skipKey(_ wait: (Int32) -> Bool) {
    guard let kind = next(wait) else { return }
    if kind == UInt8(ascii: "O") { _ = next(wait) }
    guard kind == UInt8(ascii: "[") else { return }
    while let byte = next(wait), !(0x40...0x7E).contains(byte) {}
  }

  /// The next byte; nil at the end.
  private func next(_ wait: (Int32) -> Bool) -> UInt8? {
    while wait(terminal) {
      var byte: UInt8 = 0
      let count = Glibc.read(terminal, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      return count > 0 ? byte : nil
    }
    return nil
  }
}
