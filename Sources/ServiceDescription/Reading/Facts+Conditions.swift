import BackendKit

extension Facts {
  /// Which conditions the service checks, with values that are written so.
  func filter(_ values: Service.Filters.Values) -> Service.Filters? {
    let fields = read(
      "fields", .either(.word([("described", "every field that is described")]), .list(.text())),
      "the fields that it can check")
    let rows = rows()
    var filters = Service.Filters(fields?.value.array?.compactMap(\.text) ?? [], rows: rows)
    filters.takesDescribed = fields?.value.text != nil
    filters.language = section(.language, "the one parameter that contains all conditions").language()
    filters.unknown =
      word(
        "unknownField",
        [
          ("ignores", "it ignores the condition"), ("refuses", "it refuses the request"),
          ("all", "it finds every record"), ("none", "it finds none"),
        ],
        "what the service does with a field that it cannot check (default: refuses)", formerly: "unknown")
      ?? filters.unknown
    filters.repetition =
      word(
        "repeatedParameter", [("and", "all hold"), ("or", "one holds")],
        "how it reads a repeated parameter (default: parameters are not repeated)", formerly: "repeated")
      ?? filters.repetition
    filters.values = values
    filters.isLikely = isLikely("conditions")
    source()
    return isThere && !rows.isEmpty ? filters : nil
  }

  private func rows() -> [Service.Filters.Row] {
    let conditions = read(
      "conditions", .map(of: "comparison", .either(.text(), .oneOrMore(.section(.condition)))),
      "how each comparison is written: `=` `!=` `<` `<=` `>` `>=` `~` (contains) `in` `null` `notNull` `missing`")
    return (conditions?.members ?? []).flatMap { member -> [Service.Filters.Row] in
      guard let comparison = Service.Filters.Comparison(rawValue: member.name), !member.node.isNull else { return [] }
      if let text = member.node.value.text {
        checkPlaceholders(of: text, at: "conditions")
        return [Service.Filters.Row(comparison, text, fidelity: Self.unsaid(comparison))]
      }
      guard case .list(let nodes) = member.node.content else { return [below(.condition, member.node).row(comparison)] }
      return nodes.map { below(.condition, $0).row(comparison) }
    }
  }

  /// The accuracy of a comparison where nothing says it. Databases leave records without a value out of `!=`, which
  /// the console would find, so that it is for the author to say that the service does not.
  private static func unsaid(_ comparison: Service.Filters.Comparison) -> Fidelity {
    comparison == .notEqual ? .not : .superset
  }

  /// Refuses a name in braces for which nothing would be put in.
  private func checkPlaceholders(of text: String, at key: String) {
    guard let name = text.placeholders.first(where: { !Self.placeholders.contains($0) }) else { return }
    notPlaceholder(name, at: key, Self.placeholders)
  }

  func notPlaceholder(_ name: String, at key: String, _ known: [String]) {
    let known = known.map { "{\($0)}" }.joined(separator: ", ")
    mistake("{\(name)} is not a placeholder", at: key, hint: known.isEmpty ? nil : "placeholders: \(known)")
  }

  private static let placeholders = ["field", "value", "values"]

  func row(_ comparison: Service.Filters.Comparison) -> Service.Filters.Row {
    let template = text(
      "template",
      "the parameter or, in a query language, the condition: `{field}` is the field, `{value}` the value, `{values}` a list of values"
    )
    let value = text(
      "value", "the value of the parameter, with the same placeholders (default: `{value}`)", .mayBeEmpty)
    if let template { checkPlaceholders(of: template, at: "template") }
    if let value { checkPlaceholders(of: value, at: "value") }
    let document = self.value("document", "the condition as JSON, for a language that is JSON")
    if isThere, template == nil, document == nil {
      mistake("template or document is missing", hint: "for example template: \"{field}\"")
    }
    for text in document?.allTexts ?? [] { checkPlaceholders(of: text, at: "document") }
    let fidelity: Fidelity? = choice(
      "accuracy",
      [
        ("exact", "exactly what the console would find", .exact),
        (
          "superset", "more than that, which the console checks again, and for `!=` records without a value, too",
          .superset
        ),
      ],
      "how exactly the service checks it (default: superset; `!=` is only sent with it)", formerly: "is")
    let fields = texts("fields", "the fields it applies to (default: all that can be checked)")
    var row = Service.Filters.Row(
      comparison, template ?? "", value: value ?? "{value}", document: document,
      fidelity: isLikely("accuracy") ? .superset : fidelity ?? Self.unsaid(comparison), fields: fields)
    row.ignoresCase = flag("ignoresCase", "whether the service ignores case")
    row.comparesTexts = flag(
      "codePointOrder",
      "for order comparisons and `!=`: whether text is compared by code point; otherwise the console compares text",
      formerly: "texts")
    row.list = arrays()
    return row
  }

  func language() -> Service.Filters.Language? {
    let parameter = required("parameter", "the parameter", example: "filter")
    let and = joining("and", "how conditions are joined if all of them must match")
    let or = joining("or", "how conditions are joined if any one of them must match")
    let group = text("group", "the text around joined conditions nested in others (default: `({0})`)")
    let not = text("not", "the negation of a condition, for example `not ({0})`")
    let longest = integer(
      "maximumLength", 1...1_000_000, "the maximum length of the text that the service accepts", formerly: "longest")
    guard let parameter else { return nil }
    guard let and else {
      mistake("and is missing", hint: "for example and: \" and \"")
      return nil
    }
    return Service.Filters.Language(parameter, and: and, or: or, group: group ?? "({0})", not: not, longest: longest)
  }

  private func joining(_ key: String, _ help: String) -> Service.Filters.Language.Joining? {
    guard let node = read(key, .either(.text(), .section(.joining)), help) else { return nil }
    return node.value.text.map { .text($0) } ?? below(.joining, node).joining()
  }

  func joining() -> Service.Filters.Language.Joining {
    let layout: Service.Filters.Language.Joining? = choice(
      "layout", [("members", "as members of one object", .members), ("list", "as a list", .list)],
      "how they are arranged", formerly: "as")
    return text("member", "the member that contains the list").map { .member($0) } ?? layout ?? .members
  }

  // MARK: Orders and fields

  /// Which orders the service makes.
  func sort() -> Service.Sorting? {
    let parameter = required(
      Key.sortParameter, "the parameter for the fields; with direction: value, one per field, as in `order[{field}]`",
      example: "sort")
    let word: String? = word(
      Key.sortDirection,
      [
        ("minus", "a minus sign before the name"), ("parameter", "a word in another parameter"),
        ("suffix", "a suffix after the name"),
        (
          "separate",
          "a separate parameter for the names when the order is descending; all keys must then have the same direction"
        ),
        ("value", "a word as the value of each field's own parameter"),
      ],
      "how the direction is written (default: minus)")
    let other = text(Key.sortDirectionParameter, "the other parameter")
    let ascending = text(Key.sortAscending, "the word, or the suffix after the name (default: asc)", .mayBeEmpty)
    let descending = text(Key.sortDescending, "the word, or the suffix after the name (default: desc)", .mayBeEmpty)
    let exact = texts(
      "exactFields", "fields that the service sorts in the same order as the console", formerly: "exact")
    let own = texts(Key.sortFields, "fields that it sorts by its own rules (default: any)")
    let isMultiple = flag("multiple", "whether it can sort by several fields")
    let list = arrays()
    let standard = text("default", "the order to request by default, so that pages do not overlap: `id`, `-id`").map {
      SortKey(FieldPath($0.first == "-" ? String($0.dropFirst()) : $0), isDescending: $0.first == "-")
    }
    source()
    let direction: Service.Sorting.Direction
    switch word {
    case "parameter"? where ascending == nil && descending == nil: direction = .parameter(other ?? "")
    case "parameter"?:
      direction = .words(other ?? "", ascending: ascending ?? "asc", descending: descending ?? "desc")
    case "suffix"?: direction = .suffix(ascending: ascending ?? "", descending: descending ?? "")
    case "separate"?: direction = .descending(other ?? "")
    case "value"?: direction = .value(ascending: ascending ?? "asc", descending: descending ?? "desc")
    default: direction = .minus
    }
    if ["parameter", "separate"].contains(word), other == nil {
      mistake("directionParameter is missing", hint: "for example directionParameter: order")
    }
    guard let parameter else { return nil }
    if (word == "value") != parameter.contains(text: "{field}") {
      mistake(
        "parameter must contain {field} with direction: value, and must not contain it otherwise",
        hint: "for example parameter: \"order[{field}]\" with direction: value")
    }
    var sorting = Service.Sorting(
      parameter, direction: direction, exact: isLikely("exactFields") ? [] : exact ?? [], own: own,
      isMultiple: isMultiple, default: standard)
    sorting.list = list
    return sorting
  }

  /// Reads the way to request only some fields.
  func projection() -> Service.Projection? {
    let parameter = required(Key.projectionParameter, "the parameter for the names", example: "fields")
    let always = texts("always", "fields that are always requested")
    let forRecords = flag("forRecords", "whether this also works for single records")
    var projection = Service.Projection(parameter ?? "", always: always ?? [], isForRecords: forRecords)
    projection.list = arrays()
    projection.longestAddress = integer(
      "maximumUrlLength", 1...1_000_000, "the maximum length of the address that the service accepts",
      formerly: "longestAddress")
    source()
    return parameter == nil ? nil : projection
  }

  /// Reads how the service is asked to search.
  func search(_ resource: inout Service.Resource) {
    let parameter = text(
      Key.searchParameter, "the parameter for the text; omit it if the hook `compileQuery` builds the query")
    let fidelity: Fidelity? = choice(
      "accuracy",
      [("exact", "its result is exact", .exact), ("superset", "the console checks the result again", .superset)],
      "how exactly it searches; without it, the console searches", formerly: "is")
    if let parameter, let fidelity, !isLikely("accuracy") {
      resource.searching = Service.Searching(parameter, fidelity: fidelity)
    }
    source()
    resource.hasSearch = isThere && parameter == nil
  }

  /// Reads the way to request a list with related records embedded in its own.
  func expand() -> Service.Embedding? {
    let parameter = required("parameter", "the parameter for the names", example: "expand")
    var embedding = Service.Embedding(parameter ?? "", names: texts("names", "the names it accepts, if known") ?? [])
    embedding.list = arrays()
    source()
    return parameter == nil ? nil : embedding
  }
}

extension String {
  /// The names in braces: letters alone, so that none of a language with braces of its own counts.
  var placeholders: [String] {
    split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      let name = part.prefix { $0.isASCII && $0.isLetter }
      return !name.isEmpty && part.dropFirst(name.count).first == "}" ? String(name) : nil
    }
  }
}

extension Value {
  /// The texts in it, and the names of its members.
  var allTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.allTexts)
    case .object(let object): object.members.flatMap { name, value in [name] + value.allTexts }
    case .null, .bool, .number: []
    }
  }
}
