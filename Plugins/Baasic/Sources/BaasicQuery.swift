import BackendKit

/// Writes conditions in BQL, Baasic's query language, so that no match is left out and nothing can be injected: names
/// come from the schema and are quoted, texts are quoted with their quotes doubled.
struct BaasicQuery {
  /// The resource as far as it is known; without a field, no condition can be written.
  let resource: Service.Resource
  /// True if the query ignores the case of texts, which BQL cannot do.
  let ignoresCase: Bool

  /// Asks for conditions, or for what is written in the server's own language.
  ///
  /// Nothing is planned exact: how the server orders texts, and what it makes of a value of an unexpected kind, is not
  /// documented. A phrase search leaves out properties that are not searchable, so searching is the console's work.
  static func compile(_ query: ListQuery, _ resource: Service.Resource) throws(BackendError) -> Service.Compiled {
    var compiled = Service.Compiled()
    let language = BaasicQuery(resource: resource, ignoresCase: query.ignoreCase)
    var clauses: [String] = []
    for filter in query.filters {
      // There is one searchQuery, and a native one takes it.
      guard query.native == nil, let clause = language.clause(filter) else {
        compiled.filters.append(.not)
        compiled.notes.append("\(filter) is filtered locally: Baasic may omit matching records")
        continue
      }
      compiled.filters.append(.superset)
      clauses.append(clause)
    }
    if !clauses.isEmpty { clauses = ["WHERE " + clauses.joined(separator: " AND ")] }
    if query.native == nil, let order = language.order(query) {
      clauses.append(order)
      compiled.sorts = true
    }
    if let search = query.native ?? (clauses.isEmpty ? nil : clauses.joined(separator: " ")) {
      compiled.parameters.append(("searchQuery", search))
    }
    if query.search != nil {
      compiled.search = .not
      compiled.notes.append("searched locally: Baasic's phrase search leaves out some properties")
    }
    return compiled
  }

  /// A clause that every record meets that meets the condition; nil where there is none for sure.
  func clause(_ filter: Filter) -> String? {
    switch filter {
    case .compare(let path, let comparison, let operand): return clause(path, comparison, operand)
    case .among(let path, let operands):
      return any(operands.map { clause(path, .equal, $0) })
    case .or(let parts): return any(parts.map(clause))
    case .and(let parts):
      let clauses = parts.compactMap(clause)
      return clauses.isEmpty ? nil : "(" + clauses.joined(separator: " AND ") + ")"
    // A null or a missing field meets `!=` here and no comparison there.
    case .not, .isNull, .isMissing, .computed: return nil
    }
  }

  /// One of the clauses; nil as soon as one of them could not be written.
  private func any(_ clauses: [String?]) -> String? {
    let written = clauses.compactMap { $0 }
    guard !written.isEmpty, written.count == clauses.count, written.count <= 100 else { return nil }
    return "(" + written.joined(separator: " OR ") + ")"
  }

  /// The clause for the server's own order by several keys, as the parameter for one is not documented to take more;
  /// nil if one of them cannot be written.
  private func order(_ query: ListQuery) -> String? {
    guard query.serverOrder, query.sort.count > 1, query.sort.allSatisfy({ field($0.path) != nil }) else { return nil }
    return "ORDER BY "
      + query.sort.map { "\"\($0.path.text)\" \($0.isDescending ? "DESC" : "ASC")" }.joined(separator: ", ")
  }

  /// The field that a query can name; nil if it cannot. Only dynamic resources are documented to take queries in every
  /// part of them.
  private func field(_ path: FieldPath) -> FieldDescription? {
    guard resource.remarks["isEnforced"] != nil, path.text != "id", Self.isName(path.text) else { return nil }
    return resource.fields.first { $0.name == path.text }
  }

  private func clause(_ path: FieldPath, _ comparison: Comparison, _ operand: Operand) -> String? {
    guard let field = field(path) else { return nil }
    let name = "\"\(path.text)\""
    switch (field.kind, comparison) {
    case (.text, .equal), (.html, .equal): return text(operand).map { "\(name) = \($0)" }
    case (.text, .contains), (.html, .contains): return pattern(operand).map { "\(name) LIKE \($0)" }
    case (.integer, .contains), (.number, .contains), (_, .notEqual): return nil
    case (.integer, _), (.number, _): return number(operand).map { "\(name) \(comparison.rawValue) \($0)" }
    case (.boolean, .equal): return truth(operand).map { "\(name) = \($0)" }
    // The order of texts is the server's own, and dates may be stored as something else than they are shown as.
    default: return nil
    }
  }

  /// Returns whether a name can be used in a query.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  /// A literal in quotes. `nil` where it holds a control character.
  static func quoted(_ text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
    var literal = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { literal += "'" }
      literal.unicodeScalars.append(scalar)
    }
    return literal + "'"
  }

  // MARK: Operands

  /// The operand as a text literal; nil where a stored value of another kind could match it too.
  private func text(_ operand: Operand) -> String? {
    guard !ignoresCase, let text = operand.text, !text.isEmpty, !looksLikeDate(text) else { return nil }
    if case .word = operand, !isSure, operand.number != nil || operand.bool != nil { return nil }
    return Self.quoted(text)
  }

  /// The operand as a pattern. Its own wildcards stay: they match themselves too.
  private func pattern(_ operand: Operand) -> String? {
    guard !ignoresCase, let text = operand.text, !text.isEmpty, !looksLikeDate(text) else { return nil }
    // A part of a number's digits would be found in a number stored where a text should be.
    let couldBeDigits = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isSure || !couldBeDigits else { return nil }
    // Some databases take these for something of their own.
    let plain = text.map { "[]\\^".contains($0) ? "%" : $0 }
    return Self.quoted("%" + String(plain) + "%")
  }

  private func number(_ operand: Operand) -> String? {
    guard let number = operand.number, number.integer != nil, !number.text.contains(where: \.isLetter) else {
      return nil
    }
    if case .word = operand, !isSure { return nil }
    return number.text
  }

  private func truth(_ operand: Operand) -> String? {
    guard let bool = operand.bool else { return nil }
    if case .word = operand, !isSure { return nil }
    return bool ? "true" : "false"
  }

  /// True if stored values are certain to have the kinds of the schema.
  private var isSure: Bool { resource.remarks["isEnforced"] == true }

  /// Returns whether the server might take a text for a date and store it in another form.
  private func looksLikeDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(5))
    return bytes.count == 5 && bytes[4] == UInt8(ascii: "-") && bytes[..<4].allSatisfy { (0x30...0x39).contains($0) }
  }
}
