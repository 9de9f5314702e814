extension String {
  /// A non-negative number in hexadecimal, padded with zeros to `digits`.
  public init(hex number: some BinaryInteger, digits: Int, uppercase: Bool = false) {
    self.init(String(number, radix: 16, uppercase: uppercase), digits)
  }

  /// A non-negative number in decimal, padded with zeros to `digits`.
  public init(_ number: some BinaryInteger, digits: Int) { self.init(String(number), digits) }

  private init(_ text: String, _ digits: Int) {
    self.init(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    self += text
  }
}
