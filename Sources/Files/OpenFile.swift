internal import Glibc

/// Reads and writes open files, however often a signal interrupts it.
package enum OpenFile {
  /// The bytes from the current position to the end; nil if there are more than `limit`.
  package static func rest(of descriptor: Int32, limit: Int = .max) throws(FileFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= limit else { return nil }
    }
  }

  /// Some of the bytes of a regular file; fewer if it is shorter.
  package static func bytes(_ range: Range<Int>, of descriptor: Int32) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start, range.lowerBound + start)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system }
      if count == 0 { return Array(bytes[..<start]) }
      start += count
    }
    return bytes
  }

  /// Writes all of the bytes, and waits for a reader who is slow.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFailure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
      }
      if count > 0 {
        start += count
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        throw .system
      }
    }
  }
}
