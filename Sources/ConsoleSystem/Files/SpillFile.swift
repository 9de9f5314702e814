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
    do throws(FileFailure) { try OpenFile.write(bytes, to: descriptor) } catch { throw failure("written to", error) }
  }

  package func read(_ count: Int, at place: Int) throws(BackendError) -> [UInt8] {
    do throws(FileFailure) {
      let bytes = try OpenFile.bytes(place..<place + count, of: descriptor)
      guard bytes.count == count else { throw FileFailure("it is shorter than what was written") }
      return bytes
    } catch { throw failure("read from", error) }
  }

  private func failure(_ verb: String, _ failure: FileFailure) -> BackendError {
    .unsupported(
      "a temporary file for records in \(folder) cannot be \(verb): \(failure.reason)",
      hint: "free space there, or select fewer records with --limit or a condition")
  }
}
