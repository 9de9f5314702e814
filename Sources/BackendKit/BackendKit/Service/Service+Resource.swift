extension Service {
  /// A resource: the addresses of its records, their form, and the operations on them.
  public struct Resource: Sendable {
    /// The name that commands use.
    public var name: String
    /// The rule for the identifiers of its records.
    public var identifier: IdentifierRule
    /// True if the service ignores case in identifiers.
    public var ignoresIdentifierCase = false
    /// The fields, in the order of the records.
    public var fields: [FieldDescription]
    /// The source of the fields.
    public var source = ResourceDescription.Source.adapter
    /// True if records may have fields that are not described.
    public var isOpen = false
    /// True if the service refuses a value of a kind other than the field's described one.
    public var refusesOtherKinds = false

    /// The path at which records are read.
    public var path: RequestPath
    /// The path at which records are written, if it is another.
    public var writePath: RequestPath?
    /// True if a path to one record is known; otherwise records are only listed.
    public var hasItems = true
    /// True if one record can be read at its path; otherwise it is only changed or deleted there.
    public var readsItems = true
    /// True if its records can be listed.
    public var hasList = true
    /// The way addresses are formed.
    public var addressing = Addressing()
    /// The place of the identifier in a record.
    public var naming = Naming.field
    /// Headers of every request, replacing the service's of the same names.
    public var headers: [(String, String)] = []
    /// Additional headers of reads.
    public var readingHeaders: [(String, String)] = []
    /// Additional headers of requests that read or change one record.
    public var itemHeaders: [(String, String)] = []
    /// The Content-Type of bodies; nil for the service's.
    public var contentType: String?
    /// Parameters of each list and each record that is shown.
    public var parameters: [(String, String)] = []
    /// Parameters that each list must be given, since the service has no value for them.
    public var requiredParameters: [String] = []
    /// The form of a record on the wire.
    public var shape = Shape.plain {
      didSet { if shape == .jsonAPI { (recordsAt, recordAt) = ([["data"]], ["data"]) } }
    }
    /// The JSON:API type of the records; nil if it is the resource's name.
    public var recordType: String?
    /// The paths to the records in the response to a list; the empty path is the document itself, and `*` is any
    /// member.
    public var recordsAt: [[String]] = [[]]
    /// The path to the record in any other response.
    public var recordAt: [String] = []
    /// The arrangement of the records in a list.
    public var layout = Layout.list
    /// The field that holds a list element that is a text, a number or a boolean instead of a record; nil if there are
    /// none.
    public var valueField: String?
    /// The member of each record that holds its fields; nil if they are not nested.
    public var wrapping: Wrapping?
    /// Members of a record that are not fields, such as links to others: they are neither shown nor sent.
    public var notFields: [String] = []
    /// A member of each response that is true unless the request failed; nil if there is none.
    public var okAt: [String]?
    /// True if a null, or nothing, in place of the records is a list without records.
    public var nullIsEmpty = false
    /// True if a list of one record may be that record alone.
    public var listsOneAsRecord = false
    /// The form in which dates are written.
    public var dates = DateForm.iso
    /// Fields whose numbers the service writes as texts.
    public var textNumbers: Set<String> = []
    /// The places of fields that records show elsewhere than under the name by which they are sent: `project.id` for
    /// `project_id`. `*` is each element of a list.
    public var shownAt: [(field: String, place: [String])] = []
    /// The service's responses to a request for a record that does not exist.
    public var missing = Missing()
    /// The rate limits of the service.
    public var limits = Limits()
    /// The layout of its error responses; nil for that of the service.
    public var errors: Errors?
    /// Statuses of a list that has no records and no body.
    public var emptyStatuses: Set<Int> = []
    /// Fields that a list leaves out.
    public var unlisted: [String] = []
    /// True if a list may still show those fields; the values that it shows are then the record's.
    public var unlistedIsLikely = false
    /// Fields that only a list shows.
    public var onlyListed: [String] = []
    /// True if there are records that a list leaves out.
    public var omitsRecords = false

    /// The request for a list.
    public var listing = Listing()
    /// The division of a list into pages.
    public var paging = Paging()
    /// The way to wait for a change of the list; nil if there is none.
    public var longPoll: LongPoll?
    /// The conditions that the service checks; nil for none.
    public var filters: Filters?
    /// The orders in which the service can sort; nil for none.
    public var sorting: Sorting?
    /// The way the service is asked for only some fields; nil if it cannot select them.
    public var projection: Projection?
    /// The way a list is asked to embed other records in its records; nil if it cannot.
    public var embedding: Embedding?
    /// The way the service is asked to search; nil if it cannot, or if the hook `compile` does it.
    public var searching: Searching?
    /// True if the service has a search that the hook `compile` asks for.
    public var hasSearch = false

    /// The way a record is created; nil if that is not possible.
    public var creating: Creating?
    /// The way a record is changed; nil if that is not possible.
    public var updating: Updating?
    /// The way a record is deleted; nil if that is not possible.
    public var deleting: Deleting?
    /// The revision that distinguishes two versions of a record; nil if the last write wins.
    public var revision: Revision?
    /// The way to follow a write that is completed later; nil if each is complete when its response arrives.
    public var job: Job?
    /// Operations other than the usual ones.
    public var actions: [Action] = []
    /// The persistence of writes: whether the service keeps them. `.unknown` is settled by reading the first write
    /// back.
    public var writes = Capabilities.Writes.kept
    /// True if a read may show a write only some time after its response, so that a read proves nothing about the
    /// write.
    public var showsWritesLater = false
    /// The consistency of pages while others write.
    public var stability = Capabilities.PagingConsistency.shifting

    /// The resources whose records own some of these.
    public var owners: [Owner] = []
    /// The operations on the records of one owner, if they differ from those on all records. An operation listed here
    /// is then not available on all records.
    public var operationsBelow: Set<Capabilities.Operation>?
    /// Fields that name a record of another resource, which must exist before a write names it.
    public var references: [Reference] = []
    /// The records that are deleted together with a record.
    public var dependents: [Dependents] = []
    /// True if a write changes the set of resources.
    public var describesResources = false
    /// Data for the hooks.
    public var remarks = Object()

    /// True if the resource is one record, without an identifier.
    var isSole: Bool { identifier.form == .none }

    var fileFields: [String] { fields.filter { $0.file != nil }.map(\.name) }

    /// A resource that can be read.
    public init(
      _ name: String, at path: RequestPath, identifier: IdentifierRule, fields: [FieldDescription] = []
    ) {
      self.name = name
      self.path = path
      self.identifier = identifier
      self.fields = fields
    }
  }

  /// A resource whose records own records of another.
  public struct Owner: Sendable {
    /// The owner's resource.
    public var resource: String
    /// The field that names the owner; nil if records do not show it.
    public var field: String?
    /// True if a record is created below its owner, and not next to the others with the field set.
    public var createsBelow: Bool
    /// True if single records are below their owner, too, and only there.
    public var itemsBelow = false
    /// The path below the owner's; nil for the last segment of the resource's own.
    public var path: [String]?
    /// The parameter of the resource's own path that names the owner; nil if the records are at a path below it.
    public var parameter: String?

    /// An owner.
    public init(_ resource: String, field: String?, createsBelow: Bool = false) {
      self.resource = resource
      self.field = field
      self.createsBelow = createsBelow
    }
  }

  /// A field that names a record of another resource.
  public struct Reference: Sendable {
    /// The field.
    public var field: String
    /// The resource of the record that it names.
    public var resource: String

    /// A reference.
    public init(_ field: String, to resource: String) {
      self.field = field
      self.resource = resource
    }
  }
}
