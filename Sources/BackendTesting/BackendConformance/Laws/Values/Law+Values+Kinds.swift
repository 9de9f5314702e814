import BackendKit

/// Laws of ``LawGroup/values`` about other values than texts.
extension Law {
  static let numbers: [Law] = [
    number("zero", "0 and -0 are values, neither null nor absent nor false.", ["0", "-0", "0.0"]),
    number(
      "large integers", "integers are kept to the last digit or refused, even beyond 2^53 and 64 bits.",
      [
        "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "123456789012345678901234567890",
      ]),
    number(
      "decimal fractions", "decimal fractions are kept to the last digit or refused.",
      ["1.10", "0.1", "-2.5", "0.1234567890123456789", "1234567890.0987654321", "1e-7", "1E+2"]),
    number(
      "huge numbers", "numbers beyond binary floating point are kept or refused, never null or infinite.",
      ["1e400", "-1e400", "1e-400"]),
    falseIsAValue, nullValue, leftOut, otherKinds,
  ]

  static let structures: [Law] = [nested, fieldNames]

  /// A law about numbers.
  private static func number(_ name: String, _ promise: String, _ texts: [String]) -> Law {
    Law(name, .values, promise) { context throws(CheckStop) in
      let numbers = texts.compactMap { Number($0) }
      let fields = try await context.probes([.number, .any, .integer])
      var outcome: Verdict?
      var names: [String] = []
      for field in fields.prefix(2) {
        // A whole number may have to name a record of another resource.
        let fitting = numbers.filter {
          (field.kind != .integer || $0.integer != nil) && field.complaint(about: .number($0)) == nil
        }
        names.append(field.name)
        if fitting.isEmpty { continue }
        let verdict = try await context.roundTrip(fitting.map { .number($0) }, in: field.name)
        outcome = outcome == .passed ? .passed : verdict
      }
      if let outcome { return outcome }
      guard names.isEmpty else { return .notApplicable("\(names.joined(separator: " and ")) cannot hold such numbers") }
      return try await context.without("no writable field holds numbers", of: [.number, .any, .integer])
    }
  }

  private static let falseIsAValue = Law(
    "false", .values, "false is a value: neither null nor absent nor 0."
  ) { context throws(CheckStop) in
    guard let field = try await context.probes([.boolean, .any]).first else {
      return try await context.without("no writable field holds booleans", of: [.boolean, .any])
    }
    return try await context.roundTrip([false, true], in: field.name)
  }

  private static let nullValue = Law(
    "null", .values,
    "a null in a new record is null; where the server treats null as a missing value, a note names the field."
  ) { context throws(CheckStop) in
    let kinds = FieldDescription.Kind.allCases
    guard let field = try await context.probes(kinds).first(where: { !$0.isRequired && $0.isNullable }) else {
      return .notApplicable("every field must have a value")
    }
    return try await context.roundTrip([.null], in: field.name)
  }

  private static let leftOut = Law(
    "omitted fields", .values,
    "a field that was not sent has no value in a new record, or has the value that the receipt's record or a note"
      + " reports."
  ) { context throws(CheckStop) in
    try context.needs(.get)
    let made = try await context.made()
    let stored = try await context.stored(made.id)
    for field in context.resource.fields where field.takesValues && !context.resource.identifier.isHeld(by: field.name)
    {
      guard made.sent[field.name] == nil, !ValueSimilarity.isNoted(field.name, made.receipt.notes) else { continue }
      let (value, reported) = (stored.fields[field.name] ?? .null, made.receipt.record?.fields[field.name] ?? .null)
      try context.require(
        value == .null || ValueSimilarity.same(value, reported), "a record was created without \(field.name)",
        expected: "no value, or \(ValueSimilarity.shown(reported)) as the receipt reports",
        found: ValueSimilarity.shown(value))
    }
    return .passed
  }

  private static let otherKinds = Law(
    "values of another type", .values,
    "a value of a type other than the field's is kept as it is, refused, or named in a note; it is never silently"
      + " converted, and two different values never become one."
  ) { context throws(CheckStop) in
    var outcome: Verdict?
    for field in try await context.writable() {
      try await context.requireApart(field)
      let others: [Value] =
        switch field.kind {
        case .text, .html: [12, true, false, ["a"], ["a": "b"]]
        case .boolean: ["true", "false", 1, 0, 2]
        case .integer, .number: ["12", true]
        case .date, .day: [12, "no date"]
        case .object: [[1], "{}"]
        case .list: [["a": 1], "[]"]
        case .any: []
        }
      let verdict = try await context.roundTrip(others, in: field.name, byUpdate: false)
      outcome = outcome == .passed ? .passed : verdict
    }
    if let outcome { return outcome }
    return try await context.without("only the field with the suite's mark is writable")
  }

  private static let nested = Law(
    "nested values", .values, "lists and objects are kept whole: order, emptiness, nulls and depth."
  ) { context throws(CheckStop) in
    var deep: Value = ["end": nil]
    for level in 0..<12 { deep = level.isMultiple(of: 2) ? [deep] : ["in": deep] }
    let lists: [Value] = [[], [1, "1", true, nil, [], [:]], [["b": 2, "a": 1], [2, 1]], [deep]]
    let objects: [Value] = [[:], ["a": nil, "b": [], "c": [:], "d": ""], ["in": deep]]
    var outcome: Verdict?
    for field in try await context.probes([.list, .object, .any]).prefix(3) {
      let values = field.kind == .list ? lists : field.kind == .object ? objects : lists + objects
      let verdict = try await context.roundTrip(values, in: field.name)
      outcome = outcome == .passed ? .passed : verdict
    }
    if let outcome { return outcome }
    return try await context.without("no writable field holds lists or objects", of: [.list, .object, .any])
  }

  private static let fieldNames = Law(
    "special field names", .values,
    "`class`, `__proto__`, names with dots, and an `id` within an object are ordinary names: kept or refused."
  ) { context throws(CheckStop) in
    let names = ["class", "__proto__", "constructor", "a.b", "$a", "a b", "é", "hasOwnProperty", "0", "a[b]", "links"]
    var outcome: Verdict?
    if let field = try await context.probes([.object, .any]).first {
      let object = Object((names + ["id", ""]).map { ($0, .int(1)) })
      outcome = try await context.roundTrip([.object(object)], in: field.name)
    }
    guard context.takesUnknownFields else {
      return outcome ?? .notApplicable("no field holds objects, and records have no other fields")
    }
    for name in names {
      let verdict = try await context.roundTrip(["named \(name)"].map { .string($0) }, in: name)
      outcome = outcome == .passed ? .passed : verdict
    }
    return outcome ?? .passed
  }
}
