import BackendKit

struct ConditionFacts: Facts {
  let from: SectionNode

  func filter(_ values: Service.Filters.Values) -> Service.Filters? {
    let fields = read(
      "fields", .either(.word([("described", "every field that is described")]), .list(.text())),
      "the fields that it can check")
    let rows = rows()
    var filters = Service.Filters(fields?.value.array?.compactMap(\.text) ?? [], rows: rows)
    filters.takesDescribed = fields?.value.text != nil
    filters.language = Self(section(.language, "the one parameter that contains all conditions")).language()
    let answers: [Word] = [
      ("ignores", "it ignores the condition"), ("refuses", "it refuses the request"),
      ("all", "it finds every record"), ("none", "it finds none"),
    ]
    let unknown: Service.Filters.Unknown? = word(
      "unknownField", answers, "what the service does with a field that it cannot check (default: refuses)",
      formerly: "unknown")
    let repetition: Service.Filters.RepeatedParameter? = word(
      "repeatedParameter", [("and", "all hold"), ("or", "one holds")],
      "how it reads a repeated parameter (default: parameters are not repeated)", formerly: "repeated")
    set(&filters.unknown, unknown)
    set(&filters.repetition, repetition)
    filters.values = values
    filters.isLikely = isLikely("conditions")
    return isThere && !rows.isEmpty ? filters : nil
  }

  private func rows() -> [Service.Filters.Row] {
    let conditions = read(
      "conditions", .map(of: "comparison", .either(.text(), .oneOrMore(.section(.condition)))),
      "how each comparison is written: `=` `!=` `<` `<=` `>` `>=` `~` (contains) `in` `null` `notNull` `missing`")
    return (conditions?.members ?? []).flatMap { member -> [Service.Filters.Row] in
      guard let comparison = Service.Filters.Comparison(rawValue: member.name), !member.node.isNull else { return [] }
      if let text = member.node.value.text {
        checkPlaceholders(text.placeholders, at: "conditions", Self.placeholders)
        return [Service.Filters.Row(comparison, text, fidelity: Self.unsaid(comparison))]
      }
      return (member.node.elements ?? [member.node]).map { Self(below($0)).row(comparison) }
    }
  }

  /// The default accuracy of a comparison. Databases omit records without a value from `!=`, which the console would
  /// find; only the author can say that a service includes them.
  private static func unsaid(_ comparison: Service.Filters.Comparison) -> Fidelity {
    comparison == .notEqual ? .not : .superset
  }

  private static let placeholders = ["field", "value", "values"]

  func row(_ comparison: Service.Filters.Comparison) -> Service.Filters.Row {
    let template = text(
      "template",
      "the parameter or, in a query language, the condition: `{field}` is the field, `{value}` the value, `{values}` a list of values"
    )
    let value = text(
      "value", "the value of the parameter, with the same placeholders (default: `{value}`)", .mayBeEmpty)
    checkPlaceholders(template?.placeholders ?? [], at: "template", Self.placeholders)
    checkPlaceholders(value?.placeholders ?? [], at: "value", Self.placeholders)
    let document = self.value("document", "the condition as JSON, for a language that is JSON")
    if isThere, template == nil, document == nil {
      missing("template or document", "for example template: \"{field}\"")
    }
    for text in document?.allTexts ?? [] {
      checkPlaceholders(text.placeholders, at: "document", Self.placeholders)
    }
    let more = "more than that, which the console checks again, and for `!=` records without a value, too"
    let fidelity: Fidelity? = choice(
      "accuracy", [("exact", "exactly what the console would find", .exact), ("superset", more, .superset)],
      "how exactly the service checks it (default: superset; `!=` is sent only if this key is present)", formerly: "is")
    var row = Service.Filters.Row(
      comparison, template ?? "", value: value ?? "{value}", document: document,
      fidelity: isLikely("accuracy") ? .superset : fidelity ?? Self.unsaid(comparison),
      fields: texts("fields", "the fields it applies to (default: all that can be checked)"))
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
      missing("and", "for example and: \" and \"")
      return nil
    }
    return Service.Filters.Language(parameter, and: and, or: or, group: group ?? "({0})", not: not, longest: longest)
  }

  private func joining(_ key: String, _ help: String) -> Service.Filters.Language.Joining? {
    guard let node = read(key, .either(.text(), .section(.joining)), help) else { return nil }
    return node.value.text.map { .text($0) } ?? Self(below(node)).joining()
  }

  func joining() -> Service.Filters.Language.Joining {
    let layout: Service.Filters.Language.Joining? = choice(
      "layout", [("members", "as members of one object", .members), ("list", "as a list", .list)],
      "how they are arranged", formerly: "as")
    return text("member", "the member that contains the list").map { .member($0) } ?? layout ?? .members
  }
}
