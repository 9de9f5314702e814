import BackendKit
package import ConsoleSystem
import Glibc

package enum JournalTime {
  /// Milliseconds since 1970 of a time of today, a day, or both in local time, or of a moment with its zone.
  package static func milliseconds(_ word: Word) throws(UsageError) -> Int64 {
    let text = word.text
    if let seconds = Value.string(text).secondsSince1970, text.utf8.count >= 20 { return Int64(seconds) * 1000 }
    var parts = text.split(separator: " ", maxSplits: 1)
    if parts.count == 1 { parts = text.split(separator: "T", maxSplits: 1) }
    guard let first = parts.first, parts.count <= 2 else { throw wrong(word) }
    var now = time(nil)
    var moment = tm()
    localtime_r(&now, &moment)
    (moment.tm_hour, moment.tm_min, moment.tm_sec) = (0, 0, 0)
    let isDay = CivilDate.isDay(String(first))
    if isDay {
      let numbers = first.split(separator: "-").compactMap { Int32($0) }
      guard numbers.count == 3 else { throw wrong(word) }
      (moment.tm_year, moment.tm_mon, moment.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    }
    if let clock = isDay ? parts.dropFirst().first : first {
      let numbers = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) ?? -1 }
      guard (2...3).contains(numbers.count), (0...23).contains(numbers[0]), (0...59).contains(numbers[1]),
        numbers.count == 2 || (0...60).contains(numbers[2])
      else { throw wrong(word) }
      (moment.tm_hour, moment.tm_min) = (numbers[0], numbers[1])
      if numbers.count == 3 { moment.tm_sec = numbers[2] }
    } else if !isDay || parts.count == 2 {
      throw wrong(word)
    }
    // The zone's rules determine daylight saving.
    moment.tm_isdst = -1
    return Int64(mktime(&moment)) * 1000
  }

  private static func wrong(_ word: Word) -> UsageError {
    UsageError(
      "\"\(word.text)\" is not a time", hint: "write 10:30, 2026-11-22, \"2026-11-22 10:30\" or 2026-11-22T10:30:00Z",
      column: word.column)
  }
}
