package import BackendKit
import Files
import Glibc
import Synchronization

/// A user's file whose content a write sends, read piece by piece.
package enum LocalFile {
  private static let pieceSize = 1 << 16

  /// The file at a path, with its facts from reading it once. Throws if it cannot be read or is not a regular file:
  /// only for these the content to be sent is known in advance.
  package static func named(
    _ path: String, type: String, isStopped: () -> Bool
  ) throws(UsageError) -> UploadedFile {
    try Restriction.current.check(file: path)
    let mark: Mark
    let digest: String
    do throws(BackendError) {
      let pieces = try Pieces(path, as: nil)
      mark = pieces.mark
      digest = try pieces.digest(isStopped)
    } catch { throw UsageError(error.message, hint: error.hint) }
    return UploadedFile(path: path, type: type, size: mark.size, sha256: digest) { () throws(BackendError) in
      let pieces = try Pieces(path, as: mark, digest)
      return HTTPBody { () throws(BackendError) in try pieces.next() }
    }
  }

  /// The attributes that show whether a file was changed.
  private struct Mark: Sendable, Equatable {
    let device, inode: UInt64
    let size: Int
    let seconds, nanoseconds: Int

    init(_ status: stat) {
      (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// Reads an open file to its end. The last piece is returned only if all of them were as expected, so that no other
  /// content is accepted.
  private final class Pieces: Sendable {
    private struct State {
      var digest = SHA256()
      var count = 0
      /// The piece that was read but not returned yet.
      var held: [UInt8]?
    }

    let mark: Mark
    private let path: String
    private let expected: String
    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ path: String, as known: Mark?, _ expected: String = "") throws(BackendError) {
      (self.path, self.expected) = (path, expected)
      if let reason = ResolvedPath.obstacle(toReading: path) {
        (mark, descriptor) = (Mark(stat()), -1)
        throw .invalid("cannot read \(path): \(reason)")
      }
      descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      var status = stat()
      guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
        mark = Mark(status)
        throw Pieces.unreadable(path)
      }
      mark = Mark(status)
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .invalid("\(path) is not a regular file")
      }
      if let known, mark != known { throw Pieces.changed(path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The digest of the rest.
    func digest(_ isStopped: () -> Bool) throws(BackendError) -> String {
      var digest = SHA256()
      var count = 0
      while let piece = try read() {
        if isStopped() { throw BackendError(.cancelled, "stopped", effect: .notSent) }
        digest.add(piece)
        count += piece.count
      }
      guard count == mark.size else { throw Pieces.changed(path) }
      return digest.hex
    }

    func next() throws(BackendError) -> [UInt8]? {
      let piece = try read()
      let (held, isGood) = state.withLock { state in
        if let piece {
          state.digest.add(piece)
          state.count += piece.count
        }
        defer { state.held = piece }
        let isGood = piece == nil ? state.count == mark.size && state.digest.hex == expected : state.count <= mark.size
        return (state.held, isGood)
      }
      guard isGood else { throw Pieces.changed(path) }
      if held == nil, piece != nil { return try next() }
      return held
    }

    private func read() throws(BackendError) -> [UInt8]? {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: LocalFile.pieceSize) { bytes, count in
        var found = 0
        repeat { found = Glibc.read(descriptor, bytes.baseAddress, bytes.count) } while found < 0 && errno == EINTR
        if found < 0 { failure = errno }
        count = max(0, found)
      }
      guard failure == 0 else {
        errno = failure
        throw Pieces.unreadable(path)
      }
      return piece.isEmpty ? nil : piece
    }

    private static func unreadable(_ path: String) -> BackendError {
      .invalid("cannot read \(path): \(String(cString: strerror(errno)))")
    }

    private static func changed(_ path: String) -> BackendError {
      .invalid("\(path) has changed since it was read", hint: "repeat the command to send it as it is now")
    }
  }
}
