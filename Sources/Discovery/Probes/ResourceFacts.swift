import BackendClient
import BackendKit

/// The sections of a description that hold what is known of one resource.
struct ResourceFacts {
  private let survey: ResourceSurvey
  private let base: String
  private let claims: Claims

  /// Creates the sections from the known claims about a resource, or from proposed ones.
  init(_ survey: ResourceSurvey, base: String, _ claims: Claims? = nil) {
    self.survey = survey
    self.base = base
    self.claims = claims ?? survey.claims
  }

  /// The sections, each with where it is known from.
  var sections: Object {
    var sections = Object()
    func add(_ name: String, _ section: Object) {
      guard !section.isEmpty else { return }
      var section = section
      if let source = source(name) { section["source"] = source }
      sections[name] = .object(section)
    }
    add("base", general)
    add("paths", paths(below: survey.nested))
    add("listRequest", section("listRequest", ["in", "parameter", "encoding"]))
    add("records", records)
    add("values", FilterFacts(survey, claims).quoting)
    // Who makes a record may choose another form.
    let isChosen = claims["create.identifier"] == "client" && !claims.isProved("identifier.pattern")
    var identifier = section("identifier", ["field", "fields", "type"] + (isChosen ? [] : ["pattern"]))
    if let link = claims["identifier.link"] {
      let isLinked = survey.identifier?.link.isEmpty == false
      identifier = Object(
        [("field", .null), ("link", link)]
          + (isLinked ? Array(section("identifier", ["type", "pattern"]).members) : []))
    }
    let likely = ["type", "pattern"].filter { key in
      identifier[key] != nil && identifier[key] != "text" && !claims.isProved("identifier.\(key)")
    }
    if !likely.isEmpty { identifier["likely"] = .array(likely.map { .string($0) }) }
    add("identifier", identifier)
    add("notFound", missing)
    if let page { sections["page"] = .object(page) }
    add("size", section("size", ["parameter", "default", "maximum", "whenTooLarge"]))
    add("end", end)
    // Of a list that is not known to have pages, a total that is only likely may count what came.
    let isPaged = claims["page.style"].map { $0 != "none" } ?? false
    if claims.isProved("total") || claims.isProved("page.style") || isPaged {
      var total = claims["total"]?.object ?? Object()
      if !total.isEmpty, claims["total.ignoresConditions"] == true { total["ignoresConditions"] = true }
      add("total", total)
    }
    add("filter", FilterFacts(survey, claims).section)
    add("sort", section("sort", ["parameter", "direction", "directionParameter", "ascending", "descending", "fields"]))
    add("projection", section("projection", ["parameter"]))
    var search = section("search", ["parameter"])
    if !search.isEmpty { search["accuracy"] = "superset" }
    add("search", search)
    add("lists", section("lists", ["omit", "omitsRecords"]))
    add("revision", section("revision", ["from", "field", "weak", "required", "onDelete", "conflictStatuses"]))
    add("errors", section("errors", ["message", "code", "fields", "errorMappings"]))
    for verb in ["create", "update", "delete"] {
      guard let section = write(verb) else {
        sections[verb] = .null
        continue
      }
      sections[verb] = .object(section)
    }
    let owners = claims.list.filter { $0.fact.hasPrefix("owners.") && $0.grade == .proved }
    if !owners.isEmpty {
      sections["owners"] = .object(Object(owners.map { (String($0.fact.dropFirst("owners.".count)), $0.value) }))
    }
    if let operations = claims["operationsBelow"] { sections["operationsBelow"] = operations }
    if claims["persistence.kept"] == "no" { sections["persistence"] = .object(Object([("kept", "no")])) }
    var fields = Object()
    for claim in claims.list where claim.fact.hasPrefix("fields.") {
      fields[String(claim.fact.dropFirst("fields.".count))] = claim.value
    }
    if !fields.isEmpty { sections["fields"] = .object(fields) }
    sections["additionalFields"] = true
    return sections
  }

  /// The section on pages; nil if a total has proved that the list comes whole, which each response then confirms. That
  /// nothing has refuted it is not enough.
  private var page: Object? {
    guard let style = claims["page.style"]?.text, style != "none" || claims.isProved("page.style") else {
      var page = Object([("style", "untested")])
      if let parameter = claims["page.parameter"] { page["parameter"] = parameter }
      let reason = claims.list.first { $0.fact == "page.style" }?.evidence ?? "not asked"
      page["source"] = .object(Evidence.source("probe", reason, date: survey.prober.date))
      return page
    }
    guard style != "none" else { return nil }
    // If pages are requested by number or offset, the reference to the next one is not needed.
    let isComputed = ["number", "offset"].contains(style)
    var page = section("page", ["style", "parameter", "first", "field"] + (isComputed ? [] : ["next", "relativeTo"]))
    if let source = source("page") { page["source"] = source }
    return page
  }

  /// Returns the source of the first claim of a section.
  private func source(_ name: String) -> Value? {
    let claim = claims.list.first { claim in
      (claim.fact == name || claim.fact.hasPrefix(name + ".")) && [.proved, .likely].contains(claim.grade)
    }
    guard let claim else { return nil }
    let seen = claim.grade == .proved ? claim.evidence : "\(claim.evidence) (likely)"
    return .object(Evidence.source(claim.source.rawValue, seen, date: survey.prober.date))
  }

  private func section(_ name: String, _ keys: [String]) -> Object {
    Object(keys.compactMap { key in claims["\(name).\(key)"].map { (key, $0) } })
  }

  /// The suffix of every path.
  private var suffix: String {
    let path = survey.collection.prefix { $0 != "?" }
    // A service may want a slash behind the path of a list, and none behind that of a record.
    if path.hasSuffix("/"), claims["paths.item"]?.text?.hasSuffix("/") == false { return "" }
    return path.hasSuffix("/") ? "/" : path.hasSuffix(".json") ? ".json" : ""
  }

  /// A path below the base address, without the slash before it and the suffix.
  private func below(_ path: String) -> String {
    var path = path.prefix { $0 != "?" }
    if !suffix.isEmpty, path.hasSuffix(suffix) { path = path.dropLast(suffix.count) }
    if path.hasPrefix(base) { path = path.dropFirst(base.count) }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      // A description has paths as people write them.
      PercentEncoding.decoded(segment).flatMap { $0.contains("/") ? nil : $0 } ?? String(segment)
    }
    return segments.dropFirst(path.hasPrefix("/") ? 1 : 0).joined(separator: "/")
  }

  private var general: Object {
    var general = Object()
    let accept = survey.dialect.accept ?? survey.prober.headers.first { $0.0 == "Accept" }?.1
    if let accept, accept != "application/json" { general["headers"] = .object(Object([("Accept", .string(accept))])) }
    if survey.dialect.contentType != "application/json" { general["contentType"] = .string(survey.dialect.contentType) }
    if !suffix.isEmpty { general["suffix"] = .string(suffix) }
    return general
  }

  /// The paths, of a list below records those beside it.
  func paths(below nested: NestedCandidate?) -> Object {
    var paths = Object()
    if nested != nil {
      let item = claims["paths.item"]?.text.map(below)
      if let item, item != "\(survey.name)/{id}" {
        paths["collection"] = .string(item.replacing(text: "/{id}", with: ""))
      }
      return paths
    }
    // The list may be at the address itself.
    let collection = below(survey.collection).isEmpty ? "/" : below(survey.collection)
    if collection != survey.name { paths["collection"] = .string(collection) }
    let folder = collection.hasSuffix("/") ? collection : collection + "/"
    if let item = claims["paths.item"]?.text.map(below), item != folder + "{id}" { paths["item"] = .string(item) }
    if claims["paths.item"] == .null { paths["item"] = .null }
    return paths
  }

  private var records: Object {
    guard !survey.dialect.isJSONAPI else {
      var records = Object([("format", "jsonapi"), ("listPath", "data"), ("recordPath", "data")])
      if let type = survey.recordType, type != survey.name { records["type"] = .string(type) }
      return records
    }
    var records = Object()
    if let place = claims["records.listPath"], place != "$" { records["listPath"] = place }
    if let place = claims["records.recordPath"], place != "$" { records["recordPath"] = place }
    if let names = claims["records.notFields"] { records["notFields"] = names }
    if claims["records.nullIsEmpty"] == true { records["nullIsEmpty"] = true }
    if let member = survey.fieldsAt {
      records["fieldsPath"] = .string(member)
      records["siblingFields"] = .array(survey.kept.map { .string($0) })
    }
    if claims["records.layout"] == "map" { records["layout"] = "map" }
    if claims["records.layout"] == "table" {
      records["layout"] = "table"
      let path = (survey.shape?.path.dropLast() ?? []) + ["columns"]
      records["columns"] = .string(path.joined(separator: "."))
    }
    return records
  }

  private var missing: Object {
    guard claims.isProved("notFound"), let answer = claims["notFound"]?.text else { return Object() }
    if answer == "empty" { return Object([("empty", true)]) }
    guard let status = Int(answer), ![404, 410].contains(status), (400...499).contains(status), status != 401 else {
      return Object()
    }
    return Object([("statuses", .array([.int(status)]))])
  }

  private var end: Object {
    var end = Object()
    if let place = claims["end.hasMore"] { end["hasMore"] = place }
    if let status = claims["end.status"]?.integer, (400...499).contains(status) {
      end["statuses"] = .array([.int(status)])
    }
    var words: [Value] = []
    // A list whose total is known ends with it; without one, the page that is not full does, or the empty one.
    if !end.isEmpty || claims["total"] == nil {
      if claims["total"] != nil { words.append("total") }
      if claims.isProved("end.shortPage"), ["number", "offset"].contains(claims["page.style"]?.text) {
        words.append("shortPage")
      }
      // Without a word of its end, a list of pages of known sizes would end with the first that is not full.
      let hasGaps =
        ["number", "offset"].contains(claims["page.style"]?.text)
        && claims.list.contains { $0.fact == "end.shortPage" && $0.grade == .contradicted }
      if claims["end.emptyPage"] == true || hasGaps { words.append("emptyPage") }
      if claims["end.noNext"] == true, ["link", "cursor"].contains(claims["page.style"]?.text) {
        words.append("noNext")
      }
    }
    if !words.isEmpty { end["when"] = .array(words) }
    return end
  }

  private func write(_ verb: String) -> Object? {
    guard let method = claims["\(verb).method"] else { return nil }
    var section = Object()
    switch verb {
    case "create": section = creating
    case "update": section = updating(method)
    default: section = self.section("delete", ["soft", "readsFirst", "orphanSuffix"])
    }
    if let body = claims["\(verb).body"] { section["body"] = body }
    if let wrap, verb != "delete" { section["wrap"] = .string(wrap) }
    if let source = source(verb) { section["source"] = source }
    return section
  }

  /// The member that holds what is written: as a trial has shown, else where single records stand.
  private var wrap: String? {
    guard !survey.dialect.isJSONAPI else { return nil }
    // Otherwise they would be wrapped as single records are read.
    if claims.list.contains(where: { $0.fact == "create.wrap" && $0.grade == .contradicted }) { return "$" }
    let place =
      claims["create.wrap"]?.text ?? survey.dialect.wrap.map { $0.joined(separator: ".") }
      ?? claims["records.recordPath"]?.text
    // Fields that a member of the record holds are written as they are read, unless a trial has shown otherwise.
    if survey.fieldsAt != nil, place == "$", claims.isProved("create.wrap") { return "$" }
    return place.flatMap { ["$", ""].contains($0) ? nil : $0 }
  }

  private var creating: Object {
    var section = self.section(
      "create", ["returns", "identifierPath", "location", "identifier", "readsFirst", "atCollection", "drop"])
    if let method = claims["create.method"], method != "POST" { section["method"] = method }
    if claims["create.returns"] == nil { section["returns"] = "maybe" }
    return section
  }

  private func updating(_ method: Value) -> Object {
    var section = self.section("update", ["patchFormat", "keepsNull", "readBack", "drop", "atomic"])
    section["returns"] = claims["update.returns"] ?? "maybe"
    // A PUT replaces, unless a trial has shown that it leaves the other fields alone. A method of which a trial has shown
    // that it works, and not that, is sent whole records, too.
    let merges = claims["update.merges"].map { $0 == true } ?? (method != "PUT" && !claims.isProved("update.method"))
    if claims["update.atCollection"] == true, let field = survey.identifier?.field {
      section["atCollection"] = true
      section["extraMembers"] = .object(Object([(field, Value.string("{id}"))]))
    }
    guard merges else {
      section["method"] = .null
      // Another method than PUT sends whole records only where a field that is left out is cleared.
      let isProved = claims.isProved("update.clear")
      let shown = claims["update.clear"].flatMap { ["null", "replace"].contains($0) ? $0 : nil }
      section["clear"] = method == "PUT" ? shown ?? "untested" : shown == "null" ? "replaceWithNull" : "replace"
      if section["clear"] != claims["update.clear"] || !isProved { section["readBack"] = true }
      if method != "PUT" { section["replaceMethod"] = method }
      return section
    }
    section["method"] = method
    // That nothing cleared one field is no proof that nothing clears another.
    let clear = claims["update.clear"]
    section["clear"] = clear ?? "untested"
    return section
  }
}
