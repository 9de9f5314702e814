import BackendKit

extension Service.Resource {
  /// A resource known only by its name.
  static func blank(_ name: String) -> Service.Resource {
    Service.Resource(name, at: .base, identifier: IdentifierRule(form: .text))
  }
}

/// The sections of a resource that may be only likely.
enum LikelyWords {
  static let sections: [Word] = [
    "page", "size", "end", "total", "filter", "sort", "create", "update", "delete", "fields",
  ].map { ($0, "") }
}

/// A resource, and the settings that all resources share.
struct ResourceFacts: Facts {
  let from: SectionNode

  /// Reads the settings that a description has for all resources, and a resource for itself. Returns the requested
  /// version, and by type how fields are cleared.
  @discardableResult
  func shared(_ resource: inout Service.Resource) -> (version: String?, clearing: [String: String]) {
    let version = RequestFacts(section(.base, "what all requests have in common")).base(&resource)
    RecordFacts(section(.paths, "where records are")).paths(&resource)
    RecordFacts(section(.records, "where the records are in a response, and what they look like")).records(&resource)
    let values = RecordFacts(section(.values, "how values are written")).values(&resource)
    let fields = (node?["fields"]?.members ?? []).map(\.name)
    RecordFacts(section(.identifier, "what identifies a record")).identifier(&resource, besides: fields)
    RecordFacts(section(.lists, "how the records of a list differ from single ones")).lists(&resource)
    RecordFacts(
      section(
        .notFound, "how the service responds if a record does not exist, besides 404 and 410", formerly: "missing")
    ).notFound(&resource)
    let isOpen = answer(
      "additionalFields", "whether records may have fields that are not described", formerly: "open")
    resource.isOpen = isOpen ?? fields.isEmpty
    ListFacts(
      section(.listRequest, "how to request a list, if not by GET with parameters; null if records cannot be listed")
    ).listRequest(&resource)
    resource.hasList = !isNull(Section.Name.listRequest.rawValue)
    ListFacts(section(.page, "how a list is divided into pages")).page(&resource)
    resource.longPoll = ListFacts(section(.longPoll, "how `watch` waits for a list to change")).longPoll()
    ListFacts(section(.size, "the page size")).size(&resource.paging)
    ListFacts(section(.end, "how to recognize the end of a list")).end(&resource.paging)
    ListFacts(section(.total, "where a response gives the total number of records")).total(&resource.paging)
    let filters = ConditionFacts(section(.filter, "which conditions the service checks")).filter(values)
    let sorting = QueryFacts(section(.sort, "how the service can sort")).sort()
    // The records that a likely condition finds do not show those that it misses.
    resource.filters = isCalledLikely("filter") ? nil : filters
    resource.sorting = isCalledLikely("sort") ? nil : sorting
    resource.projection = QueryFacts(section(.projection, "how to request only some fields")).projection()
    QueryFacts(section(.search, "how to search for text")).search(&resource)
    resource.embedding = QueryFacts(section(.expand, "how to make a list include related records")).expand()
    resource.creating = WriteFacts(section(.create, "how to create a record; null if that is not possible")).create(
      resource.identifier)
    let clearing = WriteFacts(section(.update, "how to update a record; null if that is not possible")).update(
      &resource)
    WriteFacts(section(.delete, "how to delete a record; null if that is not possible")).delete(&resource)
    resource.revision = WriteFacts(section(.revision, "what distinguishes two versions of a record")).revision()
    resource.job = JobFacts(section(.job, "how to follow an asynchronous write")).job()
    WriteFacts(section(.persistence, "what happens to a write", formerly: "effects")).persistence(&resource)
    resource.actions = sections("actions", of: "action", .action, "other actions").map {
      ActionFacts($0.section).action($0.name)
    }
    resource.errors = ErrorFacts(section(.errors, "how to read an error response")).errors()
    resource.limits = ErrorFacts(section(.limits, "the rate limits of the service")).limits()
    return (version, clearing)
  }

  /// Reads a resource that includes the shared settings. `known` has the names of all resources, or is nil if there may
  /// be others.
  func resource(_ name: String, known: [String]?) -> Service.Resource {
    var resource = Service.Resource.blank(name)
    let clearing = shared(&resource).clearing
    if resource.creating?.answer == .location, !resource.hasItems {
      let name = name.isEmpty ? "fallbackResource" : name
      WriteFacts(below(node?["create"])).mistake(
        "a new record of \(name) cannot be read at its location: paths.item is null", at: "returns",
        hint: "write returns: nothing, or create: null if \(name) takes no new records")
    }
    var fields = fields("fields", "the fields, in the order of the records; a word alone is the type")
    if isCalledLikely("fields") {
      for place in fields.indices { fields[place].description.likely = Set(FieldDescription.Fact.allCases) }
    }
    resource.fields = fields.map(\.description)
    resource.source = fields.isEmpty ? .unknown : .configuration
    resource.textNumbers = Set(fields.filter(\.isTextNumber).map(\.description.name))
    resource.shownAt = fields.compactMap { field in field.place.map { (field.description.name, $0) } }
    resource.references = fields.compactMap(\.checkedReference)
    for field in fields {
      guard let word = field.clear ?? clearing[field.description.kind.rawValue] else { continue }
      let way = resource.updating.map { Service.Updating.Clearing(word: word, replacing: $0.replaceMethod) }
      resource.updating?.clearings[field.description.name] = way
    }
    for field in fields { check(field.target, among: known) }
    for member in node?["owners"]?.members ?? [] { check(member.name, at: member.place, among: known) }
    resource.owners = sections("owners", of: "resource", .owner, "the resources whose records own records of this one")
      .map { Self($0.section).owner($0.name) }
    resource.operationsBelow = words(
      Key.operationsBelow, FieldWords.operations,
      "the only operations available below an owner; they are then not available without one")
    let dependents = sections(
      "cascadeDeletes", .cascadeDeletes, "records that the service deletes along with one of these",
      formerly: "dependents")
    for dependents in dependents { check(dependents.node?["resource"], among: known) }
    resource.dependents = dependents.compactMap { Self($0).dependents() } + resource.dependents
    _ = read(
      Key.likely, .list(.word(LikelyWords.sections)),
      "sections that have not been verified: conditions and orders in them are not sent, and the first list proves its end"
    )
    resource.describesResources = flag("describesResources", "whether a write can add or remove resources")
    set(&resource.remarks, object("hookData", of: "name", "data for the hooks of the resource", formerly: "remarks"))
    checkAgreement(of: resource)
    return resource
  }

  private func check(_ name: String, at place: Place, among known: [String]?) {
    guard let known, !known.contains(name) else { return }
    reading.add(Mistake(place, "unknown resource \"\(name)\"", for: name, among: known, "resources"))
  }

  private func check(_ node: Node?, among known: [String]?) {
    if let node, let name = node.value.text { check(name, at: node.place, among: known) }
  }

  func owner(_ name: String) -> Service.Owner {
    let field = text(
      "field",
      "the field that identifies the owner, also in the path of `item`; null if neither the records nor the path have it"
    )
    let createsBelow = flag("createsBelow", "whether a record is created below its owner")
    var owner = Service.Owner(name, field: field, createsBelow: createsBelow)
    owner.itemsBelow = flag(
      "itemsBelow", "whether single records are also below their owner: their path contains the owner's")
    owner.createsBelow = createsBelow || owner.itemsBelow
    owner.path =
      path(
        "path",
        "the path, relative to that of the owner; / is that path itself (default: the last part of the resource's path)"
      )?.segments
    owner.parameter = text(
      "parameter", "alternatively, the parameter of the resource's own path that identifies the owner")
    return owner
  }

  func dependents() -> Dependents? {
    let resource = required("resource", "their resource", example: "comments")
    let field = required("field", "the field that refers to the deleted record", example: "postId")
    guard let resource, let field else { return nil }
    return Dependents(of: resource, naming: field)
  }
}
