extension Service {
  /// A resource: where its records are, how they look, and what can be done with them.
  public struct Resource: Sendable {
    /// The name that commands use.
    public var name: String
    /// What identifies a record.
    public var identifier: IdentifierRule
    /// Whether the service tells identifiers apart without case.
    public var ignoresIdentifierCase = false
    /// The fields, in the order of the records.
    public var fields: [FieldDescription]
    /// Where the fields are known from.
    public var source = ResourceDescription.Source.adapter
    /// Whether records may have fields that are not described.
    public var isOpen = false
    /// Whether the service refuses a value of another kind than the field is described with.
    public var refusesOtherKinds = false

    /// Where records are read.
    public var path: RequestPath
    /// Where records are written, if elsewhere.
    public var writePath: RequestPath?
    /// Whether a path to one record is known; otherwise records are only listed.
    public var hasItems = true
    /// How addresses are made.
    public var addressing = Addressing()
    /// Where an identifier stands.
    public var naming = Naming.field
    /// Headers of every request, in the place of the service's with the same name.
    public var headers: [(String, String)] = []
    /// Headers of requests that read, besides those.
    public var readingHeaders: [(String, String)] = []
    /// Headers of requests for one record, or that change it, besides those.
    public var itemHeaders: [(String, String)] = []
    /// The Content-Type of bodies; nil as everywhere in the service.
    public var contentType: String?
    /// Parameters that go with each list and each record that is shown.
    public var parameters: [(String, String)] = []
    /// How a record is written.
    public var shape = Shape.plain {
      didSet { if shape == .jsonAPI { (recordsAt, recordAt) = ([["data"]], ["data"]) } }
    }
    /// Of JSON:API: the type of the records; nil where it is the resource's name.
    public var recordType: String?
    /// Where the records stand in the response to a list; the empty path is the document itself, and `*` is any member.
    public var recordsAt: [[String]] = [[]]
    /// Where the record stands in the response to anything else.
    public var recordAt: [String] = []
    /// How the records of a list are arranged.
    public var layout = Layout.list
    /// The field that holds an element which is a text, a number or a truth value instead of a record; nil where there is none.
    public var valueField: String?
    /// The member of each record that holds its fields; nil where the record does.
    public var wrapping: Wrapping?
    /// Members of a record that are not fields, such as links to others: nobody is shown them, and they are not sent.
    public var notFields: [String] = []
    /// A member of each response that is true where it is none of a failure; nil where there is none.
    public var okAt: [String]?
    /// Whether a null, or nothing, in the place of the records is a list without records.
    public var nullIsEmpty = false
    /// How dates are written.
    public var dates = DateForm.iso
    /// Fields whose numbers the service writes as texts.
    public var textNumbers: Set<String> = []
    /// Where records show the fields that they do not show under the name by which they are sent: `project.id` for `project_id`. `*`
    /// is each element of a list.
    public var shownAt: [(field: String, place: [String])] = []
    /// How the service answers when a record is not there.
    public var missing = Missing()
    /// How often it may be asked.
    public var limits = Limits()
    /// What its error responses look like; nil as everywhere in the service.
    public var errors: Errors?
    /// Statuses of a list that has no records and no body.
    public var emptyStatuses: Set<Int> = []
    /// Fields that a list leaves out.
    public var unlisted: [String] = []
    /// Whether a list may show them all the same; what it shows of them is then the record's.
    public var unlistedIsLikely = false

    /// How a list is asked for.
    public var listing = Listing()
    /// How a list is divided into pages.
    public var paging = Paging()
    /// How it can be waited for that the list changes; nil where it cannot.
    public var longPoll: LongPoll?
    /// Which conditions the service checks; nil for none.
    public var filters: Filters?
    /// Which orders it makes; nil for none.
    public var sorting: Sorting?
    /// How it is asked for some fields only; nil where it cannot.
    public var projection: Projection?
    /// How a list is asked to show other records within its records; nil where it cannot be.
    public var embedding: Embedding?
    /// How it is asked to search; nil where it cannot, or the hook `compile` asks.
    public var searching: Searching?
    /// Whether the service has a search, which the hook `compile` then asks for.
    public var hasSearch = false

    /// How a record is made; nil where that is not possible.
    public var creating: Creating?
    /// How a record is changed; nil where that is not possible.
    public var updating: Updating?
    /// How a record is deleted; nil where that is not possible.
    public var deleting: Deleting?
    /// What tells two versions of a record apart; nil where the last write wins.
    public var revision: Revision?
    /// How a write that is done later is followed; nil where each is done when it is answered.
    public var job: Job?
    /// What else can be done.
    public var actions: [Action] = []
    /// Whether the service keeps what is written. `.unknown` is found out by reading the first write back.
    public var writes = Capabilities.Writes.kept
    /// Whether a read may show a write only some time after its response, so that what a read shows tells nothing of it.
    public var showsWritesLater = false
    /// How pages behave while others write.
    public var stability = Capabilities.PagingConsistency.shifting

    /// The resources whose records have some of these below them.
    public var owners: [Owner] = []
    /// What can be done with the records of one owner, where that is not the same as with all; all others are then the rest.
    public var operationsBelow: Set<Capabilities.Operation>?
    /// Fields that name a record of another resource, which must be there before a write names it.
    public var references: [Reference] = []
    /// What goes with a record when it is deleted.
    public var dependents: [Dependents] = []
    /// Whether a write changes what resources there are.
    public var describesResources = false
    /// What the hooks want to know of it.
    public var remarks = Object()

    /// The fields that are files.
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
    /// The field that names the owner; nil where records do not show it.
    public var field: String?
    /// Whether a record is made below its owner, and not beside the others with the field filled in.
    public var createsBelow: Bool
    /// The path below the owner's; nil for the last part of the resource's own.
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
