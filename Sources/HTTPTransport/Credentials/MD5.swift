import BackendKit
import Glibc

/// The MD5 digest (RFC 1321), used only for HTTP Digest; no linked library provides one.
enum MD5 {
  /// The digest of bytes as 32 hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    var padded = bytes + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(bytes.count) * 8
    for shift in stride(from: UInt64(0), to: 64, by: 8) { padded.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
    return state.map { String(hex: $0.byteSwapped, digits: 8) }.joined()
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, word) =
        switch step / 16 {
        case 0: ((b & c) | (~b & d), step)
        case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ mixed &+ constants[step] &+ words[word]
      let turn = turns[step / 16][step % 4]
      (a, b, c, d) = (d, b &+ (sum << turn | sum >> (32 - turn)), b, c)
    }
    for (place, word) in [a, b, c, d].enumerated() { state[place] &+= word }
  }

  private static let turns: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
  private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
