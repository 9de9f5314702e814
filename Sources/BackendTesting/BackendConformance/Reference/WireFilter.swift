import BackendKit

extension Filter {
  /// The condition as the reference adapter writes it: an object whose first member names the form.
  var wire: Value {
    switch self {
    case .compare(let path, let comparison, let operand):
      ["compare": .string(path.text), "by": .string(comparison.rawValue), "with": operand.wire]
    case .among(let path, let operands): ["among": .string(path.text), "operands": .array(operands.map(\.wire))]
    case .isNull(let path): ["null": .string(path.text)]
    case .isMissing(let path): ["missing": .string(path.text)]
    case .and(let filters): ["and": .array(filters.map(\.wire))]
    case .or(let filters): ["or": .array(filters.map(\.wire))]
    case .not(let filter): ["not": filter.wire]
    // The client hands none to a backend.
    case .computed: .null
    }
  }

  /// Reads a condition; throws `invalid` if the value is none.
  init(wire: Value) throws(BackendError) {
    let members = wire.object ?? Object()
    func path(_ form: String) -> FieldPath { FieldPath(members[form]?.text ?? "") }
    func filters(_ form: String) throws(BackendError) -> [Filter] {
      var filters: [Filter] = []
      for value in members[form]?.array ?? [] { filters.append(try Filter(wire: value)) }
      return filters
    }
    switch members.names.first {
    case "compare":
      guard let comparison = members["by"]?.text.flatMap(Comparison.init(rawValue:)), let operand = members["with"]
      else {
        throw .invalid("not a comparison: \(JSONWriter.compact(wire))")
      }
      self = .compare(path("compare"), comparison, Operand(wire: operand))
    case "among": self = .among(path("among"), (members["operands"]?.array ?? []).map { Operand(wire: $0) })
    case "null": self = .isNull(path("null"))
    case "missing": self = .isMissing(path("missing"))
    case "and": self = .and(try filters("and"))
    case "or": self = .or(try filters("or"))
    case "not": self = .not(try Filter(wire: members["not"] ?? .null))
    default: throw .invalid("not a condition: \(JSONWriter.compact(wire))")
    }
  }
}

extension Operand {
  fileprivate var wire: Value {
    switch self {
    case .word(let text): ["word": .string(text)]
    case .moment(let moment): ["moment": .string(moment.text)]
    case .value(let value): ["value": value]
    }
  }

  fileprivate init(wire: Value) {
    let members = wire.object
    if let moment = members?["moment"]?.text.flatMap({ Instant($0) }) {
      self = .moment(moment)
    } else {
      self = (members?["word"]?.text).map { .word($0) } ?? .value(members?["value"] ?? .null)
    }
  }
}
