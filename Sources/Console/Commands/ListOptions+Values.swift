import BackendKit

extension ListOptions {
  /// Says of each comparison that is the same for every record that it is so: the value can be none of its field.
  ///
  /// It is no failure: a script may compare with whatever it was given, and no record is the right answer.
  func remarkOnValues(_ resource: ResourceDescription, _ session: Session) {
    var said: Set<String> = []
    for (path, comparison, operand) in query.filters.flatMap(\.comparisons) {
      guard let field = resource.field(named: path.text),
        let reason = field.kind.reason(against: comparison, operand, path)
      else { continue }
      let text = Filter.compare(path, comparison, operand).description
      guard said.insert(text).inserted else { continue }
      let which = comparison == .notEqual ? "every record" : "no record"
      session.warn(
        resource.source == .sample
          ? "\"\(text)\" may hold for \(which): \(path) was \(reason) in the record that was looked at"
          : "\"\(text)\" holds for \(which): \(path) is described as \(reason)")
    }
  }
}

extension Filter {
  /// The comparisons of fields with values that it is made of.
  fileprivate var comparisons: [(FieldPath, Comparison, Operand)] {
    switch self {
    case .compare(let path, let comparison, let operand): [(path, comparison, operand)]
    case .among(let path, let operands): operands.map { (path, .equal, $0) }
    case .isNull, .isMissing: []
    case .and(let filters), .or(let filters): filters.flatMap(\.comparisons)
    case .not(let filter): filter.comparisons
    }
  }
}

extension FieldDescription.Kind {
  /// What a field of this kind is, so that no value of it compares with the operand; nil where one may.
  fileprivate func reason(against comparison: Comparison, _ operand: Operand, _ path: FieldPath) -> String? {
    switch self {
    case .boolean where comparison == .contains: "a boolean, in which there is no text"
    case .boolean: operand.bool == nil ? "a boolean (true or false)" : nil
    // The text of a number is looked into.
    case .integer, .number: comparison != .contains && operand.number == nil ? "a number" : nil
    case .object: "an object, of which only the parts are compared (\(path).NAME)"
    case .list: "a list, which is not compared"
    case .text, .html, .date: operand.text == nil ? "a text" : nil
    case .any: nil
    }
  }
}
