import CCurl

final class Unpacker {
  /// A compression, as `Content-Encoding` names it.
  struct Packing {
    let code: cc_packing

    /// Nil for an unsupported name: the body is then taken as it is.
    init?(_ name: String) {
      switch name.lowercased() {
      case "gzip", "x-gzip": code = CC_GZIP
      case "deflate": code = CC_DEFLATE
      case "br": code = CC_BROTLI
      case "zstd": code = CC_ZSTD
      default: return nil
      }
      if !cc_unpacks(code) { return nil }
    }
  }

  private let unpacker: OpaquePointer?
  private let limit: Int
  private var received = 0
  private var made = 0
  private var room = [UInt8](repeating: 0, count: 64 << 10)

  /// - Parameter limit: the maximum decompressed size, as a multiple of the bytes received.
  init(_ packing: Packing, limit: Int) {
    unpacker = cc_unpack(packing.code)
    self.limit = limit
  }

  deinit { if let unpacker { cc_unpack_end(unpacker) } }

  /// True if the data so far is a complete body.
  var isWhole: Bool { unpacker.map { cc_unpacked($0) } ?? false }

  /// Decompresses a piece; returns its fault, nil if there is none.
  func unpack(_ piece: UnsafeBufferPointer<UInt8>, _ take: (UnsafeBufferPointer<UInt8>) -> Void) -> FailureReason? {
    guard let unpacker else { return .garbled("the compressed response is damaged") }
    received += piece.count
    var next = piece.baseAddress
    var count = piece.count
    while true {
      let written = room.withUnsafeMutableBufferPointer {
        cc_unpack_some(unpacker, &next, &count, $0.baseAddress, $0.count)
      }
      if written < 0 { return .garbled("the compressed response is damaged") }
      made += written
      if made / limit > received { return .garbled("the decompressed response exceeds the limit") }
      if written > 0 { room.withUnsafeBufferPointer { take(UnsafeBufferPointer(rebasing: $0[..<written])) } }
      if written < room.count { return nil }
    }
  }
}
