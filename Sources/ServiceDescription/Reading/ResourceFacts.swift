import BackendKit

/// What a description says of one resource, with what it says of all below.
struct ResourceFacts {
  let name: String
  let facts: Facts

  /// The resource; nil where it has no path, which is then told.
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
    resource.isOpen = facts.flag("open", else: resource.fields.isEmpty)
    read(&resource, facts.section("records", .records))
    let lists = ListFacts(facts: facts)
    resource.unlisted = facts.section("lists", .lists).texts("omit") ?? []
    resource.paging = lists.paging()
    resource.filters = lists.filters()
    resource.sorting = lists.sorting()
    resource.projection = lists.projection()
    resource.embedding = lists.embedding()
    resource.hasSearch = facts.flag("search")
    let writes = WriteFacts(facts: facts)
    resource.creating = writes.creating()
    resource.updating = writes.updating()
    resource.deleting = writes.deleting()
    resource.revision = writes.revision()
    resource.actions = writes.actions()
    switch facts.section("effects", .effects).text("kept") {
    case "no"?: resource.writes = .echoed
    case "unknown"?: resource.writes = .unknown
    default: resource.writes = .kept
    }
    resource.stability = facts.section("page", .page).text("stability") == "stable" ? .stable : .shifting
    relate(&resource)
    resource.remarks = facts.value("remarks")?.object ?? Object()
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
    return try? RequestPath(segments: segments.map { $0.joined(separator: name) })
  }

  private func identifier() -> IdentifierRule {
    let identifier = facts.section("identifier", .identifier)
    let form = identifier.text("type").flatMap { IdentifierRule.Form(rawValue: $0) } ?? .text
    let field = identifier.isNull("field") || form == .none ? nil : identifier.text("field") ?? "id"
    return IdentifierRule(
      field: field, form: form, isOptional: identifier.flag("optional"), address: identifier.text("address"))
  }

  private func read(_ resource: inout Service.Resource, _ records: Facts) {
    if records.text("form") == "jsonapi" { resource.shape = .jsonAPI }
    if let places = records.texts("at") { resource.recordsAt = places.compactMap(MemberPath.names) }
    if let place = records.member("oneAt") { resource.recordAt = place }
    resource.emptyStatuses = Set((records.value("emptyStatuses")?.array ?? []).compactMap(\.integer))
    resource.refusesOtherKinds = records.flag("refusesOtherKinds")
  }

  private func relate(_ resource: inout Service.Resource) {
    resource.owners = facts.sections("owners", .owner).map { name, owner in
      Service.Owner(name, field: owner.text("field"), createsBelow: owner.flag("createsBelow"))
    }
    if let below = facts.texts("operationsBelow") {
      resource.operationsBelow = Set(below.compactMap { Capabilities.Operation(rawValue: $0) })
    }
    resource.references = FieldFacts(facts).checkedReferences("fields")
    resource.dependents = facts.sections("dependents", .dependents).compactMap { _, dependents in
      guard let resource = dependents.required("resource", "comments"),
        let field = dependents.required("field", "postId")
      else { return nil }
      return Dependents(of: resource, naming: field)
    }
  }
}
