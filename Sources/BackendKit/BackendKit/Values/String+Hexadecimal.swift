extension String {
  /// A non-negative number in hexadecimal, padded with zeros to `digits`.
  public init(hex number: some BinaryInteger, digits: Int, uppercase: Bool = false) {
    let text = String(number, radix: 16, uppercase: uppercase)
    self.init(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    self += text
  }
}
