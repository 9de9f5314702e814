/// Compiles conditions to the parameters of the service.
struct FilterCompiler {
  private let facts: Service.Filters
  private let query: ListQuery
  private let resource: Service.Resource
  /// The parameter that names the owner of the records.
  private let owner: String?
  private(set) var compiled = Service.Compiled()
  /// The conditions in the single parameter of a language, as texts and as documents.
  private var texts: [String] = []
  private var documents: [Value] = []

  init(_ facts: Service.Filters, _ query: ListQuery, _ resource: Service.Resource, beside owner: String? = nil) {
    self.owner = owner
    self.facts = facts
    self.query = query
    self.resource = resource
    for filter in query.filters { compiled.filters.append(add(filter)) }
    close()
  }

  private mutating func add(_ filter: Filter) -> Fidelity {
    guard let language = facts.language else { return addParameter(filter) }
    // A list is a conjunction and cannot be nested, so its parts become elements of it.
    let parts = language.and == .list ? filter.conjuncts : [filter]
    let conditions = parts.compactMap { condition($0, language) }
    guard conditions.count == parts.count else { return .not }
    for condition in conditions {
      switch condition.form {
      case .text(let text): texts.append(text)
      case .json(let document): documents.append(document)
      }
    }
    return conditions.allSatisfy { $0.fidelity == .exact } ? .exact : .superset
  }

  // MARK: One parameter for each

  private mutating func addParameter(_ filter: Filter) -> Fidelity {
    guard let (row, field, _, spelled, fidelity) = spelled(filter) else { return .not }
    // A parameter that takes several values splits one that contains the separator.
    guard !spelled.contains(where: { text in separators(in: row.template).contains { text.contains(text: $0) } }) else {
      return .not
    }
    let name = row.template.filled(["field": field])
    // The name of a field may be that of a parameter with another meaning.
    guard name == row.template || !resource.ownParameters.contains(name) else { return .not }
    var pairs: [(String, String)]
    if row.comparison == .among, !row.value.contains(text: "{values}") {
      let list = row.list ?? resource.addressing.lists
      guard let sent = list.parameters(name, spelled.map { row.value.filled(["value": $0, "field": field]) }) else {
        return .not
      }
      pairs = sent
    } else {
      guard let value = value(row, field, spelled) else { return .not }
      pairs = [(name, value)]
    }
    // A parameter may be repeated only if the service is known to require all of its values; alternatives cannot be
    // repeated then.
    let isTaken = pairs.contains { pair in pair.0 == owner || compiled.parameters.contains { $0.0 == pair.0 } }
    guard !isTaken || facts.repetition == .and else { return .not }
    if row.comparison == .among, pairs.count > 1, Set(pairs.map(\.0)).count == 1, facts.repetition == .and {
      return .not
    }
    compiled.parameters += pairs
    return fidelity
  }

  /// Returns the separators of values in a parameter.
  private func separators(in template: String) -> [String] {
    facts.rows.compactMap { row in
      guard row.comparison == .among, row.template == template, !row.value.contains(text: "{values}"),
        case .separated(let separator) = row.list ?? resource.addressing.lists
      else { return nil }
      return separator
    }
  }

  private func value(_ row: Service.Filters.Row, _ field: String, _ spelled: [String]) -> String? {
    let separator = facts.values.separator
    let isQuoted = facts.values.quote != ""
    // Without quotes, what ends a value within parentheses, or begins a quoted one, would be part of the condition.
    let reserved = row.value.contains(text: "(") && facts.values.escaped.isEmpty ? ",()\"\\" : ""
    let isList = row.comparison == .among
    guard
      isQuoted
        || !spelled.contains(where: { text in
          isList && text.contains(text: separator) || text.contains { reserved.contains($0) }
        })
    else { return nil }
    return row.value.filled([
      "field": field, "value": spelled.first ?? "", "values": spelled.joined(separator: separator),
    ])
  }

  // MARK: A language

  private enum Form {
    case text(String)
    case json(Value)
  }

  private func condition(
    _ filter: Filter, _ language: Service.Filters.Language
  ) -> (form: Form, fidelity: Fidelity)? {
    switch filter {
    case .and(let parts):
      if language.and == .list { return parts.count == 1 ? condition(parts[0], language) : nil }
      return joined(parts, language.and, language)
    case .or(let parts):
      guard let or = language.or else { return nil }
      return joined(parts, or, language)
    case .not(let inner):
      // The complement of a superset would lose records.
      guard let not = language.not, let (form, fidelity) = condition(inner, language), fidelity == .exact,
        case .text(let text) = form
      else { return nil }
      return (.text(not.filled(["0": text])), .exact)
    default:
      guard let (row, field, operands, spelled, fidelity) = spelled(filter) else { return nil }
      if let document = row.document {
        let values = operands.compactMap { operand in
          facts.values.value(operand, kind(field), isPart: row.comparison == .contains).map {
            kind(field) == .date ? resource.dates.written($0) ?? $0 : $0
          }
        }
        let whole: [String: Value] = ["value": values.first ?? .null, "values": .array(values)]
        let form = document.filled(["field": field, "value": spelled.first ?? ""], whole: whole)
        return (.json(form), fidelity)
      }
      guard operands.allSatisfy({ facts.values.fitsLanguage($0, kind(field)) }) else { return nil }
      let list = spelled.joined(separator: facts.values.separator)
      let text = row.template.filled(["field": field, "value": spelled.first ?? "", "values": list])
      return (.text(text), fidelity)
    }
  }

  private func joined(
    _ filters: [Filter], _ joining: Service.Filters.Language.Joining, _ language: Service.Filters.Language
  ) -> (form: Form, fidelity: Fidelity)? {
    // No language can express an empty combination of conditions.
    guard !filters.isEmpty else { return nil }
    var (texts, documents): ([String], [Value]) = ([], [])
    var worst = Fidelity.exact
    for filter in filters {
      guard let (form, fidelity) = condition(filter, language) else { return nil }
      if fidelity != .exact { worst = .superset }
      switch form {
      case .text(let text): texts.append(text)
      case .json(let document): documents.append(document)
      }
    }
    if case .text(let joint) = joining, texts.count == filters.count {
      let text = texts.joined(separator: joint)
      return (.text(texts.count == 1 ? text : language.group.filled(["0": text])), worst)
    }
    guard documents.count == filters.count, let document = Self.join(documents, joining) else { return nil }
    return (.json(document), worst)
  }

  /// Combines conditions; nil if they would collide.
  private static func join(_ documents: [Value], _ joining: Service.Filters.Language.Joining) -> Value? {
    switch joining {
    case .text: return nil
    case .list: return .array(documents)
    case .member(let name): return documents.count == 1 ? documents[0] : .object(Object([(name, .array(documents))]))
    case .members:
      var all = Object()
      for document in documents {
        for (name, value) in document.object.map({ Array($0.members) }) ?? [] {
          guard all[name] == nil else { return nil }
          all[name] = value
        }
      }
      return .object(all)
    }
  }

  /// Puts the collected conditions into the parameter of the language. If that is impossible, all are left to the
  /// console.
  private mutating func close() {
    guard let language = facts.language, !(texts.isEmpty && documents.isEmpty) else { return }
    var text: String?
    if documents.isEmpty, case .text(let and) = language.and { text = texts.joined(separator: and) }
    if texts.isEmpty { text = Self.join(documents, language.and).map(JSONWriter.compact) }
    guard let text, language.longest.map({ text.utf8.count <= $0 }) ?? true else {
      compiled.filters = compiled.filters.map { _ in .not }
      return
    }
    compiled.parameters.append((language.parameter, text))
  }

  // MARK: Comparisons

  private func operands(_ filter: Filter) -> [Operand] {
    switch filter {
    case .compare(_, _, let operand): [operand]
    case .among(_, let operands): operands
    default: []
    }
  }

  private func kind(_ field: String) -> FieldDescription.Kind {
    resource.fields.named(field)?.kind ?? .any
  }

  /// The row for a comparison, the field, the values, also as they are spelled, and the fidelity; nil if asking could
  /// lose a record.
  private func spelled(
    _ filter: Filter
  ) -> (row: Service.Filters.Row, field: String, operands: [Operand], values: [String], fidelity: Fidelity)? {
    let (comparison, path): (Service.Filters.Comparison, FieldPath)
    switch filter {
    case .compare(let field, let sign, _):
      guard let same = Service.Filters.Comparison(rawValue: sign.rawValue) else { return nil }
      (comparison, path) = (same, field)
    case .among(let field, let operands):
      // A list without values, which no record meets, looks like a value that is empty.
      guard !operands.isEmpty else { return nil }
      (comparison, path) = (.among, field)
    case .isNull(let field): (comparison, path) = (.isNull, field)
    case .isMissing(let field): (comparison, path) = (.isMissing, field)
    case .not(.isNull(let field)): (comparison, path) = (.isNotNull, field)
    default: return nil
    }
    let hasCase = comparison == .contains || ![.integer, .number, .boolean].contains(kind(path.text))
    guard let row = row(comparison, path.text), !query.ignoreCase || row.ignoresCase || !hasCase,
      comparison != .contains || mayContain(kind(path.text)),
      let limit = limit(on: path.text, row),
      let operands = asked(comparison, operands(filter), row, on: path.text, isExact: limit == .exact)
    else { return nil }
    var (fidelity, texts) = (operands == self.operands(filter) ? limit : .superset, [String]())
    for operand in operands {
      guard let text = facts.values.text(operand, kind(path.text), resource.dates, isPart: comparison == .contains),
        !text.isEmpty
      else { return nil }
      if text.contains(where: { facts.values.wildcards.contains($0) }) { fidelity = .superset }
      texts.append(text)
    }
    guard texts.allSatisfy({ isTaken($0, path.text, comparison) }) else { return nil }
    if row.ignoresCase, !query.ignoreCase { fidelity = .superset }
    // Upper and lower case have different places in the order of texts.
    if row.ignoresCase, comparison.dependsOnOrder, comparison != .notEqual || !query.ignoreCase,
      mayCompareTexts(kind(path.text), operands)
    {
      return nil
    }
    if row.document == nil, comparison != .contains,
      operands.contains(where: { facts.values.isAmbiguous($0, kind(path.text)) })
    {
      // Numbers are ordered among numbers, whatever else the field may hold.
      if comparison == .notEqual { return nil }
      if comparison.dependsOnOrder, mayCompareTexts(kind(path.text), operands) { return nil }
      fidelity = .superset
    }
    // A superset of the equal values excludes too much from the unequal ones.
    if comparison == .notEqual, fidelity == .superset, row.fidelity == .exact { return nil }
    return (row, path.text, operands, texts, fidelity)
  }

  /// The operands to send if the service may compare dates as moments or as texts, unless it is described as exact. No
  /// time zone is more than a day away, so two days before or after a date nothing is lost by either. A fraction beside
  /// whole numbers becomes the next one. Nil if something may be lost.
  private func asked(
    _ comparison: Service.Filters.Comparison, _ operands: [Operand], _ row: Service.Filters.Row, on field: String,
    isExact: Bool
  ) -> [Operand]? {
    if kind(field) == .integer, let around = operands.first?.number?.wholeAround {
      switch comparison {
      case .less, .lessOrEqual: return [.value(.int(around.upperBound))]
      case .greater, .greaterOrEqual: return [.value(.int(around.lowerBound))]
      default: return comparison == .contains ? operands : nil
      }
    }
    let isMoment = operands.contains { if case .moment = $0 { true } else { false } }
    guard comparison != .contains, isMoment || kind(field) == .date, resource.dates == .iso else {
      return row.comparesTexts || !comparison.dependsOnOrder || !mayCompareTexts(kind(field), operands) ? operands : nil
    }
    if isExact, !row.comparesTexts || !comparison.dependsOnOrder { return operands }
    switch comparison {
    case .less, .lessOrEqual: return operands.first?.text.flatMap { CivilDate.moved($0, by: 2) }.map { [.word($0)] }
    case .greater, .greaterOrEqual:
      return operands.first?.text.flatMap { CivilDate.moved($0, by: -2) }.map { [.word($0)] }
    default: return isMoment || comparison.dependsOnOrder && !row.comparesTexts ? nil : operands
    }
  }

  /// Returns whether a field of this type may be searched for a part: where texts are quoted, numbers have none.
  private func mayContain(_ kind: FieldDescription.Kind) -> Bool {
    facts.values.quote.isEmpty || ![.integer, .number, .boolean, .date, .day].contains(kind)
  }

  private func mayCompareTexts(_ kind: FieldDescription.Kind, _ operands: [Operand]) -> Bool {
    guard ![.integer, .number, .boolean, .date, .day].contains(kind) else { return false }
    return !operands.allSatisfy { operand in
      switch operand {
      case .value(.number), .value(.bool): true
      default: false
      }
    }
  }

  private func row(_ comparison: Service.Filters.Comparison, _ field: String) -> Service.Filters.Row? {
    facts.rows.first { $0.comparison == comparison && $0.fields?.contains(field) != false }
  }

  /// Returns whether the service accepts a text as a value of the field; a field with few values may refuse any other,
  /// which no record has.
  private func isTaken(_ text: String, _ field: String, _ comparison: Service.Filters.Comparison) -> Bool {
    guard [.equal, .notEqual, .among].contains(comparison),
      let values = resource.fields.named(field)?.values, !values.isEmpty
    else { return true }
    return values.contains { facts.values.text(.value($0), kind(field), resource.dates, isPart: false) == text }
  }

  /// Returns the best fidelity for a condition on a field; nil if its name must not be sent.
  private func limit(on field: String, _ row: Service.Filters.Row) -> Fidelity? {
    let isDeclared =
      row.fields?.contains(field) == true || facts.fields.contains(field)
      || facts.takesDescribed && resource.fields.contains { $0.name == field }
    if isDeclared { return row.fidelity == .not ? nil : row.fidelity }
    // All records come, and the console filters them.
    return [.ignores, .all].contains(facts.unknown) && row.fidelity != .not ? .superset : nil
  }
}

extension Service.Resource {
  /// The parameters of lists that are no conditions.
  fileprivate var ownParameters: Set<String> {
    let direction: String? =
      switch sorting?.direction {
      case .parameter(let name)?, .words(let name, _, _)?, .descending(let name)?: name
      case .minus?, .suffix?, .value?, nil: nil
      }
    let others = [sorting?.parameter, direction, projection?.parameter, embedding?.parameter, searching?.parameter]
    return paging.parameterNames.union(others.compactMap(\.self))
  }
}

extension Service.Filters.Comparison {
  /// True if the result depends on the order or equality of texts.
  fileprivate var dependsOnOrder: Bool { [.notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
}

extension Number {
  /// The whole numbers next to a fraction in plain digits; nil for other numbers.
  fileprivate var wholeAround: ClosedRange<Int>? {
    let parts = text.split(separator: ".")
    guard integer == nil, parts.count == 2, parts[1].utf8.allSatisfy(\.isDigit), let whole = Int(parts[0]),
      whole.magnitude < 1 << 53
    else { return nil }
    return text.utf8.first == UInt8(ascii: "-") ? whole - 1...whole : whole...whole + 1
  }
}

extension Filter {
  /// The parts of a conjunction, nested ones included; otherwise the filter itself.
  fileprivate var conjuncts: [Filter] {
    guard case .and(let parts) = self, !parts.isEmpty else { return [self] }
    return parts.flatMap(\.conjuncts)
  }
}
