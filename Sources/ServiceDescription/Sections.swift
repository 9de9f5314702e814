import BackendKit

extension Section {
  /// All sections, in the order of the reference.
  public static let ordered: [Section] = [
    Section(.description, "A complete description. Each resource can override what is set for all resources.") {
      ServiceFacts($0).service(hooks: Description.noHooks)
    },
    Section(.resource, "Settings of one resource: the keys `base` to `limits` of a description, and its own.") {
      ResourceFacts($0).resource("", known: nil)
    },
    Section(
      .documented,
      "Resources that only a document of the service describes: they are in the file beside the description."
    ) {
      DocumentedFacts($0).index()
    },
    Section(.discovery, "How `describe` examines the service.") { ServiceFacts($0).inspection() },
    Section(.hooks, "Plugin functions for what data cannot express, each as `PLUGIN/NAME`.") {
      ServiceFacts($0).hooks(Description.noHooks)
    },
    Section(.source, "The source of the facts in a section.", short: "from") { SourceFacts($0).declareKeys() },
    Section(.base, "What all requests have in common.") { RequestFacts($0).base(&$1) },
    Section(.version, "The API version.") { RequestFacts($0).version() },
    Section(.arrays, "How several values are sent.") { RequestFacts($0).listForm() },
    Section(.errors, "How to read an error response.") { ErrorFacts($0).errors() },
    Section(.fieldMessages, "Where an error response reports errors of single fields.") {
      ErrorFacts($0).fieldMessages()
    },
    Section(.errorMapping, "What an error means if its status alone does not show it.") { ErrorFacts($0).meaning() },
    Section(.limits, "The rate limits of the service.") { ErrorFacts($0).limits() },
    Section(.paths, "Where records are, below the backend's address.") { RecordFacts($0).paths(&$1) },
    Section(.records, "Where the records are in a response, and what they look like.") { RecordFacts($0).records(&$1) },
    Section(.values, "How values are written.") { RecordFacts($0).values(&$1) },
    Section(.notFound, "How the service responds if a record does not exist, besides 404 and 410.") {
      RecordFacts($0).notFound(&$1)
    },
    Section(.lists, "How the records of a list differ from single ones.") { RecordFacts($0).lists(&$1) },
    Section(.identifier, "What identifies a record.") { RecordFacts($0).identifier(&$1, besides: []) },
    Section(.listRequest, "How to request a list, if not by GET with parameters.") { ListFacts($0).listRequest(&$1) },
    Section(.page, "How a list is divided into pages.", decidedBy: "style") { ListFacts($0).page(&$1) },
    Section(
      .longPoll,
      "Long polling: how the response to a list is delayed until the list changes. Only `watch` requests it."
    ) { ListFacts($0).longPoll() },
    Section(.size, "The page size.") { ListFacts($0).size(&$1.paging) },
    Section(.end, "How to recognize the end of a list: any of these.") { ListFacts($0).end(&$1.paging) },
    Section(.total, "Where a response gives the total number of records.") { ListFacts($0).total(&$1.paging) },
    Section(.filter, "Which conditions the service checks.") { ConditionFacts($0).filter(Service.Filters.Values()) },
    Section(.condition, "How a comparison is written; plain text is the template.", short: "template") {
      ConditionFacts($0).row(.equal)
    },
    Section(.language, "A language of conditions, in one parameter.") { ConditionFacts($0).language() },
    Section(.joining, "How conditions are joined if they are JSON; plain text goes between conditions.") {
      ConditionFacts($0).joining()
    },
    Section(.sort, "How the service can sort.") { QueryFacts($0).sort() },
    Section(.projection, "How to request only some fields.") { QueryFacts($0).projection() },
    Section(.search, "How to search for text in fields that the service chooses.") { QueryFacts($0).search(&$1) },
    Section(.expand, "How to make a list include related records.") { QueryFacts($0).expand() },
    Section(.create, "How to create a record: POST to the collection.") { WriteFacts($0).create($1.identifier) },
    Section(.update, "How a record is changed.") { WriteFacts($0).update(&$1) },
    Section(.delete, "How a record is deleted: DELETE of its path.") { WriteFacts($0).delete(&$1) },
    Section(.revision, "What distinguishes two versions of a record.") { WriteFacts($0).revision() },
    Section(.job, "How to follow an asynchronous write.") { JobFacts($0).job() },
    Section(.jobAddress, "Where the status address of a write is: one of these.") { JobFacts($0).jobAddress() },
    Section(.persistence, "What happens to a write.") { WriteFacts($0).persistence(&$1) },
    Section(.location, "Where something is in a response: one of these.") { LocationFacts($0).location() },
    Section(.field, "A field of the records.", short: "type") { FieldFacts($0).field("") },
    Section(.file, "A field whose value is a file: records contain the location of its content, or metadata about it.")
    { FieldFacts($0).file() },
    Section(.bound, "The minimum or maximum.") { FieldFacts($0).bound() },
    Section(.reference, "The records that a field refers to.", short: "to") { FieldFacts($0).reference() },
    Section(.action, "Another action on a record or the resource.") { ActionFacts($0).action("") },
    Section(.owner, "A resource whose records own records of this one.") { ResourceFacts($0).owner("") },
    Section(.cascadeDeletes, "Records that are deleted along with another.") { ResourceFacts($0).dependents() },
  ]

  /// The keys that a description sets for all resources, and a resource for itself.
  static let sharedKeys = Set(Section(.resource, "") { ResourceFacts($0).shared(&$1) }.keys.map(\.name))
    .subtracting(["source"])
}
