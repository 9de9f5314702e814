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
    /// Not at all: one answer holds every record.
    case none
    /// By the number of records to leave out.
    case offset
    /// By the number of the page.
    case pageNumber
    /// By a mark that only the server understands.
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
    /// Only what changed is sent.
    case partial
    /// The whole record is read, changed and sent.
    case replace
  }

  /// The way the server treats writes: it keeps them, or only echoes them.
  public enum Writes: String, Sendable, Hashable, CaseIterable {
    case kept
    /// Writes are accepted and answered, but nothing is stored.
    case echoed
    /// Not known before it was tried.
    case unknown
  }

  /// The operations that can be asked for.
  public var operations: Set<Operation>
  /// The operations on records that belong to one record, if those differ: comments that are listed and created below
  /// their ticket, and read by themselves. Nil if they are the same.
  public var operationsBelow: Set<Operation>?
  /// The way lists are paged.
  public var paging: Paging
  /// The most records a page can have; nil where there is no such limit.
  ///
  public var pageCap: Int?
  /// True if pages of one list may be asked for in different sizes, and the service is known to send up to ``pageCap``
  /// records, or any number if that is nil. A page that is shorter all the same loses nothing: the list continues after
  /// the records received.
  public var takesLargerPages: Bool
  /// The number of records in a page if no size is asked for; nil if everything comes at once.
  ///
  public var defaultPageSize: Int?
  /// The stability of pages while others write.
  public var stability: PagingConsistency
  /// True if a list reports the total number of records.
  public var hasTotal: Bool
  /// The way updates reach the server.
  public var update: Update
  /// True if concurrent updates of different fields of one record are all kept. If not, the service reads the record,
  /// changes it and stores the whole, and one of the updates may be lost.
  public var updatesAreAtomic = true
  /// True if a field can be removed or emptied.
  public var canClear: Bool
  /// True if an empty text clears a field, so that the service does not distinguish an empty text from no value.
  public var clearsByEmptyText = false
  /// The way the server treats writes.
  public var writes: Writes
  /// Fields that a list leaves out and `get` loads.
  ///
  /// - Law omitted fields are declared: a list without a projection omits no field but those declared.
  public var unlistedFields: [String]
  /// True if a list may show those fields all the same, since it is not proved that it leaves them out.
  public var unlistedIsLikely = false
  /// Fields that a list shows and `get` does not.
  public var onlyListedFields: [String] = []
  /// True if the service has records that no list shows, so that nothing follows from the absence of one.
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
  /// True if a deletion of one record, too, can be conditional on its revision.
  public var deletesAtRevision = false
  /// True if the service refuses a change of a record without a revision, and a deletion as well if that can have one.
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
  /// True if the server recognizes a repeated creation by its ``CallOptions/creationKey``, and creates nothing more.
  public var takesCreationKeys = false
  /// True if the server can search.
  public var hasSearch: Bool
  /// Statuses besides 404 and 410 by which the service says that the record asked for is not there: 403 where it does not tell
  /// what it hides.
  public var missingStatuses: [Int] = []
  /// The records or parts that a list can be asked to show within each record; nil if it cannot be asked.
  public var embedding: Embedding?
  /// The degree to which the end of a list is proved in general; a list itself may prove more (``PageEnd/proof``).
  public var listEnd = EndProof.proved

  /// Records or parts that a server shows within records where it is asked to.
  public struct Embedding: Sendable, Hashable {
    /// The names it takes; empty where they are not known.
    public var names: [String]

    /// An embedding.
    public init(_ names: [String] = []) { self.names = names }
  }

  /// Capabilities; what is left out is the least a backend can have.
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
