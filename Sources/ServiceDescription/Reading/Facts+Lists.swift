import BackendKit

extension Facts {
  /// Where something stands in a response; nil where nothing says it.
  func locator() -> Service.ResponseLocation? {
    let given = ["header", "member", "parameter", "relation", "entry", "contentRange"].filter { self[$0] != nil }
    if given.count > 1, given != ["header", "member"] {
      mistake("only one of \(given.joined(separator: " and ")) can be given")
    }
    let of = member("in")
    let (name, value) = (text("where"), text("equals"))
    let place = self.member("member")
    if let header = text("header") { return .header(header, member: place ?? []) }
    if let place { return .member(place) }
    if let relation = text("relation") { return .relation(relation) }
    if flag("contentRange") { return .contentRange }
    if let parameter = text("parameter") {
      if let of { return .parameter(parameter, of: of) }
      mistake("in is missing", hint: "where the address with this parameter is, for example in: links.next")
    }
    if text("entry") != nil {
      if let of, let name, let value { return .entry(of: of, where: name, is: value, member: text("entry") ?? "") }
      mistake(
        "in, where and equals are needed", hint: "for example {in: link, where: relation, equals: next, entry: url}")
    }
    return nil
  }

  /// How several values are sent; nil where it is not said.
  func arrays(_ key: String) -> Service.ListForm? {
    guard let node = self[key] else { return nil }
    switch node.value {
    case .string("comma"): return .separated(",")
    case .string("repeat"): return .repeated
    case .string("brackets"): return .bracketed
    case .string("indexed"): return .indexed
    case .string("json"): return .json
    default: break
    }
    let form = Facts(.arrays, node, at: node.place, reading)
    let (separator, member) = (form.text("separator"), form.value("member"))
    if form.isThere, separator == nil, member == nil { form.mistake("separator or member is missing") }
    return separator.map { .separated($0) } ?? member.map { .members($0) }
  }
}

/// The facts that say how a list is read.
struct ListFacts {
  let facts: Facts

  /// How a list is asked for.
  func listing() -> Service.Listing {
    let request = facts.section("listRequest", .listRequest)
    var listing = Service.Listing(
      method: request.text("method") ?? "GET", path: request.path("path")?.segments ?? [],
      members: request.value("members")?.object ?? Object(), isRepeatable: request.flag("repeatable"))
    let encoding = request.text("encoding").flatMap { Service.Listing.Encoding(rawValue: $0) } ?? .json
    let parameter = request.text("parameter")
    switch request.text("in") {
    case "body"?:
      listing.carrier = .body
      if listing.method == "GET" { request.mistake("GET has no body", at: "in", hint: "write method: POST") }
    case "parameter"?:
      if let parameter {
        listing.carrier = .parameter(parameter, encoding)
      } else {
        request.mistake("parameter is missing", hint: "for example parameter: q")
      }
    default: break
    }
    // Nothing in the request tells a list by POST from a write.
    if listing.method == "POST", !facts.reading.isTrusted {
      request.mistake(
        "a list by POST counts as a read only in a trusted configuration", at: "method",
        hint: "trust the configuration that names this description")
    }
    return listing
  }

  /// How a list is divided into pages.
  func paging() -> Service.Paging {
    var paging = Service.Paging()
    let page = facts.section("page", .page)
    style(page, &paging)
    paging.next = page.section("next", .location).locator() ?? (paging.link == nil ? nil : .relation("next"))
    paging.pages = page.section("pageCount", .location).locator()
    paging.repeatsLast = page.flag("repeatsLast")
    paging.mayIgnore = page.flag("mayReturnAll")
    if let last = page.integer("maximumOffset") { paging.lastOffset = last }
    if let reach = page.integer("reach") { paging.reach = reach }
    if paging.repeatsLast, paging.pages == nil { page.mistake("repeatsLast requires pageCount") }
    size(&paging)
    end(&paging)
    total(&paging)
    return paging
  }

  /// How it is waited for that a list changes; nil where that is not described.
  func longPoll() -> Service.LongPoll? {
    let poll = facts.section("longPoll", .longPoll)
    let (parameter, index) = (poll.text("parameter"), poll.section("index", .location).locator())
    guard poll.isThere else { return nil }
    guard let parameter, let index else {
      poll.mistake(
        "parameter and index are needed", hint: "for example {parameter: index, index: {header: X-Consul-Index}}")
      return nil
    }
    var longPoll = Service.LongPoll(parameter, index: index)
    longPoll.waitParameter = poll.text("waitParameter")
    if let template = poll.text("template") { longPoll.wait = template }
    if let longest = poll.integer("maximum") { longPoll.longest = longest }
    return longPoll
  }

  private func style(_ page: Facts, _ paging: inout Service.Paging) {
    let (parameter, style) = (page.text("parameter"), page.text("style"))
    if page.isThere, page["style"] == nil { page.mistake("style is missing", hint: "for example style: number") }
    let (header, text, end) = (page.text("header"), page.text("template"), page.text("endParameter"))
    if let style, !["none", "untested", "link"].contains(style), page["parameter"] == nil, page["header"] == nil {
      page.mistake("parameter is missing", hint: "the parameter that requests a page")
    }
    let first = page.integer("first")
    let next = page["next"]
    let member = page.member("member")
    let (isInclusive, field, base) = (page.flag("inclusive"), page.text("field"), page.text("relativeTo"))
    if let number = page.text("numberParameter") { paging.number = (number, first ?? 1) }
    switch style {
    case "number"?: paging.number = parameter.map { ($0, first ?? 1) }
    case "offset"?:
      paging.offset = parameter
      paging.firstOffset = first ?? 0
    case "range"?:
      if let text {
        paging.range = (header ?? parameter).map { Service.Range($0, isHeader: header != nil, text: text) }
      } else if let end, let parameter {
        paging.stretch = (parameter, end)
        paging.stretchIsInclusive = isInclusive
      } else if page["template"] == nil, page["endParameter"] == nil {
        page.mistake("endParameter or template is missing", hint: "for example template: \"items={first}-{last}\"")
      }
    case "cursor"?:
      paging.cursor = parameter
      if next == nil { page.mistake("next is missing", hint: "where a response has the next cursor") }
    case "after"?:
      paging.after = parameter.map { ($0, field ?? "id") }
      paging.afterMember = member
    case "untested"?: (paging.isUntested, paging.untestedParameter) = (true, parameter)
    // What a probe did not find is not proved to be missing.
    case "none"?:
      paging.isUntested = (page.text("source") ?? page.section("source", .source).text("from")) == "probe"
    case "link"?: paging.link = base.flatMap { Service.LinkBase(rawValue: $0) } ?? .request
    default: break
    }
  }

  private func size(_ paging: inout Service.Paging) {
    let size = facts.section("size", .size)
    paging.size = size.text("parameter")
    paging.defaultSize = size.integer("default")
    paging.cap = size.integer("maximum")
    switch size.text("whenTooLarge") {
    case "refuse"?: paging.over = .refuses
    case "ignore"?: paging.over = .ignores
    case "send"?: paging.over = .sends
    default: paging.over = .clamps
    }
    paging.echoedSize = size.section("reportedIn", .location).locator()
  }

  private func end(_ paging: inout Service.Paging) {
    let end = facts.section("end", .end)
    for word in end.texts("when") ?? [] {
      switch word {
      case "noNext": paging.ends.insert(.noNext)
      case "total": paging.ends.insert(.total)
      case "pages": paging.ends.insert(.pages)
      case "shortPage": paging.ends.insert(.shortPage)
      case "emptyPage": paging.ends.insert(.emptyPage)
      case "repeats": paging.ends.insert(.repeats)
      default: break
      }
    }
    if let more = end.member("hasMore") { paging.ends.insert(.hasMore(more)) }
    for status in end.integers("statuses") { paging.ends.insert(.status(status)) }
  }

  private func total(_ paging: inout Service.Paging) {
    let total = facts.section("total", .total)
    paging.total = total.locator()
    paging.counting.isEstimated = total.flag("estimated")
    paging.counting.parameters = total.pairs("parameters") ?? []
    paging.counting.headers = total.pairs("headers") ?? []
    paging.counting.isOnFirstPageOnly = total.flag("firstPageOnly")
    paging.counting.byHead = total.flag("head")
    paging.counting.path = total.path("path")?.segments ?? []
    if total.isThere, paging.total == nil {
      total.mistake("its location is missing", hint: "for example member: total")
    }
  }
}
