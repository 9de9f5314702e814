import BackendKit

extension Facts {
  /// Where something stands in a response; nil where nothing says it.
  func locator() -> Service.Locator? {
    let (header, member, parameter) = (text("header"), self.member("member"), text("parameter"))
    let of = self.member("of")
    let count = [header != nil, member != nil, parameter != nil].count { $0 }
    if isThere, count != 1,
      node?.members?.contains(where: { ["header", "member", "parameter"].contains($0.name) }) == true
    {
      mistake("only one of header, member and parameter can be given")
    }
    if let header { return .header(header) }
    if let member { return .member(member) }
    guard let parameter else { return nil }
    guard let of else {
      mistake("of is missing", hint: "where the address with this parameter stands, for example of: links.next")
      return nil
    }
    return .parameter(parameter, of: of)
  }
}

/// The facts that say how a list is read.
struct ListFacts {
  let facts: Facts

  /// How a list is divided into pages.
  func paging() -> Service.Paging {
    var paging = Service.Paging()
    let (page, size) = (facts.section("page", .page), facts.section("size", .size))
    let parameter = page.text("parameter")
    let style = page.text("style")
    if page.isThere, style == nil, page["style"] == nil {
      page.mistake("style is missing", hint: "for example style: number")
    }
    if let style, style != "none", parameter == nil, page["parameter"] == nil {
      page.mistake("parameter is missing", hint: "the parameter that asks for a page")
    }
    switch style {
    case "number"?: paging.number = parameter.map { ($0, page.integer("first") ?? 1) }
    case "offset"?: paging.offset = parameter
    case "range"?:
      let end = page.required("endParameter", "_end")
      if let parameter, let end { paging.stretch = (parameter, end) }
      paging.number = page.text("numberParameter").map { ($0, page.integer("first") ?? 1) }
    case "cursor"?:
      paging.cursor = parameter
      if page["next"] == nil { page.mistake("next is missing", hint: "where a response has the next cursor") }
    default: break
    }
    paging.next = page.section("next", .location).locator()
    paging.pages = page.section("pages", .location).locator()
    paging.repeatsLast = page.flag("repeatsLast")
    paging.mayIgnore = page.flag("mayIgnore")
    if let last = page.integer("lastOffset") { paging.lastOffset = last }
    paging.size = size.text("parameter")
    paging.defaultSize = size.integer("default")
    paging.cap = size.integer("maximum")
    paging.echoedSize = size.section("at", .location).locator()
    paging.total = facts.section("total", .total).locator()
    return paging
  }

  /// Which conditions the service checks.
  func filters() -> Service.Filters? {
    let filter = facts.section("filter", .filter)
    guard filter.isThere else { return nil }
    let equal = filter.text("equal") ?? "{field}"
    if !equal.utf8.contains(UInt8(ascii: "{")) { filter.mistake("{field} is missing", at: "equal") }
    return Service.Filters(
      filter.texts("fields") ?? [], equal: equal, separator: filter.text("separator"),
      fidelity: filter.text("is") == "exact" ? .exact : .superset)
  }

  /// Which orders the service makes.
  func sorting() -> Service.Sorting? {
    let sort = facts.section("sort", .sort)
    guard let parameter = sort.required("parameter", "sort") else { return nil }
    let direction: Service.Sorting.Direction
    switch sort.text("direction") {
    case "parameter"?: direction = .parameter(sort.required("directionParameter", "order") ?? "")
    case "suffix"?:
      direction = .suffix(ascending: sort.text("ascending") ?? "", descending: sort.text("descending") ?? "")
    default: direction = .minus
    }
    return Service.Sorting(
      parameter, direction: direction, exact: sort.texts("exact") ?? [], own: sort.texts("fields"),
      isMultiple: sort.flag("multiple"),
      default: sort.text("default").map { text in
        let isDescending = text.first == "-"
        return SortKey(FieldPath(isDescending ? String(text.dropFirst()) : text), isDescending: isDescending)
      })
  }

  /// How the service is asked for some fields only.
  func projection() -> Service.Projection? {
    let projection = facts.section("projection", .projection)
    return projection.required("parameter", "fields").map {
      Service.Projection($0, always: projection.texts("always") ?? [], isForRecords: projection.flag("forRecords"))
    }
  }

  /// How a list is asked to show other records within its own.
  func embedding() -> Service.Embedding? {
    let expand = facts.section("expand", .expand)
    return expand.required("parameter", "expand").map { Service.Embedding($0, names: expand.texts("names") ?? []) }
  }
}
