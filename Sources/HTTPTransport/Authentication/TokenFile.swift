import BackendKit
import Glibc

/// The file that keeps a token between runs: readable for its owner alone, replaced as a whole.
struct TokenFile: Sendable {
  let path: String

  /// The token kept for an address, or nil where there is none, or the file belongs to or is open to somebody else.
  func read(for address: String) -> Token? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      status.st_mode & S_IFMT == S_IFREG, (1...65_536).contains(status.st_size)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: status.st_size)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    guard count == bytes.count, let value = try? JSONReader.read(bytes) else { return nil }
    return Token(stored: value, for: address)
  }

  /// Keeps a token. Throws `misconfigured` where the file cannot be written.
  func write(_ token: Token, for address: String) throws(BackendError) {
    try makeFolder()
    let draft = "\(path).\(getpid()).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw fault() }
    let bytes = Array(JSONWriter.compact(token.stored(for: address)).utf8)
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    let isKept = count == bytes.count && fsync(file) == 0
    guard close(file) == 0, isKept, rename(draft, path) == 0 else {
      let error = fault()
      unlink(draft)
      throw error
    }
  }

  /// Forgets the token.
  func remove() { unlink(path) }

  private func makeFolder() throws(BackendError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
    var folder = path.hasPrefix("/") ? "" : "."
    for part in parts {
      folder += "/\(part)"
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw fault() }
    }
  }

  private func fault() -> BackendError {
    BackendError(
      .misconfigured, "cannot keep the token in \(path): \(String(cString: strerror(errno)).lowercased())",
      effect: .notSent)
  }
}
