extension Service.DateForm {
  /// Converts dates in a record to ISO 8601. Values of another form stay as they are.
  func read(_ fields: Object, _ resource: Service.Resource) -> Object {
    converted(fields, resource) { shown($0) }
  }

  /// Converts dates in fields to the service's form. Values that are not dates stay as they are.
  func written(_ fields: Object, _ resource: Service.Resource) -> Object {
    converted(fields, resource) { written($0) }
  }

  private func converted(_ fields: Object, _ resource: Service.Resource, _ convert: (Value) -> Value?) -> Object {
    var fields = fields
    for field in resource.fields where field.kind == .date {
      if let value = fields[field.name], let date = convert(value) { fields[field.name] = date }
    }
    return fields
  }

  /// A date of the service in ISO 8601; nil if it is not one, or would not convert back to itself.
  func shown(_ value: Value) -> Value? {
    let date: Value?
    switch self {
    case .iso: return nil
    case .epoch: date = Self.moment(value).flatMap { Self.text($0.seconds, $0.fraction) }
    case .epochMilliseconds:
      date = value.integer.flatMap { number in
        let (second, rest) = HTTPDate.floor(number, 1000)
        return Self.text(second, rest == 0 ? "" : String(String(1000 + rest).dropFirst()))
      }
    case .rfc1123: date = value.text.flatMap { HTTPDate.seconds($0) }.flatMap { Self.text($0, "") }
    }
    guard let date, written(date)?.isSame(as: value) == true else { return nil }
    return date
  }

  /// Returns whether a value that was sent is a date that a record shows.
  func isSame(_ sent: Value, _ shown: Value) -> Bool {
    let date = self.shown(written(sent) ?? sent) ?? sent
    return date == shown || date.isSameMoment(as: shown)
  }

  /// A date in ISO 8601 in the service's form; nil if it is not one, or more precise than the service can hold.
  func written(_ value: Value) -> Value? {
    guard self != .iso, case .string(let text) = value else { return nil }
    // A typed number is one of the service's own.
    if self != .rfc1123, let number = Number(text) { return .number(number) }
    guard text.utf8.contains(UInt8(ascii: "-")), let seconds = value.secondsSince1970, Self.years.contains(seconds)
    else { return nil }
    var fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix(while: \.isDigit)
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    let digits = String(Substring(fraction))
    switch self {
    case .iso: return nil
    case .epoch: return Self.number(seconds, digits)
    case .rfc1123: return digits.isEmpty ? .string(HTTPDate.text(seconds)) : nil
    case .epochMilliseconds:
      guard digits.utf8.count <= 3 else { return nil }
      return .int(seconds * 1000 + (Int((digits + "000").prefix(3)) ?? 0))
    }
  }

  /// The reason why a value of a date field cannot be sent, as a clause, with a correction; nil if it can. Values that
  /// the service itself may write are sent unchanged.
  func complaint(about value: Value, of field: FieldDescription) -> (message: String, hint: String)? {
    guard self != .iso, let text = value.text, written(value) == nil, shown(value) == nil, Number(text) == nil else {
      return nil
    }
    let (form, most) =
      switch self {
      case .iso, .epoch: ("seconds since 1970", "at most nine digits of a second")
      case .epochMilliseconds: ("milliseconds since 1970", "at most three digits of a second")
      case .rfc1123: ("a date of HTTP", "whole seconds")
      }
    let given = field.isSecret ? "the given value" : String(JSONWriter.compact(value).prefix(40))
    return (
      "\(field.name) is sent as \(form), and \(given) cannot be",
      "write a day, a time with \(most), and a zone: 2026-11-22T09:30:00Z"
    )
  }

  /// The seconds of the years 1 to 9999.
  private static let years = -62_135_596_800..<253_402_300_800
  /// The maximum number of digits of a fraction of a second.
  private static let mostDigits = 9

  /// The whole second of a number of seconds, and the digits of its fraction; nil if it is not a number, or has too
  /// many digits.
  private static func moment(_ value: Value) -> (seconds: Int, fraction: String)? {
    if let seconds = value.integer { return (seconds, "") }
    guard case .number(let number) = value else { return nil }
    let parts = number.text.split(separator: ".")
    guard parts.count == 2, parts[1].utf8.count <= mostDigits, let whole = Int(parts[0]), years.contains(whole),
      parts[1].utf8.allSatisfy(\.isDigit)
    else { return nil }
    return number.text.hasPrefix("-") ? (whole - 1, complement(parts[1])) : (whole, String(parts[1]))
  }

  /// The number with a fraction of a second.
  private static func number(_ seconds: Int, _ fraction: String) -> Value? {
    guard !fraction.isEmpty else { return .int(seconds) }
    guard fraction.utf8.count <= mostDigits else { return nil }
    let text = seconds < 0 ? "-\(-(seconds + 1)).\(complement(fraction))" : "\(seconds).\(fraction)"
    return Number(text).map { .number($0) }
  }

  /// The digits of one minus a fraction that is not zero.
  private static func complement(_ digits: some StringProtocol) -> String {
    let one = digits.reduce(1) { whole, _ in whole * 10 }
    return String(String(2 * one - (Int(digits) ?? 0)).dropFirst())
  }

  private static func text(_ seconds: Int, _ fraction: String) -> Value? {
    guard years.contains(seconds) else { return nil }
    let (days, clock) = HTTPDate.dayAndTime(seconds)
    return .string("\(CivilDate.text(days))T\(clock)\(fraction.isEmpty ? "" : "." + fraction)Z")
  }
}
