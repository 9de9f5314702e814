extension UInt8 {
  /// True for a digit of ASCII.
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// True for a hexadecimal digit.
  var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }

  /// True for a letter or a digit of ASCII.
  var isLetterOrDigit: Bool { isDigit || (0x41...0x5A).contains(self & 0xDF) }
}
