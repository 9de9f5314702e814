import BackendKit

struct QueryFacts: Facts {
  let from: SectionNode

  func sort() -> Service.Sorting? {
    let parameter = required(
      Key.sortParameter, "the parameter for the fields; with direction: value, one per field, as in `order[{field}]`",
      example: "sort")
    let directions: [Word] = [
      ("minus", "a minus sign before the name"), ("parameter", "a word in another parameter"),
      ("suffix", "a suffix after the name"),
      (
        "separate",
        "for descending order, another parameter for the names; all fields must then have the same direction"
      ),
      ("value", "a word as the value of each field's own parameter"),
    ]
    let word: String? = word(Key.sortDirection, directions, "how the direction is written (default: minus)")
    let other = text(Key.sortDirectionParameter, "the other parameter")
    let ascending = text(Key.sortAscending, "the word, or the suffix after the name (default: asc)", .mayBeEmpty)
    let descending = text(Key.sortDescending, "the word, or the suffix after the name (default: desc)", .mayBeEmpty)
    let exact = texts(
      "exactFields", "fields that the service sorts in the same order as the console", formerly: "exact")
    var sorting = Service.Sorting(
      parameter ?? "", direction: .minus, exact: isLikely("exactFields") ? [] : exact ?? [],
      own: texts(Key.sortFields, "fields that it sorts by its own rules (default: any)"),
      isMultiple: flag("multiple", "whether it can sort by several fields"))
    sorting.list = arrays()
    sorting.defaultKey = text("default", "the order to request by default, so that pages do not overlap: `id`, `-id`")
      .map { SortKey(FieldPath($0.first == "-" ? String($0.dropFirst()) : $0), isDescending: $0.first == "-") }
    let words = (ascending ?? "asc", descending ?? "desc")
    switch word {
    case "parameter"? where ascending == nil && descending == nil: sorting.direction = .parameter(other ?? "")
    case "parameter"?: sorting.direction = .words(other ?? "", ascending: words.0, descending: words.1)
    case "suffix"?: sorting.direction = .suffix(ascending: ascending ?? "", descending: descending ?? "")
    case "separate"?: sorting.direction = .descending(other ?? "")
    case "value"?: sorting.direction = .value(ascending: words.0, descending: words.1)
    default: break
    }
    if ["parameter", "separate"].contains(word), other == nil {
      missing("directionParameter", "for example directionParameter: order")
    }
    guard let parameter else { return nil }
    if (word == "value") != parameter.contains(text: "{field}") {
      mistake(
        "parameter must contain {field} with direction: value, and must not contain it otherwise",
        hint: "for example parameter: \"order[{field}]\" with direction: value")
    }
    return sorting
  }

  func projection() -> Service.Projection? {
    let parameter = required(Key.projectionParameter, "the parameter for the names", example: "fields")
    var projection = Service.Projection(
      parameter ?? "", always: texts("always", "fields that are always requested") ?? [],
      isForRecords: flag("forRecords", "whether this also works for single records"))
    projection.list = arrays()
    projection.longestAddress = integer(
      "maximumUrlLength", 1...1_000_000, "the maximum length of the address that the service accepts",
      formerly: "longestAddress")
    return parameter == nil ? nil : projection
  }

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
    resource.hasSearch = isThere && parameter == nil
  }

  func expand() -> Service.Embedding? {
    let parameter = required("parameter", "the parameter for the names", example: "expand")
    var embedding = Service.Embedding(parameter ?? "", names: texts("names", "the names it accepts, if known") ?? [])
    embedding.list = arrays()
    return parameter == nil ? nil : embedding
  }
}
