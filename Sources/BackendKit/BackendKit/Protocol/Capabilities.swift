/// The operations and features that a backend has for one resource. The client reads these before anything is sent; an
/// operation that is not declared here is refused or done in the console.
///
/// - Law search as declared: a search is left to the client if, and only if, none is declared.
public struct Capabilities: Sendable, Hashable {
  /// The operations a resource may offer.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    case list, get, create, update, delete, deleteAll
  }

  /// The way the server divides a list into pages.
  public enum Paging: String, Sendable, Hashable, CaseIterable {
    /// Not at all: one response holds every record.
    case none
    /// By the number of records to skip.
    case offset
    /// By the number of the page.
    case pageNumber
    /// By a token that only the server understands.
    case cursor
  }

  /// The stability of pages while others write.
  ///
  /// - Law paging during writes: a record inserted or deleted while the pages are walked neither hides nor repeats any
  ///   other, as far as the declared stability promises.
  public enum PagingConsistency: String, Sendable, Hashable, CaseIterable {
    /// Records never move between pages.
    case stable
    /// Records move when others insert or delete: one may be seen twice or missed.
    case shifting
  }

  /// The way an update reaches the server.
  ///
  /// - Law partial or full update: an update that sets a field sends only the changes where it is declared `partial`,
  ///   and the whole record where it is declared `replace`.
  public enum Update: String, Sendable, Hashable, CaseIterable {
    /// Only changed fields are sent.
    case partial
    /// The whole record is read, changed and sent.
    case replace
  }

  /// The way the server treats writes: it keeps them, or only echoes them.
  public enum Writes: String, Sendable, Hashable, CaseIterable {
    case kept
    /// Writes are accepted and answered, but nothing is stored.
    case echoed
    /// Unknown until tried.
    case unknown
  }

  /// The available operations.
  public var operations: Set<Operation>
  /// The operations on records below an owner, if they differ: comments may be listed and created below their ticket,
  /// but read by themselves. Nil if they are the same.
  public var operationsBelow: Set<Operation>?
  /// The way lists are paged.
  public var paging: Paging
  /// The largest page; nil if there is no limit.
  public var pageCap: Int?
  /// True if pages of one list may have different sizes, and the service is known to send up to ``pageCap`` records, or
  /// any number if that is nil. A page that is shorter nevertheless loses nothing: the list continues after the records
  /// received.
  public var takesLargerPages: Bool
  /// The number of records in a page if no size is requested; nil if everything comes at once.
  public var defaultPageSize: Int?
  /// The stability of pages while others write.
  public var stability: PagingConsistency
  /// True if a list reports the total number of records.
  public var hasTotal: Bool
  /// The way updates reach the server.
  public var update: Update
  /// True if concurrent updates of different fields of one record are all kept. If not, the service reads the record,
  /// changes it and stores the whole, and an update may be lost.
  public var updatesAreAtomic = true
  /// True if a field can be removed or emptied.
  public var canClear: Bool
  /// True if an empty text clears a field, so that the service does not distinguish an empty text from no value.
  public var clearsByEmptyText = false
  /// True if a field that is set to null is as empty as one that is cleared; otherwise the service may refuse null.
  public var clearsByNull = true
  /// True if it is not known of some fields whether the service clears them.
  public var clearingIsUntested = false
  /// The content of a field after it was cleared.
  public var cleared = Cleared.absent
  /// The content of fields for which it is another one.
  public var clearedFields: [String: Cleared] = [:]
  /// True if a field that an update sets to null is null afterwards; otherwise the null clears it.
  public var keepsNull = true
  /// True if a null in a new record is sent; otherwise it is left out.
  public var createsNull = true
  /// The way the server treats writes.
  public var writes: Writes
  /// Fields that a list leaves out and `get` loads.
  ///
  /// - Law omitted fields are declared: a list without a projection omits no field but those declared.
  public var unlistedFields: [String]
  /// True if a list may still show those fields, since it is not proved to omit them.
  public var unlistedIsLikely = false
  /// Fields that a list shows and `get` does not.
  public var onlyListedFields: [String] = []
  /// True if the service has records that no list shows, so that absence from a list proves nothing.
  public var omitsRecords = false
  /// True if a read or a list may show a write only some time after its response.
  public var showsWritesLater = false
  /// True if a deleted record can still be read, marked as deleted.
  public var keepsDeleted = false
  /// True if a record carries a revision on which an update can be conditional.
  ///
  /// - Law revisions: an update conditional on the current revision succeeds and gives the record a new one; an update,
  ///   and a deletion where that can be conditional, on any other revision throws `conflict` and changes nothing.
  public var hasRevisions = false
  /// True if the deletion of one record can be conditional on its revision, too.
  public var deletesAtRevision = false
  /// True if the service refuses updates without a revision, and deletions if they can have one.
  public var needsRevision = false
  /// True if an update with an object as the value of a field merges it into the existing object, whose other members
  /// are kept. If not, it replaces the existing object.
  public var mergesObjects = false
  /// True if `create` may choose the identifier.
  ///
  /// - Law chosen identifiers: where `create` may choose the identifier, the record gets it, a new one is not reported
  ///   as a replacement, and an existing one throws `alreadyExists` or `conflict`; elsewhere a chosen identifier is
  ///   refused before any request is made.
  /// - Law unusual chosen identifiers: where `create` may choose the identifier, an unusual one is refused, or leads to
  ///   its record in every call.
  public var takesIdentifiers: Bool
  /// True if it must, since the request of a new record names it.
  public var needsIdentifiers = false
  /// True if the server recognizes a repeated creation by its ``CallOptions/creationKey``, and creates no second
  /// record.
  public var takesCreationKeys = false
  /// True if the server can search.
  public var hasSearch: Bool
  /// Statuses besides 404 and 410 by which the service reports a missing record: 403 if it does not reveal what it
  /// hides.
  public var missingStatuses: [Int] = []
  /// The records or parts that a list can embed in each record; nil if it cannot.
  public var embedding: Embedding?
  /// Parameters of a list by name: the value that is sent unless the query has another, or null for one that the query
  /// must have.
  public var listParameters = Object()
  /// The degree to which the end of lists is proved in general; a list itself may prove more (``PageEnd/proof``).
  public var listEnd = EndProof.proved

  /// Records or parts that a server embeds in records on request.
  public struct Embedding: Sendable, Hashable {
    /// The accepted names; empty if they are unknown.
    public var names: [String]

    /// An embedding.
    public init(_ names: [String] = []) { self.names = names }
  }

  /// The content of a field after it was cleared.
  public enum Cleared: Sendable, Hashable {
    /// None: the record lacks the field.
    case absent
    /// A null, which is sent.
    case null
    /// A null, which is sent and may not clear the field.
    case untestedNull
    /// An empty text, which is sent.
    case emptyText
    /// Its default on the server (``FieldDescription/serverDefault``), which is sent.
    case serverDefault
  }

  /// Capabilities; the defaults are the minimum of any backend.
  public init(
    operations: Set<Operation>, paging: Paging = .none, pageCap: Int? = nil, takesLargerPages: Bool = false,
    defaultPageSize: Int? = nil, stability: PagingConsistency = .shifting, hasTotal: Bool = false,
    update: Update = .partial, canClear: Bool = true, writes: Writes = .kept, unlistedFields: [String] = [],
    takesIdentifiers: Bool = false, hasSearch: Bool = false
  ) {
    self.operations = operations
    self.paging = paging
    self.pageCap = pageCap
    self.takesLargerPages = takesLargerPages
    self.defaultPageSize = defaultPageSize
    self.stability = stability
    self.hasTotal = hasTotal
    self.update = update
    self.canClear = canClear
    self.writes = writes
    self.unlistedFields = unlistedFields
    self.takesIdentifiers = takesIdentifiers
    self.hasSearch = hasSearch
  }
}
