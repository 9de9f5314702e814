import BackendKit
import CSQLite

/// A condition of a statement on a column, as offered by SQLite.
struct Condition: Hashable {
  enum Test: Hashable {
    case equal, identical, less, lessOrEqual, greater, greaterOrEqual, notEqual, isNull, isNotNull, like, glob

    init?(_ code: UInt8) {
      switch Int32(code) {
      case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
      case SQLITE_INDEX_CONSTRAINT_IS: self = .identical
      case SQLITE_INDEX_CONSTRAINT_LT: self = .less
      case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
      case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
      case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
      case SQLITE_INDEX_CONSTRAINT_NE: self = .notEqual
      case SQLITE_INDEX_CONSTRAINT_ISNULL: self = .isNull
      case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: self = .isNotNull
      case SQLITE_INDEX_CONSTRAINT_LIKE: self = .like
      case SQLITE_INDEX_CONSTRAINT_GLOB: self = .glob
      default: return nil
      }
    }

    /// Its operator in SQL.
    var sign: String {
      switch self {
      case .equal: "="
      case .identical: "IS"
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      case .notEqual: "<>"
      case .isNull: "IS NULL"
      case .isNotNull: "IS NOT NULL"
      case .like: "LIKE"
      case .glob: "GLOB"
      }
    }

    var comparison: Comparison? {
      switch self {
      case .equal, .identical: .equal
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      case .notEqual: .notEqual
      case .isNull, .isNotNull, .like, .glob: nil
      }
    }

    var isEquality: Bool { self == .equal || self == .identical }
  }

  var column: Int
  var test: Test
  /// True if the test is IN, and all its values come at once.
  var takesAll = false
}

/// A filter for a service that covers a condition: each record that meets the condition meets the filter.
struct Question {
  var filter: Filter
  /// True if each record that meets the filter also meets the condition, provided that records are as described.
  var isExact: Bool
  /// True if the filter covers the condition only when letter case is ignored.
  var ignoresCase = false
  /// True if the filter still covers the condition when letter case is ignored.
  var allowsIgnoringCase = true
}

extension Column {
  /// Returns the filter for a condition on this column with these values; nil if none certainly covers it.
  func question(_ test: Condition.Test, _ values: [SQLArgument]) -> Question? {
    guard let path else { return nil }
    switch test {
    case .isNull: return Question(filter: .or([.isNull(path), .isMissing(path)]), isExact: true)
    case .isNotNull: return Question(filter: .not(.isNull(path)), isExact: false)
    case .identical where values == [.null]: return question(.isNull, [])
    case .like, .glob:
      guard case .text(let pattern)? = values.first, declaration == "TEXT", kind != .date, kind != .day,
        let part = Pattern.part(of: pattern, isGlob: test == .glob)
      else { return nil }
      let filter = Filter.compare(path, .contains, .value(.string(part)))
      return Question(filter: filter, isExact: false, ignoresCase: test == .like)
    case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .identical:
      // NULL in an IN matches nothing.
      let operands = values.filter { $0 != .null }.map { operand($0, test) }
      guard !operands.isEmpty, let comparison = test.comparison, !operands.contains(nil) else { return nil }
      let known = operands.compactMap(\.self)
      let filter: Filter = known.count == 1 ? .compare(path, comparison, known[0]) : .among(path, known)
      let isDate = kind == .date || kind == .day
      return Question(
        filter: filter, isExact: test != .notEqual && !isDate,
        allowsIgnoringCase: test.isEquality || declaration != "TEXT")
    }
  }

  private func operand(_ value: SQLArgument, _ test: Condition.Test) -> Operand? {
    switch kind {
    case .text, .html:
      if case .text(let text) = value { return .value(.string(text)) }
      return nil
    case .date, .day:
      // A service may compare times instead of texts. Equal texts are equal times; of others the days in local time are
      // as far apart as no two time zones.
      guard case .text(let text) = value else { return nil }
      switch test {
      case .equal, .identical: return .value(.string(text))
      case .less, .lessOrEqual: return CivilDate.moved(text, by: 3).map { .value(.string($0)) }
      case .greater, .greaterOrEqual: return CivilDate.moved(text, by: -3).map { .value(.string($0)) }
      default: return nil
      }
    case .integer, .number: return value.number(asInteger: kind == .integer).map { .value(.number($0)) }
    case .boolean:
      guard test.isEquality || test == .notEqual, let number = value.number(asInteger: true)?.integer,
        number == 0 || number == 1
      else { return nil }
      return .value(.bool(number == 1))
    case .object, .list, .any: return nil
    }
  }

  /// A placeholder for values that are only known when the statement runs.
  func sample(_ test: Condition.Test) -> SQLArgument {
    switch (test, kind) {
    case (.like, _), (.glob, _): .text(test == .like ? "%sample%" : "*sample*")
    case (_, .integer), (_, .number), (_, .boolean): .integer(1)
    case (_, .date): .text("2001-01-01T00:00:00Z")
    case (_, .day): .text("2001-01-01")
    default: .text(example ?? "1")
    }
  }
}

enum Pattern {
  /// The longest text that every match of the pattern contains; nil for none.
  static func part(of pattern: String, isGlob: Bool) -> String? {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    for scalar in pattern.unicodeScalars {
      let isWild = isGlob ? "*?[".unicodeScalars.contains(scalar) : scalar == "%" || scalar == "_"
      guard isWild else {
        part.append(scalar)
        continue
      }
      parts.append(String(part))
      part = String.UnicodeScalarView()
      // Brackets match one of several characters, possibly a bracket: nothing after one is certain.
      if isGlob, scalar == "[" { return longest(parts) }
    }
    return longest(parts + [String(part)])
  }

  private static func longest(_ parts: [String]) -> String? {
    parts.max { $0.unicodeScalars.count < $1.unicodeScalars.count }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
