import BackendClient
import BackendKit
import ServiceDescription

/// The facts about one resource as sections of a description.
struct ResourceFacts {
  private let survey: ResourceSurvey
  private let base: String
  private let claims: Claims

  init(_ survey: ResourceSurvey, base: String, _ claims: Claims? = nil) {
    self.survey = survey
    self.base = base
    self.claims = claims ?? survey.claims
  }

  var sections: Object {
    var sections = Object()
    func add(_ name: Section.Name, _ section: Object) {
      guard !section.isEmpty else { return }
      var section = section
      if let source = source(name) { section["source"] = source }
      sections[name.rawValue] = .object(section)
    }
    add(.base, general)
    add(.paths, paths(below: survey.nested))
    add(.listRequest, section(.listRequest))
    add(.records, records)
    add(.values, FilterFacts(survey, claims).quoting)
    add(.identifier, identifier)
    add(.notFound, missing)
    if let page { sections["page"] = .object(page) }
    add(.size, section(.size))
    add(.end, end)
    // Without proof of pages, a total that is only likely may count the received records.
    let isPaged = claims[.pageStyle].map { $0 != "none" } ?? false
    if claims.isProved(.total) || claims.isProved(.pageStyle) || isPaged {
      var total = claims[.total] ?? Object()
      if !total.isEmpty, claims[.totalIgnoresConditions] == true { total[.totalIgnoresConditions] = true }
      add(.total, total)
    }
    add(.filter, FilterFacts(survey, claims).section)
    add(.sort, section(.sort))
    add(.projection, section(.projection))
    var search = section(.search)
    if !search.isEmpty { search["accuracy"] = "superset" }
    add(.search, search)
    add(.lists, section(.lists))
    let revision: [any FactName] = [Key.revisionFrom, Key.revisionField, Key.revisionWeak, Key.revisionRequired]
    add(.revision, section(.revision, beginning: revision))
    add(.errors, section(.errors))
    sections["create"] = claims[.createMethod].map { write(.create, creating($0), .createBody) } ?? .null
    sections["update"] = claims[.updateMethod].map { write(.update, updating($0), .updateBody) } ?? .null
    let deleting = section(.delete, without: [Key.deleteMethod])
    sections["delete"] = claims[.deleteMethod].map { _ in write(.delete, deleting) } ?? .null
    let owners = claims.members(of: "owners").filter { $0.claim.grade == .proved }
    if !owners.isEmpty { sections["owners"] = .object(Object(owners.map { ($0.name, $0.claim.value) })) }
    if let operations = claims[.operationsBelow] { sections[.operationsBelow] = operations }
    if claims[.persistenceKept] == "no" { sections["persistence"] = .object(section(.persistence)) }
    let fields = Object(claims.fields.map { ($0.name, $0.claim.value) })
    if !fields.isEmpty { sections["fields"] = .object(fields) }
    sections["additionalFields"] = true
    return sections
  }

  /// The known keys of a section in the order of the reference, after those that come first.
  private func section(
    _ name: Section.Name, beginning first: [any FactName] = [], without others: [any FactName] = []
  ) -> Object {
    let leading = first.map(\.name)
    let names = leading + Section.of(name).keys.map(\.name).filter { !leading.contains($0) }
    return Object(
      names.compactMap { key in
        guard !others.contains(where: { $0.name == key }) else { return nil }
        return claims.taken("\(name.rawValue).\(key)").map { (key, $0) }
      })
  }

  /// The section on pages; nil if a total has proved that the list is complete, which each response then confirms. The
  /// absence of a refutation does not prove it.
  private var page: Object? {
    guard let style = claims[.pageStyle], style != "none" || claims.isProved(.pageStyle) else {
      var page = Object()
      page[.pageStyle] = "untested"
      page[.pageParameter] = claims[.pageParameter]
      let reason = claims.claim(Key.pageStyle)?.evidence ?? "not asked"
      page["source"] = .object(Evidence.source("probe", reason, date: survey.prober.date))
      return page
    }
    guard style != "none" else { return nil }
    // Pages by number or offset need no link to the next one.
    let isComputed = ["number", "offset"].contains(style)
    var page = section(.page, without: isComputed ? [Key.pageNext, Key.pageRelativeTo] : [])
    if let source = source(.page) { page["source"] = source }
    return page
  }

  private func source(_ section: Section.Name) -> Value? {
    let name = section.rawValue
    let claim = claims.list.first { claim in
      (claim.fact == name || claim.fact.hasPrefix(name + ".")) && [.proved, .likely].contains(claim.grade)
    }
    guard let claim else { return nil }
    let seen = claim.grade == .proved ? claim.evidence : "\(claim.evidence) (likely)"
    return .object(Evidence.source(claim.source.rawValue, seen, date: survey.prober.date))
  }

  private var suffix: String {
    let path = survey.collection.prefix { $0 != "?" }
    // A service may require a slash after the path of a list, but not after that of a record.
    if path.hasSuffix("/"), claims[.pathsItem]?.hasSuffix("/") == false { return "" }
    return path.hasSuffix("/") ? "/" : path.hasSuffix(".json") ? ".json" : ""
  }

  /// A path below the base address, without its leading slash and suffix.
  private func below(_ path: String) -> String {
    var path = path.prefix { $0 != "?" }
    if !suffix.isEmpty, path.hasSuffix(suffix) { path = path.dropLast(suffix.count) }
    if path.hasPrefix(base) { path = path.dropFirst(base.count) }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      // Descriptions have unencoded paths.
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

  /// The paths; for a list below records, those at the top level.
  func paths(below nested: NestedCandidate?) -> Object {
    var paths = Object()
    if nested != nil {
      let item = claims[.pathsItem].map(below)
      if let item, item != "\(survey.name)/{id}" {
        paths[.pathsCollection] = item.replacing(text: "/{id}", with: "")
      }
      return paths
    }
    // The list may be at the address itself.
    let collection = below(survey.collection).isEmpty ? "/" : below(survey.collection)
    if collection != survey.name { paths[.pathsCollection] = collection }
    if !survey.parameters.isEmpty {
      paths["parameters"] = .object(Object(survey.parameters.map { ($0.name, Value.string($0.value)) }))
    }
    let folder = collection.hasSuffix("/") ? collection : collection + "/"
    if let item = claims[.pathsItem].map(below), item != folder + "{id}" { paths[.pathsItem] = item }
    if claims[.pathsReadable] == false { paths[.pathsReadable] = false }
    if claims.isDenied(.pathsItem) { paths[Key.pathsItem.name] = .null }
    return paths
  }

  private var records: Object {
    var records = Object()
    guard !survey.dialect.isJSONAPI else {
      records = Object([("format", "jsonapi"), ("listPath", "data"), ("recordPath", "data")])
      if let type = survey.recordType, type != survey.name { records["type"] = .string(type) }
      return records
    }
    if claims[.recordsListPath] != "$" { records[.recordsListPath] = claims[.recordsListPath] }
    if claims[.recordsRecordPath] != "$" { records[.recordsRecordPath] = claims[.recordsRecordPath] }
    records[.recordsNotFields] = claims[.recordsNotFields]
    if claims[.recordsNullIsEmpty] == true { records[.recordsNullIsEmpty] = true }
    if let member = survey.fieldsAt {
      records[.recordsFieldsPath] = member
      records["siblingFields"] = survey.kept.value
    }
    records[.recordsValueField] = claims[.recordsValueField]
    records[.recordsLayout] = claims[.recordsLayout]
    if claims[.recordsLayout] == "table" {
      let path = (survey.shape?.path.dropLast() ?? []) + ["columns"]
      records["columns"] = .string(path.joined(separator: "."))
    }
    return records
  }

  private var identifier: Object {
    // The client may choose identifiers of another form.
    let isChosen = claims[.createIdentifier] == "client" && !claims.isProved(.identifierPattern)
    var identifier = section(.identifier, without: isChosen ? [Key.identifierPattern] : [])
    let isFound = claims[.identifierField] != nil || claims[.identifierMember] != nil || claims[.identifierLink] != nil
    if !isFound, identifier.isEmpty, survey.dialect.isPlain, !survey.rows.isEmpty,
      survey.rows.allSatisfy({ $0["id"] == nil })
    {
      // By default it would be in a field that these records do not have.
      identifier["field"] = .null
    } else if claims[.identifierMember] != nil {
      identifier = Object([("field", .null)] + Array(identifier.members))
    } else if claims[.identifierLink] != nil {
      let others: [any FactName] =
        survey.identifier?.link.isEmpty == false ? [] : [Key.identifierType, Key.identifierPattern]
      identifier = Object([("field", .null)] + Array(section(.identifier, without: others).members))
    }
    let likely = [Key.identifierType, .identifierPattern].filter { key in
      identifier[key] != nil && identifier[key] != "text" && !claims.isProved(key)
    }
    if !likely.isEmpty { identifier["likely"] = likely.map(\.name).value }
    return identifier
  }

  private var missing: Object {
    guard claims.isProved(.notFound), let answer = claims[.notFound] else { return Object() }
    if answer == "empty" { return Object([("empty", true)]) }
    guard let status = Int(answer), ![404, 410].contains(status), (400...499).contains(status), status != 401 else {
      return Object()
    }
    return Object([("statuses", .array([.int(status)]))])
  }

  private var end: Object {
    var end = Object()
    end[.endHasMore] = claims[.endHasMore]
    if let status = claims[.endStatus], (400...499).contains(status) { end["statuses"] = [.int(status)] }
    var words: [String] = []
    // A list with a known total ends there; without one, at the page that is not full, or the empty one.
    if !end.isEmpty || claims[.total] == nil {
      let isComputed = ["number", "offset"].contains(claims[.pageStyle])
      if claims[.total] != nil { words.append("total") }
      if claims.isProved(.endShortPage), isComputed { words.append("shortPage") }
      // Otherwise a list with pages of known size would end with the first one that is not full.
      let hasGaps = isComputed && claims.isContradicted(.endShortPage)
      if claims[.endEmptyPage] == true || hasGaps { words.append("emptyPage") }
      if claims[.endNoNext] == true, ["link", "cursor"].contains(claims[.pageStyle]) { words.append("noNext") }
    }
    if !words.isEmpty { end["when"] = words.value }
    return end
  }

  private func write(_ verb: Section.Name, _ section: Object, _ body: Key<String>? = nil) -> Value {
    var section = section
    if let body {
      section[body] = claims[body]
      section[.createWrap] = section[.createWrap] ?? wrap
    }
    if let source = source(verb) { section["source"] = source }
    return .object(section)
  }

  /// The member of a request body with the fields: shown by a trial, or else as in responses with a single record.
  private var wrap: String? {
    guard !survey.dialect.isJSONAPI else { return nil }
    // The default is the wrapping of single records in responses.
    if claims.isContradicted(.createWrap) { return "$" }
    let place =
      claims[.createWrap] ?? survey.dialect.wrap.map { $0.joined(separator: ".") } ?? claims[.recordsRecordPath]
    // Fields within a member are written as they are read, unless a trial has shown otherwise.
    if survey.fieldsAt != nil, place == "$", claims.isProved(.createWrap) { return "$" }
    return place.flatMap { ["$", ""].contains($0) ? nil : $0 }
  }

  private func creating(_ method: String) -> Object {
    let first: [any FactName] = [
      Key.createReturns, Key.createIdentifierPath, Key.createLocation, Key.createIdentifier, Key.createReadsFirst,
    ]
    let others: [any FactName] = [Key.createMethod, Key.createBody, Key.createWrap]
    var section = section(.create, beginning: first, without: others)
    if method != "POST" { section[.createMethod] = method }
    if claims[.createReturns] == nil { section[.createReturns] = "maybe" }
    return section
  }

  private func updating(_ method: String) -> Object {
    let first: [any FactName] = [
      Key.updatePatchFormat, Key.updateKeepsNull, Key.updateReadBack, Key.updateDrop, Key.updateAtomic,
    ]
    let others: [any FactName] = [
      Key.updateMethod, Key.updateReturns, Key.updateAtCollection, Key.updateClear, Key.updateBody,
    ]
    var section = section(.update, beginning: first, without: others)
    section[.updateReturns] = claims[.updateReturns] ?? "maybe"
    // PUT replaces the record unless a trial has shown that it keeps the other fields. Another method that is proved to
    // work, but not to keep them, is sent whole records, too.
    let merges = claims[.updateMerges] ?? (method != "PUT" && !claims.isProved(.updateMethod))
    if claims[.updateAtCollection] == true, let field = survey.identifier?.field {
      section[.updateAtCollection] = true
      section["extraMembers"] = .object(Object([(field, Value.string("{id}"))]))
    }
    guard merges else {
      section["method"] = .null
      // Other methods than PUT are only sent whole records if they clear omitted fields.
      let isProved = claims.isProved(.updateClear)
      let shown = claims[.updateClear].flatMap { ["null", "replace"].contains($0) ? $0 : nil }
      section[.updateClear] = method == "PUT" ? shown ?? "untested" : shown == "null" ? "replaceWithNull" : "replace"
      if section[.updateClear] != claims[.updateClear] || !isProved { section[.updateReadBack] = true }
      if method != "PUT" { section["replaceMethod"] = .string(method) }
      return section
    }
    section[.updateMethod] = method
    // If no way cleared one field, another may still be clearable.
    section[.updateClear] = claims[.updateClear] ?? "untested"
    return section
  }
}
