import BackendKit

/// A moment of the years 1 to 9999, or a day, which is its first moment in UTC.
package struct Moment: Sendable, Hashable {
  /// Milliseconds since 1970 in UTC.
  let milliseconds: Int
  /// True if the moment is written as a day.
  let isDay: Bool

  private static let range = CivilDate.days(1, 1, 1) * dayLength..<CivilDate.days(10_000, 1, 1) * dayLength
  private static let dayLength = 86_400_000

  /// A moment; nil outside of the years 1 to 9999.
  init?(milliseconds: Int, isDay: Bool = false) {
    guard Self.range.contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
    self.isDay = isDay
  }

  private init(checked milliseconds: Int, isDay: Bool) {
    self.milliseconds = milliseconds
    self.isDay = isDay
  }

  package static func now() -> Moment {
    Moment(checked: min(max(SystemClock.milliseconds, range.lowerBound), range.upperBound - 1), isDay: false)
  }

  func day(in zone: TimeZoneRule = .utc) -> Moment {
    let local = milliseconds + zone.offset(at: milliseconds / 1_000) * 1_000
    let start = local - ((local % Self.dayLength) + Self.dayLength) % Self.dayLength
    return Moment(checked: min(max(start, Self.range.lowerBound), Self.range.upperBound - 1), isDay: true)
  }

  /// The moment after a span. Months are added first, and a day that the month does not have becomes its last one. A
  /// day plus whole days is a day. Nil outside of the years 1 to 9999.
  func adding(_ span: TimeSpan) -> Moment? {
    var start = milliseconds
    if span.months != 0 {
      let ofDay = ((start % Self.dayLength) + Self.dayLength) % Self.dayLength
      let date = CivilDate.date((start - ofDay) / Self.dayLength)
      let months = date.year * 12 + date.month - 1 + span.months
      let (year, month) = (months / 12, months % 12 + 1)
      guard months >= 12, year < 10_000 else { return nil }
      start = CivilDate.days(year, month, min(date.day, CivilDate.length(ofMonth: month, in: year)))
      start = start * Self.dayLength + ofDay
    }
    let sum = start + span.milliseconds
    return Moment(milliseconds: sum, isDay: isDay && span.milliseconds % Self.dayLength == 0)
  }

  /// The text by RFC 3339 in UTC: `2026-11-24T09:30:00Z`, with milliseconds if there are any; a day as `2026-11-24`.
  var text: String {
    let ofDay = ((milliseconds % Self.dayLength) + Self.dayLength) % Self.dayLength
    let day = CivilDate.text((milliseconds - ofDay) / Self.dayLength)
    if isDay { return day }
    let fraction = ofDay % 1_000 == 0 ? "" : "." + String(ofDay % 1_000, digits: 3)
    return "\(day)T\(CivilDate.clock(ofDay / 1_000))\(fraction)Z"
  }
}

extension Moment {
  /// A day, or a date and time of ISO 8601: `2026-11-24`, `2026-11-24T09:30`, `2026-11-24 09:30:00.5+01:00`. Without a
  /// zone, the given one applies; a day without a time begins there. Nil for any other text.
  init?(_ text: String, in zone: TimeZoneRule = .utc) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), let year = number(0..<4),
      let month = number(5..<7), let day = number(8..<10), year >= 1, CivilDate.isDay(year, month, day)
    else { return nil }
    let date = CivilDate.days(year, month, day) * 86_400
    if bytes.count == 10 {
      guard zone == .utc else {
        self.init(milliseconds: zone.seconds(ofLocal: date) * 1_000)
        return
      }
      self.init(milliseconds: date * 1_000, isDay: true)
      return
    }
    guard bytes.count >= 16, "Tt ".utf8.contains(bytes[10]), bytes[13] == UInt8(ascii: ":"), let hour = number(11..<13),
      let minute = number(14..<16), hour < 24, minute < 60
    else { return nil }
    var rest = bytes[16...]
    var second = 0
    if rest.first == UInt8(ascii: ":") {
      guard let found = number(17..<19), found <= 60 else { return nil }
      second = found
      rest = bytes[19...]
    }
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for place in 0..<3 {
        let digit = place < digits.count ? Int(digits[digits.startIndex + place] - 0x30) : 0
        fraction = fraction * 10 + digit
      }
      rest = rest[digits.endIndex...]
    }
    let local = date + hour * 3_600 + minute * 60 + second
    let written = String(decoding: rest, as: UTF8.self)
    let seconds: Int
    if rest.isEmpty {
      seconds = zone.seconds(ofLocal: local)
    } else if written == "Z" || written == "z" {
      seconds = local
    } else if let offset = TimeZoneRule.offset(written) {
      seconds = local - offset
    } else {
      return nil
    }
    self.init(milliseconds: seconds * 1_000 + fraction)
  }
}

// Days of the calendar, for rules of zones.
extension Moment {
  static func day(_ year: Int, _ month: Int, _ day: Int) -> Int { CivilDate.days(year, month, day) }
  static func year(ofDay day: Int) -> Int { CivilDate.date(day).year }
}
