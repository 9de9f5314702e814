import Glibc

extension Service.DateForm {
  /// A record with its dates as texts of ISO 8601. What is none of this form stays as it is.
  func read(_ fields: Object, _ resource: Service.Resource) -> Object {
    converted(fields, resource) { shown($0) }
  }

  /// Fields with their dates as the service writes them. A value that is not a date stays as it is.
  func written(_ fields: Object, _ resource: Service.Resource) -> Object {
    converted(fields, resource) { written($0) }
  }

  private func converted(_ fields: Object, _ resource: Service.Resource, _ convert: (Value) -> Value?) -> Object {
    guard self != .iso else { return fields }
    var fields = fields
    for field in resource.fields where field.kind == .date {
      if let value = fields[field.name], let date = convert(value) { fields[field.name] = date }
    }
    return fields
  }

  /// A date of the service as a text of ISO 8601; nil where it is none, or would come back as another.
  func shown(_ value: Value) -> Value? {
    let date: Value?
    switch self {
    case .iso: return nil
    case .epoch: date = value.integer.flatMap { Self.text($0, nil) }
    case .epochMilliseconds: date = value.integer.flatMap { $0 < 0 ? nil : Self.text($0 / 1000, $0 % 1000) }
    case .rfc1123: date = value.text.flatMap { HTTPDate.seconds($0) }.flatMap { Self.text($0, nil) }
    }
    guard let date, written(date)?.isSame(as: value) == true else { return nil }
    return date
  }

  /// A text of ISO 8601 as the service writes it; nil for what is none, or has more than the service can hold.
  func written(_ value: Value) -> Value? {
    guard self != .iso, case .string(let text) = value, let seconds = value.secondsSince1970, seconds >= 0,
      text.utf8.contains(UInt8(ascii: "-"))
    else { return nil }
    let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { (0x30...0x39).contains($0) }
    let isWhole = fraction.allSatisfy { $0 == UInt8(ascii: "0") }
    switch self {
    case .iso: return nil
    case .epoch: return isWhole ? .int(seconds) : nil
    case .rfc1123: return isWhole ? .string(HTTPDate.text(seconds)) : nil
    case .epochMilliseconds:
      guard fraction.count <= 3 else { return nil }
      let digits = fraction.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return .int(seconds * 1000 + digits * [1000, 100, 10, 1][fraction.count] % 1000)
    }
  }

  private static func text(_ seconds: Int, _ milliseconds: Int?) -> Value? {
    guard (0..<253_402_300_800).contains(seconds) else { return nil }
    let (year, month, day) = CivilDate.date(seconds / 86_400)
    let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(HTTPDate.padded).joined(separator: ":")
    let fraction = milliseconds.map { $0 == 0 ? "" : "." + String(String(1000 + $0).dropFirst()) } ?? ""
    return .string("\(year)-\(HTTPDate.padded(month))-\(HTTPDate.padded(day))T\(clock)\(fraction)Z")
  }
}
