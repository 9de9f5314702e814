import BackendKit

/// Laws of ``LawGroup/values`` about other values than texts.
extension Law {
  static let numbers: [Law] = [
    Law(
      "numbers are preserved", .values,
      "a number is kept to the last digit or refused: 0 and -0, integers beyond 64 bits, decimal fractions, and numbers"
        + " that binary floating point cannot represent.",
      parts: [
        number("zero", ["0", "-0", "0.0"]),
        number(
          "large integers",
          [
            "9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "123456789012345678901234567890",
          ]),
        number(
          "decimal fractions",
          ["1.10", "0.1", "-2.5", "0.1234567890123456789", "1234567890.0987654321", "1e-7", "1E+2"]),
        number("huge numbers", ["1e400", "-1e400", "1e-400"]),
      ]),
    Law(
      "other values are preserved", .values,
      "false, null, lists and objects are kept whole; where the server treats null as a missing value, a note names the"
        + " field.",
      parts: [falseIsAValue, nullValue, nested]),
    leftOut, otherKinds,
  ]

  static let structures: [Law] = [fieldNames]

  private static func number(_ name: String, _ texts: [String]) -> Part {
    Part(name) { context throws(CheckStop) in
      let numbers = texts.compactMap { Number($0) }
      let kinds: [FieldDescription.Kind] = [.number, .any, .integer]
      let fields = try await context.fields.probes(kinds).prefix(2)
      let trials = fields.map { field in
        // An integer may have to refer to another resource.
        let fitting = numbers.filter {
          (field.kind != .integer || $0.integer != nil) && field.complaint(about: .number($0)) == nil
        }
        return (field: field.name, values: fitting.map { Value.number($0) })
      }
      try await context.values.roundTrip(
        trials.filter { !$0.values.isEmpty },
        else: fields.isEmpty
          ? await context.fields.without("no writable field holds numbers", of: kinds)
          : .notApplicable("\(fields.map(\.name).joined(separator: " and ")) cannot hold such numbers"))
    }
  }

  private static let falseIsAValue = Part("false") { context throws(CheckStop) in
    let field = try await context.fields.probes([.boolean, .any]).prefix(1).map {
      (field: $0.name, values: [false, true] as [Value])
    }
    try await context.values.roundTrip(
      field, else: await context.fields.without("no writable field holds booleans", of: [.boolean, .any]))
  }

  private static let nullValue = Part("null") { context throws(CheckStop) in
    let kinds = FieldDescription.Kind.allCases
    guard let field = try await context.fields.probes(kinds).first(where: { !$0.isRequired && $0.isNullable }) else {
      throw .notApplicable("every field must have a value")
    }
    try await context.values.roundTrip([(field.name, [.null])])
  }

  private static let leftOut = Law(
    "omitted fields", .values, needs: [.get],
    "a field that was not sent has no value in a new record, or has the value that the receipt's record or a note"
      + " reports, which is its server default if one is described; dates that the server sets are not in 1970."
  ) { context throws(CheckStop) in
    let (made, stored) = try await context.own.read()
    for field in context.resource.fields where field.takesValues && !context.resource.identifier.isHeld(by: field.name)
    {
      guard made.sent[field.name] == nil, !ValueSimilarity.isNoted(field.name, made.receipt.notes) else { continue }
      let (value, reported) = (stored.fields[field.name] ?? .null, made.receipt.record?.fields[field.name] ?? .null)
      try context.require(
        value == .null || ValueSimilarity.same(value, reported), "a record was created without \(field.name)",
        expected: "no value, or \(reported.shown) as the receipt reports",
        found: value.shown)
      guard let fallback = field.serverDefault else { continue }
      try context.require(
        ValueSimilarity.same(value, fallback), "a record was created without \(field.name)",
        expected: "its server default, \(fallback.shown)", found: value.shown)
    }
    for field in context.resource.fields where field.isReadOnly && field.kind == .date {
      let text = stored.fields[field.name]?.text ?? ""
      try context.require(
        !text.hasPrefix("1970-") || text.hasPrefix("1970-01-01T00:00:00"), "a record was created and read",
        expected: "a present date in \(field.name); seconds may have been taken for milliseconds", found: text)
    }
  }

  private static let otherKinds = Law(
    "values of another type", .values,
    "a value of a type other than the field's is kept as it is, refused, or named in a note; it is never silently"
      + " converted, and two different values never become one."
  ) { context throws(CheckStop) in
    var trials: [(field: String, values: [Value])] = []
    for field in try await context.fields.writable() {
      try await context.values.requireApart(field)
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
      trials.append((field.name, others))
    }
    try await context.values.roundTrip(
      trials, byUpdate: false, else: await context.fields.without("only the field with the suite's mark is writable"))
  }

  private static let nested = Part("nested values") { context throws(CheckStop) in
    var deep: Value = ["end": nil]
    for level in 0..<12 { deep = level.isMultiple(of: 2) ? [deep] : ["in": deep] }
    let lists: [Value] = [[], [1, "1", true, nil, [], [:]], [["b": 2, "a": 1], [2, 1]], [deep]]
    let objects: [Value] = [[:], ["a": nil, "b": [], "c": [:], "d": ""], ["in": deep]]
    let kinds: [FieldDescription.Kind] = [.list, .object, .any]
    let trials = try await context.fields.probes(kinds).prefix(3).map { field in
      (field: field.name, values: field.kind == .list ? lists : field.kind == .object ? objects : lists + objects)
    }
    try await context.values.roundTrip(
      trials, else: await context.fields.without("no writable field holds lists or objects", of: kinds))
  }

  private static let fieldNames = Law(
    "special field names", .values,
    "`class`, `__proto__`, names with dots, and an `id` within an object are ordinary names: kept or refused."
  ) { context throws(CheckStop) in
    let names = ["class", "__proto__", "constructor", "a.b", "$a", "a b", "é", "hasOwnProperty", "0", "a[b]", "links"]
    var trials: [(field: String, values: [Value])] = []
    if let field = try await context.fields.probes([.object, .any]).first {
      trials.append((field.name, [.object(Object((names + ["id", ""]).map { ($0, .int(1)) }))]))
    }
    if context.fields.areOpen { trials += names.map { ($0, [.string("named \($0)")]) } }
    try await context.values.roundTrip(
      trials, else: .notApplicable("no field holds objects, and records have no other fields"))
  }
}
