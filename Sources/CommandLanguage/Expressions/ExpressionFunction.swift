import BackendKit
import ConsoleOutput
import ConsoleSystem

package enum ExpressionFunction: String, CaseIterable, Sendable, Hashable {
  case lower, upper, trim, replace, split, length, matches, text, number, round, not
  /// The first argument that is present and not null.
  case first
  /// A text or a number of seconds as a moment.
  case date
  case day
  /// The present day in a zone.
  case today

  var arity: ClosedRange<Int> {
    switch self {
    case .lower, .upper, .trim, .length, .text, .number, .not: 1...1
    case .round, .date, .day: 1...2
    case .replace: 3...3
    case .split: 2...3
    case .matches: 2...2
    case .first: 1...100
    case .today: 1...1
    }
  }

  /// The names, for hints.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Its result; nil if there is none. Missing and null arguments are returned unchanged, except that `first`
  /// continues.
  func applied(to given: [Computed?], at column: Int, now: Moment) throws(UsageError) -> Computed? {
    if self == .first { return given.lazy.compactMap { $0 }.first { $0 != .value(.null) } }
    guard let subject = given.first ?? nil else { return nil }
    if subject == .value(.null) { return subject }
    let rest = given.dropFirst().map { $0 ?? .value(.null) }
    switch self {
    case .lower: return .value(.string(subject.text.lowercased()))
    case .upper: return .value(.string(subject.text.uppercased()))
    case .trim: return .value(.string(subject.text.trimmingBlanks))
    case .text: return .value(.string(subject.text))
    case .replace:
      guard !rest[0].text.isEmpty else { throw misfit(rest[0], "text to replace", column) }
      return .value(.string(try replaced(subject.text, rest[0].text, rest[1].text, column)))
    case .split: return try parts(of: subject, rest, column)
    case .length:
      if case .value(.array(let list)) = subject { return .value(.int(list.count)) }
      if case .value(.object) = subject { throw misfit(subject, "text or a list", column) }
      return .value(.int(subject.text.unicodeScalars.count))
    case .matches:
      guard let pattern = TextPattern(rest[0].text) else {
        throw UsageError(
          "\(rawValue)(…): invalid pattern \(Self.shown(rest[0]))",
          hint: "characters, ., [a-z], \\d, \\w, \\s, ^, $, |, ( ), ?, *, + and {1,3}", column: column)
      }
      guard let isFound = pattern.isFound(in: subject.text, beyondASCII: true) else {
        throw UsageError("\(rawValue)(…): the text is too long for the pattern", column: column)
      }
      return .value(.bool(isFound))
    case .number:
      guard let number = Number(subject.text.trimmingBlanks) else { throw misfit(subject, "a number", column) }
      return .value(.number(number))
    case .round:
      guard let number = try subject.decimal(column, by: rawValue) else { throw misfit(subject, "a number", column) }
      let digits = try rest.first?.decimal(column, by: rawValue)?.number.integer ?? 0
      guard (0...18).contains(digits) else { throw UsageError("round(…) takes 0 to 18 digits", column: column) }
      return .value(.number(number.rounded(to: digits).number))
    case .not:
      var truth = Bool(subject.text)
      if case .value(let value) = subject { truth = value.truth ?? truth }
      guard let truth else { throw misfit(subject, "a boolean", column) }
      return .value(.bool(!truth))
    case .date: return .moment(try moment(subject, try zone(rest.first, column), column))
    case .day:
      let zone = try zone(rest.first, column)
      return .moment(try moment(subject, zone, column).day(in: zone))
    case .today:
      try Preview.refuseClock()
      return .moment(now.day(in: try zone(subject, column)))
    case .first: return subject
    }
  }

  private func replaced(
    _ text: String, _ part: String, _ other: String, _ column: Int
  ) throws(UsageError) -> String {
    let growth = other.utf8.count - part.utf8.count
    // Counted only if the number could be excessive.
    if growth > 0, text.utf8.count / part.utf8.count > (MemoryLimit.one - text.utf8.count) / growth {
      let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
      var (size, index) = (bytes.count, 0)
      while index <= bytes.count - wanted.count {
        let isFound = bytes[index] == wanted[0] && bytes[index...].starts(with: wanted)
        index += isFound ? wanted.count : 1
        if isFound { size += growth }
        try MemoryLimit.check(size, at: column)
      }
    }
    return text.replacing(text: part, with: other)
  }

  private func parts(of subject: Computed, _ rest: [Computed], _ column: Int) throws(UsageError) -> Computed? {
    guard !rest[0].text.isEmpty else { throw misfit(rest[0], "a separator", column) }
    var parts: [Value] = []
    var left = subject.text[...]
    while let range = left.firstRange(ofText: rest[0].text) {
      parts.append(.string(String(left[..<range.lowerBound])))
      left = left[range.upperBound...]
      guard parts.count < MemoryLimit.elements else {
        throw UsageError("\(rawValue)(…) makes more than \(MemoryLimit.elements) parts", column: column)
      }
    }
    parts.append(.string(String(left)))
    guard rest.count > 1 else { return .value(.array(parts)) }
    guard let place = try rest[1].decimal(column, by: rawValue)?.number.integer else {
      throw misfit(rest[1], "the index of a part, counted from 0,", column)
    }
    return parts.indices.contains(place) ? .value(parts[place]) : nil
  }

  private func moment(_ subject: Computed, _ zone: TimeZoneRule, _ column: Int) throws(UsageError) -> Moment {
    if let moment = subject.moment(in: zone) { return moment }
    // Seconds or milliseconds since 1970, as services send them.
    if case .value(.number) = subject, case .value(let value) = subject, let seconds = value.secondsSince1970,
      let moment = Moment(milliseconds: seconds * 1_000)
    {
      return moment
    }
    throw misfit(subject, "a date", column)
  }

  private func zone(_ name: Computed?, _ column: Int) throws(UsageError) -> TimeZoneRule {
    guard let name else { return .utc }
    guard let zone = TimeZoneRule(named: name.text) else {
      throw UsageError(
        "\(rawValue)(…): unknown time zone \(Self.shown(name))", hint: "write 'UTC', '+01:00' or 'Europe/Berlin'",
        column: column)
    }
    return zone
  }

  private func misfit(_ value: Computed, _ kind: String, _ column: Int) -> UsageError {
    UsageError("\(rawValue)(…) needs \(kind), not \(Self.shown(value))", column: column)
  }

  package static func shown(_ value: Computed?) -> String {
    switch value {
    case nil: "nothing"
    case .value(let value)?: DisplayWidth.cut(JSONWriter.compact(value), to: 40)
    case .word(let text)?: "\"\(DisplayWidth.cut(text, to: 40))\""
    case .moment(let moment)?: moment.text
    case .span(let span)?: span.text
    }
  }
}

extension Computed {
  /// The moment that it is, or that its text represents.
  func moment(in zone: TimeZoneRule = .utc) -> Moment? {
    switch self {
    case .moment(let moment): moment
    case .word(let text), .value(.string(let text)): Moment(text, in: zone)
    case .value, .span: nil
    }
  }

  /// The number that it is, or that its text reads as; nil for anything else. Throws if it has too many digits.
  func decimal(_ column: Int, by name: String) throws(UsageError) -> ExactDecimal? {
    let number: Number? =
      switch self {
      case .value(.number(let number)): number
      case .word(let text), .value(.string(let text)): Number(text)
      case .value, .moment, .span: nil
      }
    guard let number else { return nil }
    guard let decimal = ExactDecimal(number) else {
      throw UsageError(
        "\(DisplayWidth.cut(number.text, to: 40)) \(name): the number has more than 38 digits", column: column)
    }
    return decimal
  }
}
