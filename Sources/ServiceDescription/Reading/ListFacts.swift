import BackendKit

struct ListFacts: Facts {
  let from: SectionNode

  /// Reads how a list is requested.
  func listRequest(_ resource: inout Service.Resource) {
    let methods: [Word] = [
      ("GET", "GET"),
      ("POST", "POST; only in a trusted configuration, since it cannot be distinguished from a write"),
      ("LIST", "LIST, as in Vault"),
    ]
    let method: String? = word("method", methods, "the method (default: GET)")
    let path = segments("path", "the path, relative to that of the resource")
    let carriers: [Word] = [
      ("query", "in parameters, one each"), ("body", "in a JSON object"),
      ("parameter", "in an object that is the value of one parameter"),
    ]
    let carrier: String? = word(
      Key.listRequestIn, carriers,
      "where conditions, order and page are sent (default: query); dots in their names nest, as in `page.limit`")
    let parameter = text(Key.listRequestParameter, "parameter: its name")
    let encoding: Service.Listing.Encoding? = word(
      Key.listRequestEncoding, [("json", "JSON"), ("rison", "Rison")],
      "parameter: how the object is encoded (default: json)")
    var listing = Service.Listing(method: method ?? "GET", path: path)
    set(&listing.members, object("members", of: "member", "members that every object has"))
    listing.isRepeatable = flag("repeatable", "POST: whether it may be sent again if the response is lost")
    if carrier == "body" {
      listing.carrier = .body
      if listing.method == "GET" { mistake("GET has no body", at: "in", hint: "write method: POST") }
    }
    if carrier == "parameter" {
      listing.carrier = .parameter(parameter ?? "", encoding ?? .json)
      if parameter == nil { missing("parameter", "for example parameter: q") }
    }
    resource.listing = listing
    // A list by POST looks like a write.
    if method == "POST", !reading.isTrusted {
      mistake(
        "a list by POST counts as a read only in a trusted configuration", at: "method",
        hint: "trust the configuration that names this description")
    }
  }

  // MARK: Pages

  func page(_ resource: inout Service.Resource) {
    var paging = resource.paging
    let styles: [Word] = [
      ("none", "the whole list is in one response"),
      ("untested", "no way to request a second page was found: the response may be only the first page"),
      ("number", "by page number"), ("offset", "by the number of records before the page"),
      ("range", "by the first and the last position, from 0"), ("cursor", "by a cursor in the response"),
      ("after", "by a value of the last record received"),
      ("link", "by a link to the next page in the response"),
    ]
    let style: String? = word(
      Key.pageStyle, styles,
      "how to request a page; a list without `page` is not verified to be complete, and counts as incomplete if its response has a sign of more records"
    )
    let parameter = text(
      Key.pageParameter,
      "the parameter for the number, offset, first position, cursor or value; with `untested`, one that is only listed in the service's document"
    )
    let first = integer(Key.pageFirst, 0...1, "the number of the first page, or of the first record")
    let header = text("header", "range: the header field, for example Range", .header)
    let template = text(
      "template",
      "range in a single string: `{first}`, `{last}` and `{size}` are replaced: `items={first}-{last}`",
      formerly: "text")
    let end = text("endParameter", "range in two parameters: the one for the last position")
    let isInclusive = flag("inclusive", "range: whether the second value is the last position, not the one after it")
    let number = text(
      "numberParameter", "another parameter for the page number, used if the position is a multiple of the size")
    if let number { paging.number = (number, first ?? 1) }
    let field = text(
      Key.pageField,
      "after: the field whose value is sent (default: the identifier); another field that is not `unique` proves no end"
    )
    let member = member(
      "member",
      "after: a member next to the record's fields that is sent as JSON instead of a field, such as `sort` in Elasticsearch; `sort.default` is then part of every order"
    )
    let last = integer(
      "maximumOffset", Self.count, "the largest offset that can be requested", formerly: "lastOffset")
    let reach = integer(
      "reach", Self.count, "the maximum number of records reachable by page number or offset: 10000 in Elasticsearch")
    set(&paging.lastOffset, last)
    set(&paging.reach, reach)
    let next = location(Key.pageNext, "where a response has the cursor, address or number of the next page")
    let base: Service.LinkBase? = word(
      Key.pageRelativeTo, [("request", "to the address of the request"), ("api", "to the backend's address")],
      "link: what the address is relative to")
    paging.pages = location("pageCount", "where a response gives the number of pages", formerly: "pages")
    paging.repeatsLast = flag(
      "repeatsLast", "whether a page past the end repeats the last one; `pageCount` then marks the end")
    paging.mayIgnore = flag(
      "mayReturnAll", "whether the service may send the whole list when a page was requested", formerly: "mayIgnore")
    let stabilities: Choices<Capabilities.PagingConsistency> = [
      ("shifting", "records may be missed or repeated while others write", .shifting),
      ("stable", "each record that is not deleted appears exactly once", .stable),
    ]
    let stability = choice("stability", stabilities, "how pages behave while others write")
    if let stability, !isLikely("stability") { resource.stability = stability }
    paging.isLikely = isLikely(Key.pageStyle)

    if isThere, style == nil { missing("style", "for example style: number") }
    if let style, !["none", "untested", "link"].contains(style), parameter == nil, header == nil {
      missing("parameter", "the parameter that requests a page")
    }
    switch style {
    case "number"?: paging.number = parameter.map { ($0, first ?? 1) }
    case "offset"?: (paging.offset, paging.firstOffset) = (parameter, first ?? 0)
    case "range"?:
      if let template {
        paging.range = (header ?? parameter).map { Service.Range($0, isHeader: header != nil, text: template) }
      } else if let end {
        paging.stretch = parameter.map { ($0, end) }
        paging.stretchIsInclusive = isInclusive
      } else {
        missing("endParameter or template", "for example template: \"items={first}-{last}\"")
      }
    case "cursor"?:
      paging.cursor = parameter
      if !has(Key.pageNext), !reading.computesPages { missing("next", "where a response has the next cursor") }
    case "after"?:
      paging.after = parameter.map { ($0, field ?? resource.identifier.field ?? "id") }
      paging.afterMember = member
    case "untested"?: (paging.isUntested, paging.untestedParameter) = (true, parameter)
    // A probe may have missed the page style.
    case "none"?: (paging.sendsWholeLists, paging.isUntested) = (source != "probe", source == "probe")
    case "link"?: paging.link = base ?? .request
    default: break
    }
    paging.next = next ?? (paging.link == nil ? nil : .relation("next"))
    if paging.repeatsLast, paging.pages == nil { mistake("repeatsLast requires pageCount") }
    // Pages that nobody has read are proved by the walk.
    paging.isUnread = from.isLikely && style != "none"
    resource.paging = paging
  }

  func longPoll() -> Service.LongPoll? {
    let parameter = text("parameter", "the parameter for the state of the list, from an earlier response")
    let index = location("index", "where a response has it")
    let wait = text("waitParameter", "the parameter for the maximum wait")
    let template = text("template", "how the wait is written (default: `{seconds}`): `{seconds}s`")
    let longest = integer(
      "maximum", Self.count, "the maximum wait to request, in seconds (default: 20); responses time out after 30")
    guard isThere else { return nil }
    guard let parameter, let index else {
      mistake(
        "parameter and index are needed", hint: "for example {parameter: index, index: {header: X-Consul-Index}}")
      return nil
    }
    var longPoll = Service.LongPoll(parameter, index: index)
    longPoll.waitParameter = wait
    set(&longPoll.wait, template)
    set(&longPoll.longest, longest)
    return longPoll
  }

  func size(_ paging: inout Service.Paging) {
    paging.size = text(Key.sizeParameter, "the parameter for it")
    let size = integer(Key.sizeDefault, Self.count, "the page size to request by default")
    paging.defaultSize = paging.isUnread ? nil : size
    paging.least = integer(Key.sizeMinimum, Self.count, "the minimum page size: no smaller one is requested")
    paging.cap = integer(Key.sizeMaximum, Self.count, "the maximum page size, whatever is requested")
    let policies: Choices<Service.OversizePolicy> = [
      ("clamp", "it sends the maximum", .clamps), ("refuse", "it refuses the request", .refuses),
      ("ignore", "its page size is fixed, whatever is requested", .ignores),
      ("send", "there is no maximum: it sends as many as are requested", .sends),
    ]
    let over = choice(
      Key.sizeWhenTooLarge, policies, "what the service does with a larger size (default: clamp)", formerly: "over")
    paging.over = over ?? .clamps
    paging.echoedSize = location("reportedIn", "where a response gives the page size it used", formerly: "at")
    if isLikely(Key.sizeMaximum) { paging.isLikely = true }
    guard let least = paging.defaultSize, let most = paging.cap, least > most else { return }
    // An inherited default, or one from another source than the maximum, is lowered without complaint.
    paging.defaultSize = most
    guard source == nil || source == "author", let place = node?["default"]?.place, place.line != nil,
      place.file == node?["maximum"]?.place.file
    else { return }
    mistake("the default is more than the maximum", at: "default")
  }

  func end(_ paging: inout Service.Paging) {
    let words: Choices<Service.End> = [
      ("noNext", "the response has no next page", .noNext),
      ("total", "the number of records received equals the total", .total),
      ("pages", "the number of pages received equals the page count", .pages),
      ("shortPage", "the page has fewer records than its size", .shortPage),
      ("emptyPage", "the page has none", .emptyPage),
      ("repeats", "the page has the records of the one before it", .repeats),
    ]
    let when = read("when", .list(.word(words.map { ($0.name, $0.help) })), "what marks the end")?.value.array ?? []
    paging.ends.formUnion(words.filter { when.contains(.string($0.name)) }.map(\.value))
    let more = member(Key.endHasMore, "a member that is false on the last page")
    paging.ends.formUnion(more.map { [.hasMore($0)] } ?? [])
    paging.ends.formUnion(integers("statuses", 200...499, "statuses of a page past the end").map { .status($0) })
    if isLikely("when", "hasMore", "statuses") { paging.isLikely = true }
    if paging.isUnread { paging.ends = [] }
  }

  func total(_ paging: inout Service.Paging) {
    paging.total = LocationFacts(from).location()
    let isEstimated = answer(
      "estimated",
      "true: only an estimate, which is not shown; false: exact, so that no page is requested after a full last page"
    )
    (paging.counting.isEstimated, paging.counting.isExact) = (isEstimated == true, isEstimated == false)
    let exactIf = object(
      "exactIf", of: "member",
      "members of the response and the values with which it is exact; otherwise it is an estimate")
    paging.counting.exactIf = (exactIf ?? Object()).members.compactMap { place, value in
      MemberPath.names(place).map { (path: $0, value: value) }
    }
    paging.counting.ignoresConditions = answer(
      Key.totalIgnoresConditions,
      "whether it is that of the whole list, whatever the conditions; a list with conditions then has no total")
    paging.counting.parameters = pairs("parameters", of: "parameter", "parameters that request it")
    paging.counting.headers = pairs("headers", of: "header field", "header fields that request it")
    paging.counting.isOnFirstPageOnly = flag(
      "firstPageOnly", "whether it is requested only with the first page")
    paging.counting.byHead = flag(
      "head", "whether it is in the response to HEAD, which is sent before the first page")
    paging.counting.path = segments(
      "path",
      "a path that returns it, relative to that of the collection; requested before the first page with the conditions of the list"
    )
    if isThere, paging.total == nil { missing("its location", "for example member: total") }
  }

  /// The range of sizes and offsets.
  private static var count: ClosedRange<Int> { 1...1_000_000_000 }
}
