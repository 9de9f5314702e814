import Glibc
import Synchronization
import TestSupport

/// What a run in the process of the test takes of it meanwhile: standard input and output, which the programs that it starts have, too,
/// and the current folder. Given back by ``end()``.
struct BorrowedProcess {
  private static let isTaken = Mutex(false)
  private let input: Int32
  private let output: Int32
  private let folder: Int32

  /// Throws where another run has them: two at a time need programs.
  init(input bytes: [UInt8], output file: MemoryFile, folder path: String) throws {
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
    input = fcntl(0, F_DUPFD_CLOEXEC, 3)
    output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    do {
      let content = try MemoryFile(bytes)
      withExtendedLifetime((content, file)) {
        dup2(content.descriptor, 0)
        dup2(file.descriptor, 1)
      }
      guard chdir(path) == 0 else { throw Spawn.Failure("\(path): \(String(cString: strerror(errno)))") }
    } catch {
      end()
      throw error
    }
  }

  func end() {
    dup2(input, 0)
    dup2(output, 1)
    fchdir(folder)
    for descriptor in [input, output, folder] { close(descriptor) }
    Self.isTaken.withLock { $0 = false }
  }
}

/// A file without a name.
final class MemoryFile: Sendable {
  let descriptor: Int32

  /// A file with this content, to be read from its beginning.
  init(_ bytes: [UInt8] = []) throws {
    var path = Array("/tmp/switchboard-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Spawn.Failure("mkstemp: \(String(cString: strerror(errno)))") }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Spawn.Failure("write: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

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
