import CSandbox
import Glibc

/// The console's ends of the standard streams of a program.
final class ProgramPipes {
  private(set) var input: Int32
  let output: Int32
  let errors: Int32
  /// The program's ends.
  private(set) var given: [Int32]
  /// True if the program has closed its output.
  private(set) var isAtEnd = false
  private var errorsAreAtEnd = false

  /// The output of the program that was not consumed yet.
  var written: [UInt8] = []
  /// The beginning of its standard error.
  private(set) var said: [UInt8] = []
  /// The number of bytes kept of it.
  static let saidLimit = 4096

  /// Three pipes; nil if the system is out of descriptors.
  init?() {
    var ends: [[Int32]] = []
    for _ in 0..<3 {
      var pair: [Int32] = [-1, -1]
      guard switchboard_sandbox_pipe(&pair) == 0 else {
        for end in ends.joined() { close(end) }
        return nil
      }
      ends.append(pair)
    }
    (input, output, errors) = (ends[0][1], ends[1][0], ends[2][0])
    given = [ends[0][0], ends[1][1], ends[2][1]]
    for end in [input, output, errors] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    closeGiven()
    for end in [input, output, errors] where end >= 0 { close(end) }
  }

  /// Closes the ends that the program has inherited.
  func closeGiven() {
    for end in given { close(end) }
    given = []
  }

  /// Writes as many bytes as possible without blocking; returns their number.
  func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    return max(0, count)
  }

  /// Reads a piece of output; returns false if there is none at the moment.
  @discardableResult
  func read() -> Bool {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(output, &piece, piece.count)
    if count > 0 { written += piece[..<count] }
    if count == 0 { isAtEnd = true }
    return count > 0
  }

  /// Reads a piece of standard error, discarding what exceeds the limit.
  @discardableResult
  func readErrors() -> Bool {
    var piece = [UInt8](repeating: 0, count: 4 << 10)
    let count = Glibc.read(errors, &piece, piece.count)
    if count > 0 { said += piece[..<count].prefix(max(0, Self.saidLimit - said.count)) }
    if count == 0 { errorsAreAtEnd = true }
    return count > 0
  }

  /// Waits until a pipe is ready for reading or writing, at most so many milliseconds.
  func wait(_ milliseconds: Int32, isWriting: Bool) {
    var places = [
      pollfd(fd: isAtEnd ? -1 : output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorsAreAtEnd ? -1 : errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isWriting ? input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    poll(&places, nfds_t(places.count), milliseconds)
  }
}
