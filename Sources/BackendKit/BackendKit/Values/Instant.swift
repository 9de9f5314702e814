/// A moment as a text of ISO 8601 has it: a date and a time with its zone, `2026-11-22T08:30:00Z`, with a fraction of a
/// second or not, `+01:00` or `+0100` in the place of the Z.
public struct Instant: Sendable, Hashable {
  /// The text that it was read from.
  public let text: String
  /// The seconds since 1970, rounded down.
  let seconds: Int
  /// The rest beyond them, in units of 10⁻¹⁸ seconds.
  let fraction: UInt64

  /// The moment that a text is; nil if it is none, or has no zone, or more than 18 digits behind the second.
  public init?(_ text: String) {
    guard (20...45).contains(text.utf8.count) else { return nil }
    let read = text.utf8.withContiguousStorageIfAvailable { Self.read($0) }
    guard let (seconds, fraction) = read ?? Array(text.utf8).withUnsafeBufferPointer({ Self.read($0) }) else {
      return nil
    }
    (self.text, self.seconds, self.fraction) = (text, seconds, fraction)
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> (seconds: Int, fraction: UInt64)? {
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[start..<start + count] {
        guard byte.isDigit else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    let (dash, colon) = (UInt8(ascii: "-"), UInt8(ascii: ":"))
    guard bytes[4] == dash, bytes[7] == dash, bytes[13] == colon, bytes[16] == colon,
      bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "), let year = number(0, 4),
      let month = number(5, 2), let day = number(8, 2), CivilDate.isDay(year, month, day), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    var (place, fraction, unit) = (19, UInt64(0), UInt64(1_000_000_000_000_000_000))
    if bytes[19] == UInt8(ascii: ".") {
      place = 20
      while let digit = number(place, 1) {
        guard unit > 1 else { return nil }
        unit /= 10
        fraction += UInt64(digit) * unit
        place += 1
      }
      guard place > 20, place < bytes.count else { return nil }
    }
    var offset = 0
    switch bytes[place] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): guard bytes.count == place + 1 else { return nil }
    case UInt8(ascii: "+"), dash:
      let isApart = bytes.count == place + 6 && bytes[place + 3] == colon
      guard isApart || bytes.count == place + 5, let hours = number(place + 1, 2),
        let minutes = number(place + (isApart ? 4 : 3), 2)
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (bytes[place] == dash ? -1 : 1)
    default: return nil
    }
    let days = CivilDate.days(year, month, day)
    return (days * 86_400 + hour * 3600 + minute * 60 + second - offset, fraction)
  }

  /// Two texts of one moment are equal.
  public static func == (left: Instant, right: Instant) -> Bool {
    left.seconds == right.seconds && left.fraction == right.fraction
  }

  /// Hashes the moment.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(fraction)
  }

  /// Returns the order of the moment that a text is relative to this one; nil if it is none.
  public func order(of other: String) -> Order? {
    let (mine, theirs) = (text.utf8, other.utf8)
    // Most services write all dates alike. In UTC and with as many digits the order is that of the texts.
    if mine.count == theirs.count, mine.last == UInt8(ascii: "Z"), theirs.last == UInt8(ascii: "Z"),
      mine.dropFirst(10).first == theirs.dropFirst(10).first
    {
      if theirs.elementsEqual(mine) { return .same }
      return theirs.lexicographicallyPrecedes(mine) ? .before : .after
    }
    guard let other = Instant(other) else { return nil }
    if other == self { return .same }
    return (other.seconds, other.fraction) < (seconds, fraction) ? .before : .after
  }

  /// A text that has the order of the moment among all such texts and comes before nearly all others. The seconds are
  /// in its first eight bytes, six bits in each behind the first, so that it takes no memory of its own.
  public var orderedText: String {
    var bytes: [UInt8] = [0]
    // The first second of the year 0 is more than this, by any zone.
    let positive = seconds + 63_000_000_000
    for shift in stride(from: 36, through: 0, by: -6) { bytes.append(0x30 + UInt8(positive >> shift & 0x3F)) }
    var (rest, unit) = (fraction, UInt64(100_000_000_000_000_000))
    while rest > 0 {
      bytes.append(0x30 + UInt8(rest / unit))
      (rest, unit) = (rest % unit, unit / 10)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
