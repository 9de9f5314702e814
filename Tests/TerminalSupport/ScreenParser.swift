/// Takes the bytes for a terminal apart.
struct ScreenParser: Sendable {
  enum Instruction: Equatable {
    case print(Unicode.Scalar)
    case control(UInt8)
    case escape(Unicode.Scalar)
    /// `ESC [`, the private mark if any, the numbers, the last character.
    case sequence(mark: Unicode.Scalar?, numbers: [Int], final: Unicode.Scalar)
  }

  private enum State { case ground, escape, charset, sequence, string, stringEscape }

  private var state = State.ground
  private var parameters = ""
  private var bytes: [UInt8] = []
  private var missing = 0

  mutating func feed(_ byte: UInt8, apply: (Instruction) -> Void) {
    switch state {
    case .ground: ground(byte, apply)
    case .escape: escape(byte, apply)
    case .charset: state = .ground
    case .sequence: sequence(byte, apply)
    case .string: if byte == 7 { state = .ground } else if byte == 0x1B { state = .stringEscape }
    case .stringEscape: state = byte == UInt8(ascii: "\\") ? .ground : .string
    }
  }

  private mutating func ground(_ byte: UInt8, _ apply: (Instruction) -> Void) {
    if missing > 0 && byte & 0xC0 == 0x80 {
      bytes.append(byte)
      missing -= 1
      if missing == 0 { flush(apply) }
      return
    }
    if missing > 0 {
      missing = 0
      flush(apply)
    }
    switch byte {
    case 0x1B: state = .escape
    case 0..<0x20, 0x7F: apply(.control(byte))
    case 0x20..<0x80: apply(.print(Unicode.Scalar(byte)))
    default:
      bytes = [byte]
      missing = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0
      if missing == 0 { flush(apply) }
    }
  }

  private mutating func flush(_ apply: (Instruction) -> Void) {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.forEach { apply(.print($0)) }
    bytes = []
  }

  private mutating func escape(_ byte: UInt8, _ apply: (Instruction) -> Void) {
    switch byte {
    case UInt8(ascii: "["):
      parameters = ""
      state = .sequence
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"): state = .string
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "#"): state = .charset
    default:
      state = .ground
      apply(.escape(Unicode.Scalar(byte)))
    }
  }

  private mutating func sequence(_ byte: UInt8, _ apply: (Instruction) -> Void) {
    guard 0x40..<0x7F ~= byte else {
      // Controls act at once, even within a sequence.
      if byte < 0x20 { apply(.control(byte)) } else { parameters.unicodeScalars.append(Unicode.Scalar(byte)) }
      return
    }
    state = .ground
    let mark = parameters.unicodeScalars.first.flatMap { "<=>?".unicodeScalars.contains($0) ? $0 : nil }
    let numbers = parameters.dropFirst(mark == nil ? 0 : 1).split(separator: ";", omittingEmptySubsequences: false)
    apply(.sequence(mark: mark, numbers: numbers.map { Int($0) ?? 0 }, final: Unicode.Scalar(byte)))
  }
}
