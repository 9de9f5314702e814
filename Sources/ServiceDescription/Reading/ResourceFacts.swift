import BackendKit

/// What a description says of one resource, with what it says of all below.
struct ResourceFacts {
  let name: String
  let facts: Facts

  /// The names of all resources; nil where there may be others.
  var known: [String]?

  /// The resource; nil where it has no path, which is then reported.
  func resource() -> Service.Resource? {
    let paths = facts.section("paths", .paths)
    guard let path = path("collection", paths) ?? self.named() else {
      paths.mistake("\"\(name)\" cannot be a path", at: "collection", hint: "write one")
      return nil
    }
    let identifier = identifier()
    var resource = Service.Resource(
      name, at: path, identifier: identifier, fields: FieldFacts(facts).fields("fields"))
    resource.writePath = self.path("write", paths)
    resource.parameters = paths.pairs("parameters") ?? []
    resource.ignoresIdentifierCase = facts.section("identifier", .identifier).flag("ignoresCase")
    resource.source = resource.fields.isEmpty ? .unknown : .configuration
    resource.isOpen = facts.flag("additionalFields", else: resource.fields.isEmpty)
    read(&resource, facts.section("records", .records))
    let requests = RequestFacts(facts: facts)
    requests.address(&resource)
    resource.errors = requests.errors()
    resource.limits = requests.limits()
    resource.naming = naming(facts.section("identifier", .identifier))
    let missing = facts.section("notFound", .notFound)
    resource.missing = Service.Missing(statuses: Set(missing.integers("statuses")), isEmpty: missing.flag("empty"))
    if let dates = facts.section("values", .values).text("dates") {
      resource.dates = Service.DateForm(rawValue: dates) ?? .iso
    }
    let lists = ListFacts(facts: facts)
    resource.unlisted = facts.section("lists", .lists).texts("omit") ?? []
    resource.listing = lists.listing()
    resource.paging = lists.paging()
    resource.longPoll = lists.longPoll()
    let conditions = ConditionFacts(facts: facts)
    resource.filters = conditions.filters()
    resource.sorting = conditions.sorting()
    resource.projection = conditions.projection()
    resource.embedding = conditions.embedding()
    resource.searching = conditions.searching()
    resource.hasSearch = facts["search"] != nil && resource.searching == nil
    let written = FieldFacts(facts).written("fields")
    (resource.textNumbers, resource.shownAt) = (written.textNumbers, written.shownAt)
    let writes = WriteFacts(facts: facts)
    resource.creating = writes.creating()
    resource.updating = writes.updating()
    resource.deleting = writes.deleting()
    resource.revision = writes.revision()
    resource.job = writes.job()
    resource.actions = writes.actions()
    let effects = facts.section("persistence", .persistence)
    resource.showsWritesLater = effects.flag("eventuallyConsistent")
    switch effects.text("kept") {
    case "no"?: resource.writes = .echoed
    case "unknown"?: resource.writes = .unknown
    default: resource.writes = .kept
    }
    resource.stability = facts.section("page", .page).text("stability") == "stable" ? .stable : .shifting
    relate(&resource)
    resource.remarks = facts.value("hookData")?.object ?? Object()
    resource.describesResources = facts.flag("describesResources")
    return resource
  }

  private func named() -> RequestPath? { name.isEmpty ? .base : RequestPath.written(name) }

  /// The path of a key with the resource's name in it.
  private func path(_ key: String, _ paths: Facts) -> RequestPath? {
    guard let path = paths.path(key) else { return nil }
    let segments = path.segments.map { $0.split(separator: "{resource}", omittingEmptySubsequences: false) }
    // Of a resource that has no name yet the path ends before it.
    if name.isEmpty { return try? RequestPath(segments: segments.prefix { $0.count == 1 }.map { String($0[0]) }) }
    return try? RequestPath(segments: segments.map { $0.joined(separator: name) }).ending(in: path.suffix)
  }

  /// Tells a resource that is named and not there.
  private func check(_ name: String, at place: Place) {
    guard let known, !known.contains(name) else { return }
    facts.reading.add(
      Mistake(
        place, "unknown resource \"\(name)\"",
        hint: SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean \($0)?" }
          ?? "resources: \(known.joined(separator: ", "))"))
  }

  private func check(_ node: Node?) {
    if let node, let name = node.value.text { check(name, at: node.place) }
  }

  private func identifier() -> IdentifierRule {
    let identifier = facts.section("identifier", .identifier)
    let form = identifier.text("type").flatMap { IdentifierRule.Form(rawValue: $0) } ?? .text
    let (parts, separator) = (identifier.texts("fields") ?? [], identifier.text("separator"))
    // What several fields make has a field of its own unless that holds something else.
    let isTaken = (parts + (facts["fields"]?.members ?? []).map(\.name)).contains("id")
    let standard = parts.isEmpty || !isTaken ? "id" : nil
    let field = identifier.isNull("field") || form == .none ? nil : identifier.text("field") ?? standard
    var rule = IdentifierRule(
      field: field, form: form, isOptional: identifier.flag("optional"), address: identifier.text("fallbackLink"),
      pattern: identifier.text("pattern"))
    rule.parts = parts
    rule.namesRecords =
      form == .none || field != nil || !parts.isEmpty || naming(identifier) != .field
    if let separator { rule.separator = separator }
    rule.mayRepeat = identifier.flag("repeats")
    rule.likely = Set((identifier.texts("likely") ?? []).compactMap { FieldDescription.Fact(rawValue: $0) })
    return rule
  }

  private func naming(_ identifier: Facts) -> Service.Naming {
    let (member, link, own) = (identifier.member("member"), identifier.member("link"), identifier.member("selfLink"))
    return member.map { .member($0) } ?? link.map { .link($0) } ?? own.map { .address($0) } ?? .field
  }

  private func read(_ resource: inout Service.Resource, _ records: Facts) {
    if records.text("format") == "jsonapi" { resource.shape = .jsonAPI }
    resource.recordType = records.text("type")
    if let places = records.texts("listPath") { resource.recordsAt = places.compactMap(MemberPath.names) }
    if let place = records.member("recordPath") { resource.recordAt = place }
    resource.emptyStatuses = Set(records.integers("emptyStatuses"))
    let columns = records.member("columns")
    switch records.text("layout") {
    case "map"?: resource.layout = .map
    case "table"?:
      resource.layout = .table(columns: columns ?? [])
      if columns == nil { records.mistake("columns is missing", hint: "where the column names are") }
    default: resource.layout = .list
    }
    resource.valueField = records.text("valueField")
    let kept = records.texts("siblingFields") ?? []
    resource.wrapping = records.member("fieldsPath").map { Service.Wrapping($0, keeping: kept) }
    resource.notFields = records.texts("notFields") ?? []
    resource.okAt = records.member("successFlag")
    resource.nullIsEmpty = records.flag("nullIsEmpty")
    resource.refusesOtherKinds = records.flag("strictTypes")
  }

  private func relate(_ resource: inout Service.Resource) {
    for member in facts["owners"]?.members ?? [] { check(member.name, at: member.place) }
    for (_, dependents) in facts.sections("cascadeDeletes", .cascadeDeletes) { check(dependents.node?["resource"]) }
    for field in facts["fields"]?.members ?? [] { check(field.node["reference"]?["to"] ?? field.node["reference"]) }
    resource.owners = facts.sections("owners", .owner).map { name, owner in
      var fact = Service.Owner(name, field: owner.text("field"), createsBelow: owner.flag("createsBelow"))
      fact.path = owner.path("path")?.segments
      fact.parameter = owner.text("parameter")
      return fact
    }
    if let below = facts.texts("operationsBelow") {
      resource.operationsBelow = Set(below.compactMap { Capabilities.Operation(rawValue: $0) })
    }
    resource.references = FieldFacts(facts).checkedReferences("fields")
    resource.dependents = facts.sections("cascadeDeletes", .cascadeDeletes).compactMap { _, dependents in
      guard let resource = dependents.required("resource", "comments"),
        let field = dependents.required("field", "postId")
      else { return nil }
      return Dependents(of: resource, naming: field)
    }
    resource.dependents += WriteFacts(facts: facts).orphans()
  }
}
