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
      throw .misconfigured("cannot keep the token in \(path): \(error.reason.lowercased())")
    }
  }

  func remove() { unlink(path) }

  /// Waits until no other console renews the login, and keeps others from doing so. Nil if the folder cannot be used:
  /// then no token is stored there either.
  func lock() async throws(BackendError) -> TokenLock? {
    guard (try? OwnedFolder.prepare(of: path)) != nil, let descriptor = try? AddedFile.open(path + ".lock", .regular)
    else { return nil }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        close(descriptor)
        return nil
      }
      do { try await Task.sleep(for: .milliseconds(20)) } catch {
        close(descriptor)
        throw BackendError(.cancelled, "cancelled", effect: .notSent)
      }
    }
    return TokenLock(descriptor: descriptor)
  }
}

/// The right to renew the login of a token file, among all consoles of a user. It ends with the process at the latest.
struct TokenLock: Sendable {
  fileprivate let descriptor: Int32

  func release() { close(descriptor) }
}
