package import BackendKit
package import ConsoleSystem

/// A day or moment as typed: `today`, `tomorrow 14:00`, `3.10.2017`, `3.10.2017 14:00`. Without a zone it is in UTC, as
/// in expressions.
enum TypedDate {
  /// The date in ISO 8601, a day if no time was typed; nil for another form. Throws if it is not in the calendar, or
  /// the month is ambiguous.
  static func iso(_ text: String, now: Moment = .now()) throws(UsageError) -> String? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    guard let first = parts.first, parts.count <= 2 else { return nil }
    if first == "now", parts.count == 1 {
      try Preview.refuseClock()
      return now.text
    }
    guard let day = try day(first, now) else { return nil }
    guard let last = parts.dropFirst().first else { return day }
    guard let time = time(last) else { throw UsageError("\"\(last)\" is not a time", hint: "write \(first) 14:00") }
    return "\(day)T\(time)Z"
  }

  private static func day(_ text: String, _ now: Moment) throws(UsageError) -> String? {
    let words = ["yesterday": -1, "today": 0, "tomorrow": 1]
    if let distance = words[text] {
      try Preview.refuseClock()
      let length = 86_400_000
      return Moment(milliseconds: now.milliseconds + distance * length)?.day().text
    }
    guard let mark = text.first(where: { !$0.isNumber }), mark == "." || mark == "/" else { return nil }
    let numbers = text.split(separator: mark, omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == 3, let first = numbers[0], let second = numbers[1], let year = numbers[2],
      text.split(separator: mark).last?.count == 4, first < 100, second < 100
    else { return nil }
    var (day, month) = (first, second)
    if mark == "/" {
      guard first > 12 || second > 12 || first == second else {
        throw UsageError(
          "\"\(text)\" has two meanings",
          hint: "write \(CivilDate.text(year, first, second)) or \(CivilDate.text(year, second, first))")
      }
      if second > 12 { (day, month) = (second, first) }
    }
    guard CivilDate.isDay(year, month, day), year > 0 else {
      throw UsageError("\"\(text)\" is not a valid date", hint: "write it as 2017-10-03")
    }
    return CivilDate.text(year, month, day)
  }

  private static func time(_ text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.utf8.count == 2 || $0.utf8.count == 1 ? UInt8($0) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return (numbers + [0]).prefix(3).map { String($0, digits: 2) }.joined(separator: ":")
  }
}

extension FieldDescription {
  /// The mistake of a moment for a field of days, which would lose its time; nil for any other value. Midnight is a
  /// day.
  package func mistake(ofTimeIn text: String) -> UsageError? {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard kind == .day, parts.count == 2, CivilDate.isDay(String(parts[0])), parts[1].first?.isNumber == true,
      parts[1].prefix(while: { $0.isNumber || $0 == ":" || $0 == "." }).contains(where: { ("1"..."9").contains($0) })
    else { return nil }
    return UsageError("\(name) is a day, and \"\(text)\" has a time", hint: "day(…) computes the day of a moment")
  }

  /// A day or time in the type of the field: the day of a time, the beginning of a day in UTC, an HTTP date in ISO
  /// 8601. Anything else is unchanged.
  package func normalized(_ text: String) -> String {
    if kind == .date, let seconds = HTTPDate.seconds(text), let moment = Moment(milliseconds: seconds * 1000) {
      return moment.text
    }
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard CivilDate.isDay(String(parts[0])) else { return text }
    switch kind {
    case .day where parts.count == 2 && parts[1].first?.isNumber == true: return String(parts[0])
    case .date where parts.count == 1: return text + "T00:00:00Z"
    default: return text
    }
  }
}

extension Preview {
  /// Ends a preview where a script uses the time, which differs when its plan is applied.
  static func refuseClock() throws(UsageError) { try refuse("the time is not known until the script runs") }

  /// Ends a preview for a reason; does nothing outside of one.
  static func refuse(_ reason: String) throws(UsageError) {
    guard let error = current?.stop(reason) else { return }
    throw UsageError(error.message, hint: error.hint)
  }
}
