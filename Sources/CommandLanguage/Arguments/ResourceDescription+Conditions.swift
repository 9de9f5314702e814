package import BackendKit
package import ConsoleSystem

extension ResourceDescription {
  /// Conditions with typed days and moments, `today` or `3.10.2017`, as dates in date fields. Throws for an ambiguous
  /// one.
  package func dated(_ filters: [Filter]) throws(UsageError) -> [Filter] {
    var result: [Filter] = []
    for filter in filters { result.append(try dated(filter)) }
    return result
  }

  private func dated(_ filter: Filter) throws(UsageError) -> Filter {
    switch filter {
    case .compare(let path, let comparison, let operand):
      comparison == .contains ? filter : .compare(path, comparison, try dated(operand, path))
    case .among(let path, let operands):
      .among(path, try operands.map { operand throws(UsageError) in try dated(operand, path) })
    case .and(let filters): .and(try dated(filters))
    case .or(let filters): .or(try dated(filters))
    case .not(let filter): .not(try dated(filter))
    case .isNull, .isMissing, .computed: filter
    }
  }

  private func dated(_ operand: Operand, _ path: FieldPath) throws(UsageError) -> Operand {
    guard case .word(let text) = operand, let field = field(at: path), [.date, .day].contains(field.kind),
      let date = try TypedDate.iso(text)
    else { return operand }
    return .word(field.kind == .day ? field.normalized(date) : date)
  }

  /// Returns notes on comparisons that have the same result for every record, since their operands cannot be values of
  /// their fields.
  ///
  /// These are not errors: a script may compare with any given value, and finding no record is then correct.
  package func notes(on filters: [Filter]) -> [String] {
    var said: Set<String> = []
    return filters.flatMap(\.comparisons).compactMap { path, comparison, operand in
      if path.names.count > 1, field(named: path.text) == nil, let whole = field(named: path.field),
        ![.object, .list, .any].contains(whole.kind)
      {
        guard said.insert(path.text).inserted else { return nil }
        let kind = (source == .sample ? "" : "described as ") + whole.kind.rawValue
        return "no record has \(path): \(whole.name) is \(kind)"
          + (whole.reference == nil ? "" : "; --with shows the records that it refers to")
      }
      guard let field = field(named: path.text), let reason = field.kind.reason(against: comparison, operand, path)
      else { return nil }
      if field.holdsNumbers, let number = operand.number?.integer, number == 0 || number == 1 { return nil }
      let text = Filter.compare(path, comparison, operand).description
      guard said.insert(text).inserted else { return nil }
      let isBefore = field.kind.isDate && [.less, .lessOrEqual].contains(comparison)
      let which = isBefore ? "every record with a value" : comparison == .notEqual ? "every record" : "no record"
      return source == .sample
        ? "\"\(text)\" may match \(which): \(path) was \(reason) in the record that was read"
        : "\"\(text)\" matches \(which): \(path) is described as \(reason)"
    }
  }
}

extension Filter {
  /// The comparisons of fields with values within it.
  fileprivate var comparisons: [(FieldPath, Comparison, Operand)] {
    switch self {
    case .compare(let path, let comparison, let operand): [(path, comparison, operand)]
    case .among(let path, let operands): operands.map { (path, .equal, $0) }
    case .isNull, .isMissing, .computed: []
    case .and(let filters), .or(let filters): filters.flatMap(\.comparisons)
    case .not(let filter): filter.comparisons
    }
  }
}

extension FieldDescription.Kind {
  /// Describes the field's type if none of its values can be compared with the operand; nil if one may.
  fileprivate func reason(against comparison: Comparison, _ operand: Operand, _ path: FieldPath) -> String? {
    switch self {
    case .boolean where comparison == .contains: "a boolean, which contains no text"
    case .boolean: operand.bool == nil ? "a boolean (true or false)" : nil
    // `~` searches the text of a number.
    case .integer, .number:
      if comparison == .contains {
        nil
      } else if let number = operand.number {
        self == .integer && [.equal, .notEqual].contains(comparison) && number.hasFraction ? "a whole number" : nil
      } else {
        "a number"
      }
    case .object: "an object; only its fields can be compared (\(path).NAME)"
    case .list: "a list, which cannot be compared"
    case .date, .day: operand.text.map { isNoDate($0, comparison) ? "a date" : nil } ?? "text"
    case .text, .html: operand.text == nil ? "text" : nil
    case .any: nil
    }
  }

  /// Returns whether a text sorts after all dates.
  private func isNoDate(_ text: String, _ comparison: Comparison) -> Bool {
    comparison != .contains && text.unicodeScalars.first.map { $0 > "9" } ?? false
  }

  fileprivate var isDate: Bool { self == .date || self == .day }
}

extension Number {
  /// True if it is not whole, as far as a binary floating-point number shows.
  fileprivate var hasFraction: Bool { double.rounded() != double }
}
