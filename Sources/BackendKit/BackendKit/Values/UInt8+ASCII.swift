extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }

  var isLetterOrDigit: Bool { isDigit || (0x41...0x5A).contains(self & 0xDF) }
}
