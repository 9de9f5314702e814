import BackendKit
import Glibc

/// A time zone: a fixed offset, or one of the system's database (`Europe/Berlin`).
struct TimeZoneRule: Sendable, Hashable {
  /// A change to an offset in seconds east of UTC, from this second since 1970 on.
  private struct Change: Sendable, Hashable {
    let start: Int
    let offset: Int
  }

  static let utc = TimeZoneRule(offset: 0)

  /// The offset before the first change.
  private let first: Int
  private let changes: [Change]
  /// The rule after the last change; nil if that change is permanent.
  private let yearly: YearlyRule?

  private init(offset: Int, changes: [Change] = [], yearly: YearlyRule? = nil) {
    first = offset
    self.changes = changes
    self.yearly = yearly
  }

  /// A zone by its name: `UTC`, `Z`, an offset such as `+01:00`, or a name of the database. Nil if there is none.
  init?(named name: String) {
    if name == "Z" || name == "UTC" {
      self = .utc
    } else if let offset = Self.offset(name) {
      self.init(offset: offset)
    } else if let zone = Self.cut(name).flatMap({ Self.read($0) }) {
      self = zone
    } else {
      return nil
    }
  }

  /// The seconds of `+01:00`, `-0530` or `+01`; nil for any other text.
  static func offset(_ text: String) -> Int? {
    var bytes = Array(text.utf8)
    guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    bytes.removeFirst()
    if bytes.count == 5, bytes[2] == UInt8(ascii: ":") { bytes.remove(at: 2) }
    if bytes.count == 2 { bytes += [0x30, 0x30] }
    guard bytes.count == 4, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let digits = bytes.map { Int($0 - 0x30) }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours <= 18, minutes < 60 else { return nil }
    return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Seconds east of UTC at a moment, in seconds since 1970.
  func offset(at seconds: Int) -> Int {
    if let last = changes.last, seconds >= last.start, let yearly { return yearly.offset(at: seconds) }
    if changes.isEmpty, let yearly { return yearly.offset(at: seconds) }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].start <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// The moment of a local time, both in seconds. A skipped local time counts as after the gap by the same amount; of a
  /// repeated one, the first counts.
  func seconds(ofLocal local: Int) -> Int {
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    if offset(at: local - before) == before { return local - before }
    return offset(at: local - after) == after ? local - after : local - before
  }
}

// The database: files of RFC 9636.
extension TimeZoneRule {
  /// A name that cannot leave the folder of the database.
  private static func cut(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "_-+/".utf8.contains(byte)
    }
    return isPlain && !name.isEmpty && name.utf8.count < 64 && name.utf8.first != UInt8(ascii: "/") ? name : nil
  }

  private static func read(_ name: String) -> TimeZoneRule? {
    guard let file = fopen("/usr/share/zoneinfo/\(name)", "rbe") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return parsed(Array(bytes.prefix(count)))
  }

  /// Parses the second part of a file, with 64-bit times, and the rule at its end.
  static func parsed(_ bytes: [UInt8]) -> TimeZoneRule? {
    func number(_ at: Int, _ length: Int) -> Int? {
      guard at >= 0, at + length <= bytes.count else { return nil }
      let bits = bytes[at..<(at + length)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return length == 8 ? Int(Int64(bitPattern: bits)) : length == 4 ? Int(Int32(truncatingIfNeeded: bits)) : Int(bits)
    }
    func counts(_ at: Int) -> [Int]? {
      guard at + 44 <= bytes.count, bytes[at..<(at + 4)].elementsEqual("TZif".utf8) else { return nil }
      let counts = (0..<6).compactMap { number(at + 20 + $0 * 4, 4) }
      return counts.allSatisfy { (0..<10_000).contains($0) } ? counts : nil
    }
    // isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt
    guard let old = counts(0), bytes[4] >= UInt8(ascii: "2") else { return nil }
    let begin = 44 + old[3] * 5 + old[4] * 6 + old[5] + old[2] * 8 + old[1] + old[0]
    guard let new = counts(begin), new[4] > 0 else { return nil }
    let times = begin + 44
    let kinds = times + new[3] * 8
    let types = kinds + new[3]
    var changes: [Change] = []
    for place in 0..<new[3] {
      guard let start = number(times + place * 8, 8), let kind = number(kinds + place, 1), kind < new[4],
        let offset = number(types + kind * 6, 4)
      else { return nil }
      changes.append(Change(start: start, offset: offset))
    }
    guard let first = number(types, 4) else { return nil }
    let footer = types + new[4] * 6 + new[5] + new[2] * 12 + new[1] + new[0]
    guard footer < bytes.count else { return nil }
    let rule = bytes[(footer + 1)...].prefix { $0 != 0x0A }
    return TimeZoneRule(
      offset: first, changes: changes, yearly: YearlyRule(String(decoding: rule, as: UTF8.self)))
  }
}

/// The rule of a zone for all years in POSIX form: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Sendable, Hashable {
  /// A day of a year and a time of that day: week 5 is the last one, Sunday is 0.
  private struct Start: Sendable, Hashable {
    let month: Int
    let week: Int
    let weekday: Int
    let seconds: Int
  }

  private let standard: Int
  private let summer: Int
  private let begin: Start?
  private let end: Start?

  /// Nil for rules not of months, weeks and days.
  init?(_ text: String) {
    let parts = text.split(separator: ",").map { String($0) }
    guard let names = parts.first else { return nil }
    var rest = Array(names.utf8)[...]
    guard Self.takeName(&rest), let west = Self.takeTime(&rest) else { return nil }
    standard = -west
    if rest.isEmpty {
      guard parts.count == 1 else { return nil }
      summer = -west
      begin = nil
      end = nil
      return
    }
    guard Self.takeName(&rest), parts.count == 3, let first = Self.start(parts[1]), let last = Self.start(parts[2])
    else { return nil }
    if rest.isEmpty {
      summer = standard + 3_600
    } else {
      guard let west = Self.takeTime(&rest), rest.isEmpty else { return nil }
      summer = -west
    }
    begin = first
    end = last
  }

  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let count = rest.count
    if rest.first == UInt8(ascii: "<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
    } else {
      rest = rest.drop { (0x61...0x7A).contains($0 | 0x20) }
    }
    return rest.count < count
  }

  /// Reads `[+-]HH[:MM[:SS]]`, in seconds.
  private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    if let byte = rest.first, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { rest.removeFirst() }
    var seconds = 0
    for unit in [3_600, 60, 1] {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count <= 3 else { return nil }
      seconds += digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * unit
      rest = rest[digits.endIndex...]
      guard rest.first == UInt8(ascii: ":") else { break }
      rest.removeFirst()
    }
    return seconds * sign
  }

  private static func start(_ text: String) -> Start? {
    let parts = text.split(separator: "/").map { String($0) }
    guard let date = parts.first, date.hasPrefix("M") else { return nil }
    let numbers = date.dropFirst().split(separator: ".").compactMap { Int($0) }
    guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]), (0...6).contains(numbers[2])
    else { return nil }
    var seconds = 7_200
    if parts.count == 2 {
      var rest = Array(parts[1].utf8)[...]
      guard let found = takeTime(&rest), rest.isEmpty else { return nil }
      seconds = found
    }
    return Start(month: numbers[0], week: numbers[1], weekday: numbers[2], seconds: seconds)
  }

  /// Seconds east of UTC at a moment.
  func offset(at seconds: Int) -> Int {
    guard let begin, let end else { return standard }
    let local = seconds + standard
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let year = Moment.year(ofDay: days)
    let (from, to) = (Self.local(begin, year) - standard, Self.local(end, year) - summer)
    let isSummer = from < to ? (from..<to).contains(seconds) : !(to..<from).contains(seconds)
    return isSummer ? summer : standard
  }

  private static func local(_ start: Start, _ year: Int) -> Int {
    let first = Moment.day(year, start.month, 1)
    // 1970 began on a Thursday.
    let weekday = (((first + 4) % 7) + 7) % 7
    var day = first + (start.weekday - weekday + 7) % 7 + (start.week - 1) * 7
    if day >= first + CivilDate.length(ofMonth: start.month, in: year) { day -= 7 }
    return day * 86_400 + start.seconds
  }
}
