import Glibc
import Synchronization
import TestSupport

/// The parts of the process that a run within it has meanwhile: the standard streams, as the programs that it starts have them, and the
/// current folder. Given back by ``end()``.
struct BorrowedProcess {
  private static let isTaken = Mutex(false)
  /// Copies of the streams as they were.
  private let streams: [Int32]
  private let folder: Int32

  /// Throws where another run has them: two at a time need programs.
  init(input: StreamFile, output: StreamFile, errors: StreamFile, folder path: String) throws {
    let isFree = Self.isTaken.withLock { taken in
      defer { taken = true }
      return !taken
    }
    guard isFree else {
      throw Spawn.Failure("a run in the process of the test has not ended yet: start programs for several at a time")
    }
    // As the program does it: a reader that goes away is an error of the write that meets it.
    signal(SIGPIPE, SIG_IGN)
    fflush(nil)
    folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    streams = (0...2).map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    for (stream, file) in [input, output, errors].enumerated() { dup2(file.descriptor, Int32(stream)) }
    guard chdir(path) == 0 else {
      let reason = String(cString: strerror(errno))
      end()
      throw Spawn.Failure("\(path): \(reason)")
    }
  }

  func end() {
    for (stream, copy) in streams.enumerated() { dup2(copy, Int32(stream)) }
    fchdir(folder)
    for descriptor in streams + [folder] { close(descriptor) }
    Self.isTaken.withLock { $0 = false }
  }
}

/// A file in the place of a standard stream. It has a name, so that `Scripts/run-tests` finds the last words of a process that crashed.
final class StreamFile: Sendable {
  let descriptor: Int32
  private let path: String

  /// A file with this content, to be read from its beginning.
  init(_ bytes: [UInt8] = []) throws {
    var name = Array("/tmp/switchboard-stream-\(getpid())-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard descriptor >= 0 else { throw Spawn.Failure("mkstemp: \(String(cString: strerror(errno)))") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Spawn.Failure("write: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// All that was written to it.
  var text: String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = pread(descriptor, &piece, piece.count, off_t(bytes.count)), count > 0 {
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
