import BackendKit

extension Section {
  /// Every section, in the order of the reference.
  public static let ordered: [Section] = [
    Section(.description, "A complete description. Each resource can override what is set for all resources.") {
      facts, _ in facts.service(hooks: Description.noHooks)
    },
    Section(.resource, "Settings of one resource: the keys `base` to `limits` of a description, and its own.") {
      facts, _ in facts.resource("", known: nil)
    },
    Section(.discovery, "How `describe` examines the service.") { facts, _ in facts.inspection() },
    Section(.hooks, "Plugin functions for what data cannot express, each as `PLUGIN/NAME`.") { facts, _ in
      facts.hooks(Description.noHooks)
    },
    Section(.source, "The source of the facts in a section.", short: "from") { facts, _ in facts.origin() },
    Section(.base, "What all requests have in common.") { $0.base(&$1) },
    Section(.version, "The API version.") { facts, _ in facts.version() },
    Section(.arrays, "How several values are sent.") { facts, _ in facts.listForm() },
    Section(.errors, "How to read an error response.") { facts, _ in facts.errors() },
    Section(.fieldMessages, "Where an error response reports errors of single fields.") { facts, _ in
      facts.fieldMessages()
    },
    Section(.errorMapping, "What an error means if its status alone does not show it.") { facts, _ in facts.meaning() },
    Section(.limits, "The rate limits of the service.") { facts, _ in facts.limits() },
    Section(.paths, "Where records are, below the backend's address.") { $0.paths(&$1) },
    Section(.records, "Where the records are in a response, and what they look like.") { $0.records(&$1) },
    Section(.values, "How values are written.") { $0.values(&$1) },
    Section(.notFound, "How the service responds if a record does not exist, besides 404 and 410.") {
      $0.notFound(&$1)
    },
    Section(.lists, "How the records of a list differ from single ones.") { $0.lists(&$1) },
    Section(.identifier, "What identifies a record.") { $0.identifier(&$1, besides: []) },
    Section(.listRequest, "How to request a list, if not by GET with parameters.") { $0.listRequest(&$1) },
    Section(.page, "How a list is divided into pages.", decidedBy: "style") { $0.page(&$1) },
    Section(
      .longPoll,
      "Long polling: how the response to a list is delayed until the list changes. Only `watch` requests it."
    ) { facts, _ in facts.longPoll() },
    Section(.size, "The page size.") { $0.size(&$1.paging) },
    Section(.end, "How to recognize the end of a list: any of these.") { $0.end(&$1.paging) },
    Section(.total, "Where a response gives the total number of records.") { $0.total(&$1.paging) },
    Section(.filter, "Which conditions the service checks.") { facts, _ in facts.filter(Service.Filters.Values()) },
    Section(.condition, "How a comparison is written; plain text is the template.", short: "template") { facts, _ in
      facts.row(.equal)
    },
    Section(.language, "A language of conditions, in one parameter.") { facts, _ in facts.language() },
    Section(.joining, "How conditions are joined if they are JSON; plain text goes between conditions.") { facts, _ in
      facts.joining()
    },
    Section(.sort, "How the service can sort.") { facts, _ in facts.sort() },
    Section(.projection, "How to request only some fields.") { facts, _ in facts.projection() },
    Section(.search, "How to search for text in fields that the service chooses.") { $0.search(&$1) },
    Section(.expand, "How to make a list include related records.") { facts, _ in facts.expand() },
    Section(.create, "How to create a record: POST to the collection.") { facts, resource in
      facts.create(resource.identifier)
    },
    Section(.update, "How a record is changed.") { $0.update(&$1) },
    Section(.delete, "How a record is deleted: DELETE of its path.") { $0.delete(&$1) },
    Section(.revision, "What distinguishes two versions of a record.") { facts, _ in facts.revision() },
    Section(.job, "How to follow an asynchronous write.") { facts, _ in facts.job() },
    Section(.jobAddress, "Where the status address of a write is: one of these.") { facts, _ in facts.jobAddress() },
    Section(.persistence, "What happens to a write.") { $0.persistence(&$1) },
    Section(.location, "Where something is in a response: one of these.") { facts, _ in facts.location() },
    Section(.field, "A field of the records.", short: "type") { facts, _ in facts.field("") },
    Section(.file, "A field whose value is a file: records contain the location of its content, or metadata about it.")
    {
      facts, _ in facts.file()
    },
    Section(.bound, "The minimum or maximum.") { facts, _ in facts.bound() },
    Section(.reference, "The records that a field refers to.", short: "to") { facts, _ in facts.reference() },
    Section(.action, "Another action on a record or the resource.") { facts, _ in facts.action("") },
    Section(.owner, "A resource whose records own records of this one.") { facts, _ in facts.owner("") },
    Section(.cascadeDeletes, "Records that are deleted along with another.") { facts, _ in facts.dependents() },
  ]

  /// The names of the keys that a description has for all resources, and each resource for itself.
  static let sharedKeys = Set(Section(.resource, "") { $0.shared(&$1) }.keys.map(\.name))
}
