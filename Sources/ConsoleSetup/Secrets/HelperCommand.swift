import BackendKit
import ConsoleSystem
import Glibc

/// A user's program that provides secrets, with its arguments; not run by a shell.
public struct HelperCommand: Sendable, Hashable {
  let words: [String]
  /// The folder of the configuration that names it, in which it runs.
  let folder: String
  /// The item of the keyring that takes the place of a program; nil for a program.
  private(set) var item: KeyringItem?

  init(words: [String], folder: String) { (self.words, self.folder) = (words, folder) }

  /// A read of the keyring.
  init(reading item: KeyringItem) { (words, folder, self.item) = ([], "/", item) }

  /// The source in messages; arguments may contain secrets.
  var source: String { item == nil ? "the program \(words.first ?? "")" : "the keyring" }
}

/// The reason why a program provided no secret, as a clause after its name. Never contains its standard output.
package struct HelperFailure: Error, Sendable, Hashable {
  package let clause: String
  package var hint: String?
  package var isInterrupted = false
  /// True if the keyring can be read, and has no such item.
  var isAbsent = false
  /// True if the time limit has passed.
  var isLate = false
  /// The first line of the standard error of a program that ended with another status than 0.
  var said: String?
}

extension HelperCommand {
  /// The maximum length of the output.
  static let longest = 64 << 10

  /// Runs the program and returns its standard output. It has no terminal, and no standard input but a short one that is
  /// given; its standard error is reported if it fails. It is killed, with its children, after the time limit or when the
  /// console is interrupted.
  func output(
    _ environment: ChildEnvironment, limit: Duration, input: [UInt8]? = nil
  ) throws(HelperFailure) -> [UInt8] {
    guard let output = HelperPipe(), let errors = HelperPipe(), let given = HelperPipe() else {
      throw HelperFailure(clause: "cannot be started: the system has no file descriptors left")
    }
    if let input { given.fill(input) }
    let child = ChildProcess(
      words, environment: environment, input: input == nil ? nil : given.reading, output: output.writing,
      errors: errors.writing, isDetached: true, isConfigured: true, folder: folder)
    let problem = errno
    output.closeWriting()
    errors.closeWriting()
    guard let child else { throw HelperFailure(clause: "cannot be started: \(String(cString: strerror(problem)))") }
    let deadline = ContinuousClock.now + limit
    var written: [UInt8] = []
    var said: [UInt8] = []
    while true {
      let ending = child.endingIfAny()
      // After the program's end, all its output is in the pipe.
      output.read(into: &written, upTo: Self.longest + 1)
      errors.read(into: &said, upTo: 4096)
      if written.count > Self.longest {
        if ending == nil { child.killGroup() }
        throw HelperFailure(clause: "wrote more than 64 KiB")
      }
      if let ending {
        try Self.check(ending, said)
        return written
      }
      if Interruption.isDue {
        child.killGroup()
        throw HelperFailure(clause: "was interrupted", isInterrupted: true)
      }
      if ContinuousClock.now >= deadline {
        child.killGroup()
        throw HelperFailure(clause: "did not finish within \(limit.components.seconds) seconds", isLate: true)
      }
      HelperPipe.wait(output, errors)
    }
  }

  private static func check(_ ending: ChildProcess.Ending, _ said: [UInt8]) throws(HelperFailure) {
    switch ending {
    case .exited(0): return
    case .exited(let status):
      let line = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
      throw HelperFailure(
        clause: "ended with status \(status)" + (BackendError.quoted(line).map { ": \($0)" } ?? ""), said: line ?? "")
    case .killed(let signal): throw HelperFailure(clause: "was ended by \(String(cString: strsignal(signal)))")
    }
  }
}

/// The pipe of one stream of a helper.
private final class HelperPipe {
  let reading: Int32
  private(set) var writing: Int32
  private var isOpen = true

  init?() {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
    (reading, writing) = pipe
  }

  deinit {
    closeWriting()
    close(reading)
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Writes what an empty pipe takes without a reader, and closes it.
  func fill(_ bytes: [UInt8]) {
    while write(writing, bytes, bytes.count) < 0, errno == EINTR {}
    closeWriting()
  }

  /// Reads what is available, discarding what exceeds the limit.
  func read(into bytes: inout [UInt8], upTo most: Int) {
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while isOpen {
      let count = Glibc.read(reading, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return }
      if count == 0 { isOpen = false }
      bytes += piece[..<count].prefix(max(0, most - bytes.count))
      if bytes.count >= most, count > 0 { return }
    }
  }

  /// Waits briefly for data in any: the end of the program is not an event of a pipe.
  static func wait(_ pipes: HelperPipe...) {
    var places = pipes.map { pollfd(fd: $0.isOpen ? $0.reading : -1, events: Int16(POLLIN), revents: 0) }
    poll(&places, nfds_t(places.count), 10)
  }
}
