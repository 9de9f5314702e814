import Glibc

/// A range of addresses, written like `10.0.0.0/8` or `fd00::/8`.
struct Network {
  private let address: [UInt8]
  /// The number of bits that all addresses of the network share.
  private let bits: Int

  /// Reads a network; nil if the text is not one.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = Self.bytes(of: String(parts[0])), let bits = Int(parts[1]),
      (0...address.count * 8).contains(bits)
    else { return nil }
    (self.address, self.bits) = (address, bits)
  }

  /// Returns whether a host is an address of the network. Names are not resolved.
  func contains(_ host: String) -> Bool {
    guard let other = Self.bytes(of: host), other.count == address.count else { return false }
    return (0..<bits).allSatisfy { (address[$0 / 8] ^ other[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
  }

  private static func bytes(of host: String) -> [UInt8]? {
    var (four, six) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four, Array.init) }
    if inet_pton(AF_INET6, host, &six) == 1 { return withUnsafeBytes(of: six, Array.init) }
    return nil
  }
}
