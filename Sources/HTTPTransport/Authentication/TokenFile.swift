import BackendKit
import Files
import Glibc

/// The file that stores a token between runs: readable only by its owner, replaced as a whole.
struct TokenFile: Sendable {
  let path: String

  /// The token for an address; nil if there is none, or the file belongs to or is accessible by others.
  func read(for address: String) -> Token? {
    guard (try? OwnedFolder.check(of: path)) != nil, case .success(let file)? = OwnedFile.read(path, limit: 64 << 10),
      file.permissions.isOwnedByUser,
      !file.permissions.isReadableByOthers, let value = try? JSONReader.read(file.bytes)
    else { return nil }
    return Token(stored: value, for: address)
  }

  /// Stores a token. Throws `misconfigured` if the file cannot be written.
  func write(_ token: Token, for address: String) throws(BackendError) {
    do throws(FileFailure) {
      try OwnedFolder.prepare(of: path)
      try OwnedFile.write(Array(JSONWriter.compact(token.stored(for: address)).utf8), to: path)
    } catch {
      throw BackendError(
        .misconfigured, "cannot keep the token in \(path): \(error.reason.lowercased())", effect: .notSent)
    }
  }

  func remove() { unlink(path) }
}
