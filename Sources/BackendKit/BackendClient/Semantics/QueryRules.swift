public import BackendKit

/// The rules by which records are filtered, searched and sorted, the same for every backend.
///
/// `docs/guide/query.md` describes them for users; the planned answer of every adapter is tested against them.
public enum QueryRules {
  /// Returns whether a record meets a condition.
  ///
  /// Throws `invalid` if a formula cannot be computed for the record, unless earlier parts decide.
  public static func judge(
    _ filter: Filter, _ record: Object, ignoringCase: Bool = false
  ) throws(BackendError) -> Bool {
    switch filter {
    case .compare(let path, let comparison, let operand):
      return matches(path.value(in: record), comparison, operand, ignoringCase: ignoringCase)
    case .among(let path, let operands):
      return operands.contains { matches(path.value(in: record), .equal, $0, ignoringCase: ignoringCase) }
    case .isNull(let path): return path.value(in: record) == .null
    case .isMissing(let path): return path.value(in: record) == nil
    case .and(let filters):
      for filter in filters { if try !judge(filter, record, ignoringCase: ignoringCase) { return false } }
      return true
    case .or(let filters):
      for filter in filters { if try judge(filter, record, ignoringCase: ignoringCase) { return true } }
      return false
    case .not(let filter): return try !judge(filter, record, ignoringCase: ignoringCase)
    case .computed(let formula): return try formula.value(of: record) == .bool(true)
    }
  }

  /// Returns whether a record meets a condition; false if its formula cannot be computed.
  public static func matches(_ filter: Filter, _ record: Object, ignoringCase: Bool = false) -> Bool {
    do throws(BackendError) { return try judge(filter, record, ignoringCase: ignoringCase) } catch { return false }
  }

  /// Returns whether any text of a record, at any depth, contains a text, ignoring case.
  public static func contains(_ text: String, _ record: Object) -> Bool {
    let wanted = text.lowercased()
    return record.members.contains { contains(wanted, $0.1) }
  }

  private static func contains(_ wanted: String, _ value: Value) -> Bool {
    switch value {
    case .string(let text): text.lowercased().contains(text: wanted)
    case .array(let elements): elements.contains { contains(wanted, $0) }
    case .object(let object): object.members.contains { contains(wanted, $0.1) }
    default: false
    }
  }

  private static func matches(
    _ value: Value?, _ comparison: Comparison, _ operand: Operand, ignoringCase: Bool
  ) -> Bool {
    switch comparison {
    case .notEqual: !matches(value, .equal, operand, ignoringCase: ignoringCase)
    case .contains: matchesContaining(value, operand, ignoringCase: ignoringCase)
    case .equal: order(of: value, against: operand, ignoringCase: ignoringCase) == .same
    case .less: order(of: value, against: operand, ignoringCase: ignoringCase) == .before
    case .greater: order(of: value, against: operand, ignoringCase: ignoringCase) == .after
    case .lessOrEqual:
      order(of: value, against: operand, ignoringCase: ignoringCase).map { $0 != .after } ?? false
    case .greaterOrEqual:
      order(of: value, against: operand, ignoringCase: ignoringCase).map { $0 != .before } ?? false
    }
  }

  private static func matchesContaining(_ value: Value?, _ operand: Operand, ignoringCase: Bool) -> Bool {
    guard let wanted = operand.text else { return false }
    switch value {
    case .string(let text)?:
      return folded(text, ignoringCase).contains(text: folded(wanted, ignoringCase))
    case .number(let number)?: return number.text.contains(text: wanted)
    default: return false
    }
  }

  /// Returns the order of a field's value relative to an operand; nil if they cannot be compared.
  private static func order(of value: Value?, against operand: Operand, ignoringCase: Bool) -> Order? {
    switch value {
    case .number(let number)?: operand.number.map { Number.compare(number, $0) }
    case .bool(let bool)?: operand.bool.map { compare(bool ? 1 : 0, $0 ? 1 : 0) }
    case .string(let text)?: order(of: text, against: operand, ignoringCase)
    default: nil
    }
  }

  private static func order(of text: String, against operand: Operand, _ ignoringCase: Bool) -> Order? {
    if case .moment(let moment) = operand, let order = moment.order(of: text) { return order }
    return operand.text.map { compare(folded(text, ignoringCase), folded($0, ignoringCase)) }
  }

  private static func folded(_ text: String, _ ignoringCase: Bool) -> String {
    ignoringCase ? text.lowercased() : text
  }
}

extension QueryRules {
  /// Returns the order of two records by sort keys; `.same` if no key distinguishes them.
  public static func compare(_ left: Object, _ right: Object, by keys: [SortKey], ignoringCase: Bool = false) -> Order {
    for key in keys {
      let order = compare(
        key.value(in: left, ignoringCase: ignoringCase), key.value(in: right, ignoringCase: ignoringCase))
      if order != .same { return key.isDescending ? order.reversed : order }
    }
    return .same
  }

  /// Returns the order of two values in a sort: booleans, numbers, texts, lists and objects, null, missing.
  public static func compare(_ left: Value?, _ right: Value?, ignoringCase: Bool = false) -> Order {
    switch (left, right) {
    case (.number(let left)?, .number(let right)?): Number.compare(left, right)
    case (.string(let left)?, .string(let right)?):
      compare(folded(left, ignoringCase), folded(right, ignoringCase))
    case (.bool(let left)?, .bool(let right)?): compare(left ? 1 : 0, right ? 1 : 0)
    default: compare(rank(left), rank(right))
    }
  }

  private static func rank(_ value: Value?) -> Int {
    switch value {
    case .bool?: 0
    case .number?: 1
    case .string?: 2
    case .array?, .object?: 3
    case .null?: 4
    case nil: 5
    }
  }

  private static func compare(_ left: Int, _ right: Int) -> Order {
    left == right ? .same : left < right ? .before : .after
  }

  /// By code point, which for UTF-8 is by byte.
  private static func compare(_ left: String, _ right: String) -> Order {
    if left.utf8.elementsEqual(right.utf8) { return .same }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .before : .after
  }
}

extension SortKey {
  /// The value that decides the place of a record in the order.
  func value(in record: Object, ignoringCase: Bool) -> Value? {
    let value = path.value(in: record)
    guard comparesMoments || ignoringCase, case .string(let text)? = value else { return value }
    if comparesMoments, let moment = Instant(text) { return .string(moment.orderedText) }
    return ignoringCase ? .string(text.lowercased()) : value
  }
}
