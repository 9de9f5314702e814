import Foundation

enum BaasicDate {
  /// The present time in UTC with microseconds, as in the built-in models.
  static var now: String { text(of: Date(), decimals: true) }

  /// The value with every text that looks like an ISO 8601 date normalized, like a stack that parses such texts as
  /// dates.
  static func reformatted(_ value: DemoJSON) -> DemoJSON {
    switch value {
    case .string(let text): .string(date(text).map { self.text(of: $0, decimals: false) } ?? text)
    case .array(let elements): .array(elements.map(reformatted))
    case .object(let members): .object(members.map { .init(key: $0.key, value: reformatted($0.value)) })
    case .null, .bool, .number: value
    }
  }

  /// Returns whether a text is a day, or a day and a time, of ISO 8601.
  static func isWritten(_ text: String, _ format: String) -> Bool {
    format == "date" ? date(text + "T00:00Z") != nil && text.utf8.count == 10 : date(text) != nil
  }

  /// The moment in a text, by default in UTC.
  private static func date(_ text: String) -> Date? {
    guard text.utf8.count >= 16, let match = text.wholeMatch(of: form) else { return nil }
    var parts = DateComponents()
    (parts.year, parts.month, parts.day) = (Int(match.1), Int(match.2), Int(match.3))
    (parts.hour, parts.minute) = (Int(match.4), Int(match.5))
    parts.second = match.6.flatMap { Int($0) } ?? 0
    guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else { return nil }
    guard let sign = match.7, let hours = match.8.flatMap({ Int($0) }), let minutes = match.9.flatMap({ Int($0) })
    else { return date }
    let offset = Double(hours * 3600 + minutes * 60)
    return date.addingTimeInterval(sign == "-" ? offset : -offset)
  }

  // Computed, since a regular expression is not safe to share.
  private static var form:
    Regex<
      (Substring, Substring, Substring, Substring, Substring, Substring, Substring?, Substring?, Substring?, Substring?)
    >
  {
    /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|([+-])(\d\d):(\d\d))?/
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func text(of date: Date, decimals: Bool) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
    func padded(_ number: Int?, _ width: Int) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = [padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)].joined(separator: "-")
    let time = [padded(parts.hour, 2), padded(parts.minute, 2), padded(parts.second, 2)].joined(separator: ":")
    return "\(day)T\(time)" + (decimals ? ".\(padded((parts.nanosecond ?? 0) / 1000, 6))Z" : "Z")
  }
}
