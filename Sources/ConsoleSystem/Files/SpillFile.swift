import BackendClient
package import BackendKit
package import Files
import Glibc

/// A file for data that does not fit in memory: in the user's state folder, private, and unlinked once open, so that it
/// disappears with the process.
package final class SpillFile: Spill {
  private let descriptor: Int32
  private let folder: String

  /// A file below the user's state folder; nil if none can be created.
  package init?(state: String?) {
    guard let (path, descriptor) = try? Self.make(state: state, folder: "sorts") else { return nil }
    unlink(path)
    self.descriptor = descriptor
    folder = Path.folder(of: path)
  }

  deinit { close(descriptor) }

  /// Creates a file that is not unlinked yet, and opens it. Those of runs that were killed before unlinking are
  /// deleted.
  package static func make(state: String?, folder: String) throws(FileFailure) -> (path: String, descriptor: Int32) {
    guard let state else { throw FileFailure.noStateFolder }
    let path = "\(state)/\(folder)/\(UInt64.random(in: .min ... .max)).spill"
    try OwnedFolder.prepare(of: path)
    OldFiles.delete(in: Path.folder(of: path), suffix: ".spill")
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system }
    return (path, descriptor)
  }

  package func append(_ bytes: [UInt8]) throws(BackendError) {
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if written > 0 {
        start += written
      } else if written == 0 || errno != EINTR {
        throw failure("written to")
      }
    }
  }

  package func read(_ count: Int, at place: Int) throws(BackendError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var start = 0
    while start < count {
      let read = bytes.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress.map { $0 + start }, count - start, off_t(place + start))
      }
      if read > 0 {
        start += read
      } else if read == 0 || errno != EINTR {
        throw failure("read from")
      }
    }
    return bytes
  }

  private func failure(_ verb: String) -> BackendError {
    let reason = String(cString: strerror(errno))
    return .unsupported(
      "the records do not fit in memory, and a temporary file in \(folder) cannot be \(verb): \(reason)",
      hint: "free space there, or select fewer records with --limit or a condition")
  }
}
