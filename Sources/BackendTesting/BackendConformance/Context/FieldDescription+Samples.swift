import BackendKit

extension FieldDescription {
  /// True if it accepts any value of its kind: no enumeration, no reference and no bounds.
  var takesAnyValue: Bool { isFree && minimum == nil && maximum == nil }

  /// True if ``samples`` has accepted values: any of its kind, or two within its bounds.
  var hasSamples: Bool {
    guard isFree, !takesAnyValue else { return takesAnyValue }
    return samples.first != samples.last && samples.allSatisfy { complaint(about: $0) == nil }
  }

  /// True if only bounds limit its values.
  private var isFree: Bool {
    values.isEmpty && !isLimited && reference == nil && fields.isEmpty && !isUnique && minimumLength ?? 0 < 2
      && pattern == nil
  }

  /// An integer within the bounds, usually a different one for each number.
  func within(_ number: Int) -> Int {
    switch (least, most) {
    case (let least?, let most?):
      let (count, isLarge) = most.subtractingReportingOverflow(least)
      return isLarge || count == .max || count < 0 ? least : least + number % (count + 1)
    case (let least?, nil): return number < least ? least &+ number : number
    case (nil, let most?): return number > most ? most &- number : number
    case (nil, nil): return number
    }
  }

  private var least: Int? { minimum.flatMap { bound in bound.value.integer.map { $0 &+ (bound.isExcluded ? 1 : 0) } } }
  private var most: Int? { maximum.flatMap { bound in bound.value.integer.map { $0 &- (bound.isExcluded ? 1 : 0) } } }

  /// Two permitted values, if not all of its kind are; otherwise nil.
  var allowed: [Value]? {
    if let first = values.first { return [first, values[values.count - 1]] }
    switch (least, most) {
    case (let least?, let most?): return [.int(least), .int(max(least, most))]
    case (let least?, nil): return [.int(least), .int(least &+ 1)]
    case (nil, let most?): return [.int(most), .int(most &- 1)]
    case (nil, nil): return defaultValue.map { [$0, $0] }
    }
  }

  /// Two accepted values.
  var samples: [Value] {
    func texts(_ texts: String...) -> [Value] {
      texts.map { .string(fitting($0)) }
    }
    if let allowed { return allowed }
    return switch kind {
    case .text, .any: texts("one thing", "two things")
    case .html: texts("<p>one</p>", "<p>two</p>")
    case .integer, .number: [1, 2]
    // The second is set on a new record, whose default is the first.
    case .boolean: [false, true]
    case .date: texts("2026-01-02T03:04:05Z", "2027-05-04T03:02:01Z")
    case .day: texts("2026-01-02", "2027-05-04")
    case .object: [["a": 1], ["b": "two"]]
    case .list: [[1], ["two", 3]]
    }
  }

  /// A value that the server would never choose itself.
  var foreignValue: Value {
    switch kind {
    case .text, .html, .any: "set by the suite"
    case .integer, .number: 1_234_567_891
    case .boolean: true
    case .date: "1901-02-03T04:05:06Z"
    case .day: "1901-02-03"
    case .object: ["suite": true]
    case .list: ["set by the suite"]
    }
  }
}

extension IdentifierRule {
  /// Makes up an identifier. A composite one differs from that of another record only in its last part.
  func fitting(_ plain: String, number: Int, beside other: RecordID? = nil) -> RecordID {
    guard parts.isEmpty else {
      let known = other.flatMap { values(of: $0) }?.map(\.text) ?? parts.map { _ in "\(number)" }
      let isNumber = known.last.flatMap { Number($0) } != nil
      return identifier(joining: known.dropLast() + [isNumber ? "\(number)" : plain]) ?? RecordID(plain)
    }
    func padded(_ count: Int) -> String { String(hex: number, digits: count) }
    let like = (0..<10).reversed().map { (other?.text ?? "").numbered(number, adding: $0) }
    let forms = [plain, "\(number)", padded(24), padded(32), "00000000-0000-4000-8000-" + padded(12)] + like
    return RecordID(forms.first { complaint(about: $0) == nil } ?? plain)
  }
}

extension String {
  /// The text with the digits of a number in place of its own, or of its letters if it has none, from the end; with
  /// so many more in the last place.
  fileprivate func numbered(_ number: Int, adding more: Int) -> String {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let isLettered = !utf8.contains(where: isDigit)
    var (digits, count) = (Array("\(number)".utf8.reversed())[...], more + 1)
    let bytes = utf8.reversed().flatMap { byte -> [UInt8] in
      guard isDigit(byte) || isLettered && (0x41...0x5A).contains(byte & 0xDF), !digits.isEmpty else { return [byte] }
      defer { (digits, count) = (digits.dropFirst(count), 1) }
      return digits.prefix(count).map { isLettered ? (byte & 0x20 | 0x41) + ($0 - 0x30) : $0 }
    }
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }
}

extension Object {
  static func only(_ name: String, _ value: Value) -> Object { Object([(name, value)]) }
}
