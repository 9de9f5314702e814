import BackendKit

/// The facts that say what the service is asked for of a query.
struct ConditionFacts {
  let facts: Facts

  /// Which conditions the service checks.
  func filters() -> Service.Filters? {
    let filter = facts.section("filter", .filter)
    let language = self.language(filter.section("language", .language))
    let values = values()
    let (fields, takesDescribed) = (filter.texts("fields"), filter.text("fields") == "described")
    let rows = rows(filter)
    let (unknown, repeated) = (filter.text("unknownField"), filter.text("repeatedParameter"))
    guard filter.isThere, !rows.isEmpty else { return nil }
    var filters = Service.Filters(takesDescribed ? [] : fields ?? [], rows: rows)
    filters.takesDescribed = takesDescribed
    filters.language = language
    filters.values = values
    if let unknown { filters.unknown = Service.Filters.Unknown(rawValue: unknown) ?? .refuses }
    if let repeated { filters.repetition = Service.Filters.RepeatedParameter(rawValue: repeated) ?? .none }
    return filters
  }

  private func rows(_ filter: Facts) -> [Service.Filters.Row] {
    (filter["conditions"]?.members ?? []).flatMap { member -> [Service.Filters.Row] in
      guard let comparison = Service.Filters.Comparison(rawValue: member.name), !member.node.isNull else { return [] }
      if let text = member.node.value.text { return [Service.Filters.Row(comparison, text, fidelity: .superset)] }
      let nodes: [Node]
      if case .list(let several) = member.node.content { nodes = several } else { nodes = [member.node] }
      return nodes.compactMap { row(comparison, Facts(.condition, $0, at: $0.place, filter.reading)) }
    }
  }

  private func row(_ comparison: Service.Filters.Comparison, _ facts: Facts) -> Service.Filters.Row? {
    let document = facts.value("document")
    if facts.isThere, facts["template"] == nil, document == nil {
      facts.mistake("template or document is missing", hint: "for example template: \"{field}\"")
    }
    var row = Service.Filters.Row(
      comparison, facts.text("template") ?? "", value: facts.text("value") ?? "{value}", document: document,
      fidelity: facts.text("accuracy") == "exact" ? .exact : .superset, fields: facts.texts("fields"),
      list: facts.arrays("arrays"))
    row.ignoresCase = facts.flag("ignoresCase")
    row.comparesTexts = facts.flag("codePointOrder")
    return row
  }

  private func language(_ language: Facts) -> Service.Filters.Language? {
    let (and, or) = (joining("and", language), joining("or", language))
    let (group, not, longest) = (language.text("group"), language.text("not"), language.integer("maximumLength"))
    guard let parameter = language.required("parameter", "filter") else { return nil }
    guard let and else {
      language.mistake("and is missing", hint: "for example and: \" and \"")
      return nil
    }
    return Service.Filters.Language(parameter, and: and, or: or, group: group ?? "({0})", not: not, longest: longest)
  }

  private func joining(_ key: String, _ language: Facts) -> Service.Filters.Language.Joining? {
    guard let node = language[key] else { return nil }
    if let text = node.value.text { return .text(text) }
    let joining = Facts(.joining, node, at: node.place, language.reading)
    let (member, form) = (joining.text("member"), joining.text("layout"))
    if let member { return .member(member) }
    return form == "list" ? .list : .members
  }

  private func values() -> Service.Filters.Values {
    let section = facts.section("values", .values)
    var values = Service.Filters.Values()
    if let text = section.text("quote") { values.quote = text }
    values.escape = section.text("escape")
    if let text = section.text("escaped") { values.escaped = text }
    if let text = section.text("true") { values.yes = text }
    if let text = section.text("false") { values.no = text }
    if let text = section.text("separator") { values.separator = text }
    if let text = section.text("wildcards") { values.wildcards = text }
    return values
  }

  // MARK: Orders and fields

  /// Which orders the service makes.
  func sorting() -> Service.Sorting? {
    let sort = facts.section("sort", .sort)
    let (other, ascending, descending) = (
      sort.text("directionParameter"), sort.text("ascending"), sort.text("descending")
    )
    let direction: Service.Sorting.Direction
    switch sort.text("direction") {
    case "parameter"? where ascending == nil && descending == nil: direction = .parameter(other ?? "")
    case "parameter"?:
      direction = .words(other ?? "", ascending: ascending ?? "asc", descending: descending ?? "desc")
    case "suffix"?: direction = .suffix(ascending: ascending ?? "", descending: descending ?? "")
    case "separate"?: direction = .descending(other ?? "")
    case "value"?: direction = .value(ascending: ascending ?? "asc", descending: descending ?? "desc")
    default: direction = .minus
    }
    if ["parameter", "separate"].contains(sort.text("direction")), sort["directionParameter"] == nil {
      sort.mistake("directionParameter is missing", hint: "for example directionParameter: order")
    }
    let standard = sort.text("default").map { text in
      SortKey(FieldPath(text.first == "-" ? String(text.dropFirst()) : text), isDescending: text.first == "-")
    }
    let (exact, own, isMultiple) = (sort.texts("exactFields") ?? [], sort.texts("fields"), sort.flag("multiple"))
    let list = sort.arrays("arrays")
    guard let parameter = sort.required("parameter", "sort") else { return nil }
    if (sort.text("direction") == "value") != parameter.contains(text: "{field}") {
      sort.mistake(
        "parameter must contain {field} with direction: value, and must not contain it otherwise",
        hint: "for example parameter: \"order[{field}]\" with direction: value")
    }
    var sorting = Service.Sorting(
      parameter, direction: direction, exact: exact, own: own, isMultiple: isMultiple, default: standard)
    sorting.list = list
    return sorting
  }

  /// How the service is asked for some fields only.
  func projection() -> Service.Projection? {
    let section = facts.section("projection", .projection)
    let (always, forRecords) = (section.texts("always") ?? [], section.flag("forRecords"))
    let (list, longest) = (section.arrays("arrays"), section.integer("maximumUrlLength"))
    guard let parameter = section.required("parameter", "fields") else { return nil }
    var projection = Service.Projection(parameter, always: always, isForRecords: forRecords)
    projection.list = list
    projection.longestAddress = longest
    return projection
  }

  /// How the service is asked to search.
  func searching() -> Service.Searching? {
    let search = facts.section("search", .search)
    let isSuperset = search.text("accuracy") == "superset"
    return search.text("parameter").map { Service.Searching($0, fidelity: isSuperset ? .superset : .exact) }
  }

  /// How a list is asked to show other records within its own.
  func embedding() -> Service.Embedding? {
    let expand = facts.section("expand", .expand)
    let (names, list) = (expand.texts("names") ?? [], expand.arrays("arrays"))
    guard let parameter = expand.required("parameter", "expand") else { return nil }
    var embedding = Service.Embedding(parameter, names: names)
    embedding.list = list
    return embedding
  }
}
