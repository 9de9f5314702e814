import BackendKit
import TestSupport

extension SeededGenerator {
  /// A value of any kind, nested at most `depth` levels.
  mutating func value(depth: Int = 4) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
    case 0: .null
    case 1: .bool(Bool.random(using: &self))
    case 2, 3: .number(number())
    case 4: .string(text())
    case 5: .array((0..<Int.random(in: 0...5, using: &self)).map { _ in value(depth: depth - 1) })
    default: .object(object(depth: depth - 1))
    }
  }

  mutating func object(depth: Int = 3) -> Object {
    // Sometimes more members than are searched one by one.
    let count = Int.random(in: 0...9, using: &self) == 0 ? 40 : Int.random(in: 0...6, using: &self)
    return Object((0..<count).map { _ in (text(), value(depth: depth)) })
  }

  mutating func number() -> Number {
    var text = Bool.random(using: &self) ? "-" : ""
    text += "\(UInt64.random(in: 0...(1 << UInt64.random(in: 0...63, using: &self)), using: &self))"
    if Bool.random(using: &self) { text += ".\(UInt32.random(in: 0...9999, using: &self))" }
    if Int.random(in: 0..<4, using: &self) == 0 {
      text += ["e", "E", "e+", "E-"].randomElement(using: &self) ?? ""
      text += "\(Int.random(in: 0...400, using: &self))"
    }
    return Number(text) ?? Number(0)
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &self) {
      let ranges: [ClosedRange<UInt32>] = [
        0...0x1F, 0x20...0x7E, 0x7F...0x9F, 0xA0...0x2FF, 0x300...0x36F, 0x2000...0xFFFF,
      ]
      let range = ranges.randomElement(using: &self) ?? 0x20...0x7E
      let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "\u{1F600}"
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
