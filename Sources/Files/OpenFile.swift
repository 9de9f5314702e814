internal import Glibc

/// Reads files that are open.
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
}
