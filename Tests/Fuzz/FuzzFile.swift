import Glibc

/// A file in memory with an input, for what reads files by their path.
struct FuzzFile: Sendable {
  let folder: String
  let path: String

  init(_ name: String) {
    folder = "/dev/shm/switchboard-fuzz-\(getpid())"
    path = folder + "/" + name
    mkdir(folder, 0o700)
  }

  /// Puts the bytes in place of what the file holds.
  func write(_ bytes: [UInt8]) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    require(count == bytes.count, "an input can be written to \(path)")
  }
}
