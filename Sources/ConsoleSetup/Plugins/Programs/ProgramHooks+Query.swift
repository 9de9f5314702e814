import BackendKit

extension ProgramHooks {
  /// Returns the request parameters for a query.
  func compiled(_ query: ListQuery, _ resource: Service.Resource) throws(BackendError) -> Service.Compiled {
    var asked: [(String, Value)] = [
      ("resource", .string(resource.name)), ("filters", .array(query.filters.map(Self.value))),
      ("search", query.search.map { .string($0) } ?? .null), ("native", query.native.map { .string($0) } ?? .null),
      ("ignoreCase", .bool(query.ignoreCase)),
    ]
    asked.append(
      (
        "sort",
        .array(query.sort.map { ["field": .string($0.path.text), "descending": .bool($0.isDescending)] })
      ))
    return try ask(.compileQuery, asked, refused: .unsupported) { answer throws(ProgramMistake) in
      try answer.allow(["parameters", "filters", "search", "notes"])
      var compiled = Service.Compiled()
      compiled.parameters = try answer.pairs("parameters")
      try Self.check(parameters: compiled.parameters, answer)
      compiled.filters = try answer.texts("filters").map { word throws(ProgramMistake) in
        try Self.fidelity(word, answer)
      }
      guard compiled.filters.count == query.filters.count else {
        throw answer.mistake("has \(compiled.filters.count) words for \(query.filters.count) filters")
      }
      if query.search != nil { compiled.search = try Self.fidelity(try answer.text("search"), answer) }
      compiled.notes = try answer.texts("notes").compactMap { BackendError.quoted($0) }
      return compiled
    }
  }

  private static func fidelity(_ word: String, _ answer: ProgramReading) throws(ProgramMistake) -> Fidelity {
    switch word {
    case "exact": return .exact
    case "superset": return .superset
    case "local": return .not
    default: throw answer.mistake("has \"\(word.prefix(40))\" where exact, superset or local is expected")
    }
  }

  private static func value(_ filter: Filter) -> Value {
    switch filter {
    case .compare(let path, let comparison, let operand):
      ["field": .string(path.text), "is": .string(comparison.rawValue), "operand": value(operand)]
    case .among(let path, let operands):
      ["field": .string(path.text), "is": "in", "operands": .array(operands.map(value))]
    case .isNull(let path): ["field": .string(path.text), "is": "null"]
    case .isMissing(let path): ["field": .string(path.text), "is": "missing"]
    case .and(let filters): ["and": .array(filters.map(value))]
    case .or(let filters): ["or": .array(filters.map(value))]
    case .not(let filter): ["not": value(filter)]
    // The client does not pass these on.
    case .computed(let formula): ["computed": .string(formula.text)]
    }
  }

  private static func value(_ operand: Operand) -> Value {
    switch operand {
    case .word(let word): ["word": .string(word)]
    case .moment(let moment): ["word": .string(moment.text)]
    case .value(let value): ["value": value]
    }
  }
}
