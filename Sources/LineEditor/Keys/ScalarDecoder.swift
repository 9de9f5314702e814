/// Decodes bytes from a terminal; invalid UTF-8 becomes U+FFFD.
struct ScalarDecoder {
  private var pending: [UInt8] = []
  private var expected = 0

  /// Takes one byte and passes every scalar that is now certain to `emit`.
  mutating func feed(_ byte: UInt8, emit: (Unicode.Scalar) -> Void) {
    if !pending.isEmpty {
      if continues(byte) {
        pending.append(byte)
        if pending.count == expected { finish(emit) }
        return
      }
      finish(emit)
    }
    switch byte {
    case 0..<0x80: emit(Unicode.Scalar(byte))
    case 0xC2..<0xE0: start(byte, length: 2)
    case 0xE0..<0xF0: start(byte, length: 3)
    case 0xF0..<0xF5: start(byte, length: 4)
    default: emit("\u{FFFD}")
    }
  }

  private mutating func start(_ byte: UInt8, length: Int) {
    pending = [byte]
    expected = length
  }

  /// Returns whether the byte may follow; the second one excludes overlong forms, surrogates and values above U+10FFFF.
  private func continues(_ byte: UInt8) -> Bool {
    guard pending.count == 1 else { return 0x80..<0xC0 ~= byte }
    return switch pending[0] {
    case 0xE0: 0xA0..<0xC0 ~= byte
    case 0xED: 0x80..<0xA0 ~= byte
    case 0xF0: 0x90..<0xC0 ~= byte
    case 0xF4: 0x80..<0x90 ~= byte
    default: 0x80..<0xC0 ~= byte
    }
  }

  private mutating func finish(_ emit: (Unicode.Scalar) -> Void) {
    // The standard library replaces an incomplete sequence by exactly one U+FFFD.
    String(decoding: pending, as: UTF8.self).unicodeScalars.forEach(emit)
    pending.removeAll(keepingCapacity: true)
  }
}
