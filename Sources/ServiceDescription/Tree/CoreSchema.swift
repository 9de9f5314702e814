import BackendKit

/// Values of plain scalars by the core schema of YAML 1.2.
enum CoreSchema {
  /// Returns the value of an unquoted text. Throws for a number that cannot be represented.
  static func value(of text: String, at place: Place) throws(Mistake) -> Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    let bytes = Array(text.utf8)
    if let value = try based(bytes, text, at: place) { return value }
    if [".inf", "-.inf", "+.inf", ".nan"].contains(text.lowercased()) {
      throw Mistake(place, "\(text) is not a number that can be sent", hint: "put it in quotes if it is text")
    }
    return number(bytes).map { .number($0) } ?? .string(text)
  }

  /// An integer in another base: `0o17`, `0xFF`.
  private static func based(_ bytes: [UInt8], _ text: String, at place: Place) throws(Mistake) -> Value? {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "0") else { return nil }
    let digits = text.dropFirst(2)
    let radix: Int
    switch bytes[1] {
    case UInt8(ascii: "o") where digits.utf8.allSatisfy({ (0x30...0x37).contains($0) }): radix = 8
    case UInt8(ascii: "x") where digits.allSatisfy({ $0.isASCII && $0.isHexDigit }): radix = 16
    default: return nil
    }
    guard let number = Int(digits, radix: radix) else {
      throw Mistake(place, "\(text) has more than 64 bits", hint: "write it with decimal digits")
    }
    return .int(number)
  }

  /// A decimal number with all of its digits, without the signs and zeros that JSON does not permit; nil if it is not
  /// one.
  private static func number(_ bytes: [UInt8]) -> Number? {
    var rest = bytes[...]
    func next(_ letters: String) -> UInt8? {
      rest.first.flatMap { letters.utf8.contains($0) ? rest.removeFirst() : nil }
    }
    func digits() -> String {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return String(decoding: digits, as: UTF8.self)
    }
    var text = next("+-") == UInt8(ascii: "-") ? "-" : ""
    let whole = digits()
    let fraction = next(".") == nil ? "" : digits()
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    let significant = whole.drop { $0 == "0" }
    text += significant.isEmpty ? "0" : significant
    if !fraction.isEmpty { text += "." + fraction }
    if next("eE") != nil {
      text += "e"
      if let sign = next("+-") { text += sign == UInt8(ascii: "-") ? "-" : "+" }
      let exponent = digits()
      guard !exponent.isEmpty else { return nil }
      text += exponent
    }
    return rest.isEmpty ? Number(text) : nil
  }
}
