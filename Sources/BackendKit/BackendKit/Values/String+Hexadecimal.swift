extension String {
  /// A number that is not negative in hexadecimal digits, with zeros in front where they are fewer than `digits`.
  public init(hex number: some BinaryInteger, digits: Int, uppercase: Bool = false) {
    let text = String(number, radix: 16, uppercase: uppercase)
    self.init(repeating: "0", count: Swift.max(0, digits - text.utf8.count))
    self += text
  }
}
