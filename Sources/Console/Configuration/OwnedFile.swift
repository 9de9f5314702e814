import Glibc

/// A file read whole, with who may do what with it as it was then.
struct OwnedFile: Sendable {
  var bytes: [UInt8]
  var permissions: Permissions

  /// Reads a file; nil where there is none, a failure with the reason where it cannot be read.
  static func read(_ path: String, limit: Int = 4 << 20) -> Result<OwnedFile, FileFailure>? {
    // Without O_NONBLOCK a pipe by that name would hold up the console for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : .failure(.system)
    }
    defer { close(descriptor) }
    guard let permissions = Permissions(descriptor: descriptor) else { return .failure(.system) }
    guard permissions.isRegularFile else { return .failure(permissions.isFolder ? .isFolder : .isNoFile) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return .success(OwnedFile(bytes: bytes, permissions: permissions)) }
      if count < 0 {
        if errno == EINTR { continue }
        return .failure(.system)
      }
      bytes += piece[..<count]
      guard bytes.count <= limit else { return .failure(FileFailure("it is larger than \(limit >> 10) KiB")) }
    }
  }

  /// Writes a file that its owner alone may read, whole or not at all; its folder is made where it is missing.
  static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    if Restriction.current.isOn { throw FileFailure("the run is restricted") }
    try makeFolder(of: path)
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let isWhole = rest.isEmpty && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWhole, rename(draft, path) == 0 else {
      let failure = FileFailure.system
      unlink(draft)
      throw failure
    }
  }

  private static func makeFolder(of path: String) throws(FileFailure) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST || access(folder, F_OK) == 0 else { throw .system }
    }
  }
}

/// Why a file cannot be read or written, as one clause.
struct FileFailure: Error, Sendable, Hashable {
  var reason: String

  init(_ reason: String) { self.reason = reason }

  static let isFolder = FileFailure("it is a folder")
  static let isNoFile = FileFailure("it is no file")

  /// What the system said last.
  static var system: FileFailure { FileFailure(String(cString: strerror(errno))) }
}
