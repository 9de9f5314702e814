extension Value {
  /// The seconds since 1970 of a moment: a date and time of ISO 8601 with its zone, or such a number, whole or with a
  /// fraction, which may count milliseconds; nil for anything else.
  public var secondsSince1970: Int? {
    switch self {
    case .string(let text): return Self.seconds(ofDate: text) ?? Int(text).flatMap(Self.seconds)
    case .number(let number): return Self.seconds(number.double)
    default: return nil
    }
  }

  /// Returns whether two texts are the same moment, spelled in two ways: `Z` and `+00:00`, `.5` and `.500`.
  public func isSameMoment(as other: Value) -> Bool {
    guard case .string(let mine) = self, case .string(let theirs) = other, let seconds = Self.seconds(ofDate: mine),
      seconds == Self.seconds(ofDate: theirs)
    else { return false }
    return Self.fraction(of: mine) == Self.fraction(of: theirs)
  }

  /// The digits of the fraction of a second, without zeros at their end.
  private static func fraction(of date: String) -> [UInt8] {
    let rest = Array(date.utf8.dropFirst(19))
    guard rest.first == UInt8(ascii: ".") else { return [] }
    var digits = Array(rest.dropFirst().prefix { (0x30...0x39).contains($0) })
    while digits.last == 0x30 { digits.removeLast() }
    return digits
  }

  private static func seconds(_ number: Int) -> Int? { seconds(Double(number)) }

  private static func seconds(_ number: Double) -> Int? {
    // Beyond the year 5138 it counts milliseconds.
    guard number.isFinite, number >= 0, number < 1e14 else { return nil }
    return Int(number < 1e11 ? number : number / 1000)
  }

  /// `2026-11-22T08:30:00Z`, with a fraction or not, `+01:00` or `+0100` in the place of the Z.
  private static func seconds(ofDate text: String) -> Int? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      CivilDate.isDay(String(text.prefix(10))), hour < 24, minute < 60, second <= 60
    else { return nil }
    var zone = bytes[19...]
    if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop { (0x30...0x39).contains($0) } }
    var offset = 0
    switch zone.first {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): guard zone.count == 1 else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
      guard digits.count == 4, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      let all = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      offset = (all / 100 * 3600 + all % 100 * 60) * (zone.first == UInt8(ascii: "-") ? -1 : 1)
    default: return nil
    }
    return CivilDate.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
  }
}
