import BackendKit

extension FilterProbe {
  /// Fields that distinguish records without being unique: a few texts, numbers and booleans, with a value each.
  func fields() async throws(BackendError) -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    let rows = survey.rows.map { survey.fields(of: $0) }
    for name in Self.ranked(rows.first?.names ?? [], of: survey)
    where survey.identifier?.fields != [name] && name != survey.identifier?.link.first && !name.hasPrefix("@") {
      let values = rows.map { $0[name] ?? .null }
      let half = values.count / 2
      let tried = (values.dropFirst(half) + values.prefix(half)).filter { value in
        values.contains { $0 != value } && !survey.namesRecord(value)
      }
      guard let usable = try await telling(tried, name) else { continue }
      // Two texts, and one of any other type.
      let alike = found.count(where: { $0.value.kind == usable.kind })
      if alike == 0 || usable.text != nil && alike < 2 { found.append((name, usable)) }
    }
    return Array(found.prefix(4))
  }

  /// The most telling value that the engine would send as a condition for equality.
  func telling(_ values: [Value], _ name: String) async throws(BackendError) -> Value? {
    let equal = survey.dialect.filters.first { $0.comparison == "equal" } ?? Dialect.plain.filters[0]
    let list = survey.proposing([equal.facts([name])])
    // A service may compare only integers, or numbers as texts.
    let fractions = values.filter { $0.isNumber && $0.integer == nil }
    var rest = (fractions.isEmpty ? values : fractions).filter(Self.isUsable)
    for _ in 0..<Self.mostTried {
      guard let value = Self.mostTelling(rest) else { return nil }
      if try await list.target(ListQuery(survey.path, filters: [equal.condition(name, value)])) != nil { return value }
      rest.removeAll { $0 == value }
    }
    return nil
  }

  private static let mostTried = 20

  /// The first value with the most kinds of characters: a service may compare only lowercase, single words or ASCII.
  static func mostTelling(_ values: [Value]) -> Value? { values.max { variety($0) < variety($1) } }

  private static func variety(_ value: Value) -> Int {
    let scalars = value.text?.unicodeScalars ?? "".unicodeScalars
    let kinds: [(Unicode.Scalar) -> Bool] = [
      { ("A"..."Z").contains($0) }, { $0 == " " }, { "-_.@".unicodeScalars.contains($0) }, { !$0.isASCII },
    ]
    return kinds.count { kind in scalars.contains(where: kind) }
  }

  private static let usual = ["name", "status", "state", "type", "title", "kind", "category", "priority", "role"]

  /// The names of fields in the order to try: those with a documented parameter, then the usual ones.
  static func ranked(_ names: [String], of survey: ResourceSurvey) -> [String] {
    let parameters = Set(survey.documented?.parameters ?? [])
    func rank(_ name: String) -> Int {
      let isDocumented = ["\(name)", "filter[\(name)]"].contains(where: parameters.contains)
      return (isDocumented ? 0 : 100) + (usual.firstIndex(of: name.lowercased()) ?? 50)
    }
    // A condition would put a secret into an address, and so into logs.
    return names.filter { !survey.prober.isSecret($0) }.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
  }

  /// Returns whether a value needs no quotes anywhere, and does not depend on the clock.
  static func isUsable(_ value: Value) -> Bool {
    switch value {
    case .bool: true
    case .number(let number): number.text.utf8.count <= 15
    case .string(let text):
      (1...60).contains(text.utf8.count) && !text.contains(text: "://") && !value.isDay
        && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"\"'\\,".utf8.contains($0) }
    default: false
    }
  }

  /// A text in uppercase, or in lowercase if it already is; nil without letters.
  static func inOtherCase(_ text: String) -> String? {
    let other = text.uppercased() == text ? text.lowercased() : text.uppercased()
    return other == text ? nil : other
  }
}

extension Value {
  var isNumber: Bool { if case .number = self { true } else { false } }

  /// True if the value is a text that looks like a date.
  var isDay: Bool {
    guard let text, text.utf8.count >= 10 else { return false }
    let bytes = Array(text.utf8.prefix(10))
    return [4, 7].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
      && [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
  }
}
