/// A condition on a record. `docs/guide/query.md` defines each form for null, missing and unlike types.
public indirect enum Filter: Sendable, Hashable {
  /// A field compared with an operand.
  case compare(FieldPath, Comparison, Operand)
  /// A field equal to one of the operands.
  case among(FieldPath, [Operand])
  /// A field that is present and null.
  case isNull(FieldPath)
  /// A field that is absent.
  case isMissing(FieldPath)
  /// All hold.
  case and([Filter])
  /// At least one holds.
  case or([Filter])
  /// It does not hold.
  case not(Filter)
  /// A formula that is true. The client evaluates it and never passes it to a backend.
  case computed(Formula)

  /// True if it contains a formula, so that no backend can evaluate it.
  public var isComputed: Bool {
    switch self {
    case .compare, .among, .isNull, .isMissing: false
    case .and(let filters), .or(let filters): filters.contains(where: \.isComputed)
    case .not(let filter): filter.isComputed
    case .computed: true
    }
  }

  /// The fields in the condition.
  public var paths: [FieldPath] {
    switch self {
    case .compare(let path, _, _), .among(let path, _), .isNull(let path), .isMissing(let path): [path]
    case .and(let filters), .or(let filters): filters.flatMap(\.paths)
    case .not(let filter): filter.paths
    case .computed(let formula): formula.paths
    }
  }
}

/// An operator that compares a field with an operand.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case contains = "~"
}

/// The operand that a field is compared with.
public enum Operand: Sendable, Hashable, CustomStringConvertible {
  /// A word as typed, whose type follows the field: `10` is a number beside a number, a text beside a text.
  case word(String)
  /// A value of one type only.
  case value(Value)
  /// A moment, compared with texts that are moments as such, and with others as text. The client makes it of operands
  /// for date fields.
  case moment(Instant)

  /// This operand as a number.
  public var number: Number? {
    switch self {
    case .word(let text): Number(text)
    case .value(.number(let number)): number
    default: nil
    }
  }

  /// This operand as a text.
  public var text: String? {
    switch self {
    case .word(let text), .value(.string(let text)): text
    case .moment(let moment): moment.text
    default: nil
    }
  }

  /// This operand as a boolean.
  public var bool: Bool? {
    switch self {
    case .word("true"), .value(.bool(true)): true
    case .word("false"), .value(.bool(false)): false
    default: nil
    }
  }

  /// Returns whether both are of one kind and equal, texts byte for byte.
  public static func == (left: Operand, right: Operand) -> Bool {
    switch (left, right) {
    case (.word(let left), .word(let right)): left.hasSameBytes(as: right)
    case (.value(let left), .value(let right)): left == right
    case (.moment(let left), .moment(let right)): left.text.hasSameBytes(as: right.text)
    case (.word, _), (.value, _), (.moment, _): false
    }
  }

  /// Hashes the text or the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .word(let text): hasher.combine(ExactText(text))
    case .value(let value): hasher.combine(value)
    case .moment(let moment): hasher.combine(ExactText(moment.text))
    }
  }

  /// The operand as typed.
  public var description: String {
    switch self {
    case .word(let text): text
    case .value(.string(let text)): "'" + text + "'"
    case .moment(let moment): moment.text
    case .value(let value): JSONWriter.compact(value)
    }
  }
}

extension Filter: CustomStringConvertible {
  /// The condition as typed after `--where`.
  public var description: String {
    switch self {
    case .compare(let path, let comparison, let operand): "\(path)\(comparison.rawValue)\(operand)"
    case .among(let path, let operands): "\(path) in (\(operands.map(\.description).joined(separator: ", ")))"
    case .isNull(let path): "\(path) is null"
    case .isMissing(let path): "\(path) is missing"
    case .and(let filters): "(" + filters.map(\.description).joined(separator: " and ") + ")"
    case .or(let filters): "(" + filters.map(\.description).joined(separator: " or ") + ")"
    case .not(let filter): "not \(filter)"
    case .computed(let formula): formula.text
    }
  }
}
