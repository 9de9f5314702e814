public import BackendKit

/// What a command asks of a list: the query, how much of its answer, and how much work that may cost.
public struct ListRequest: Sendable, Hashable {
  /// The query. Its page size is how many records one request should ask for; nil lets the client choose.
  public var query: ListQuery
  /// How many records to show at most; nil for all there are.
  public var limit: Int?
  /// Where to begin; nil for the beginning.
  public var start: ListPosition?
  /// How many records may be read where the console does work that the server does not.
  public var maximumScan: Int
  /// The number of records that the list may have; if the service reports more with a page, no further page is requested. Nil for any number.
  public var mostTotal: Int?
  /// Whether the limit only bounds what is read, so that pages have the sizes that they have without one.
  public var isScan: Bool
  /// Whether the next page may be asked for while the records of one are handed on; not where the sink sends requests of its own,
  /// so that a recording of them always has one order.
  public var readsAhead = true
  /// Marks a request for a single page: nothing depends on the end of the list, unless the console filters or sorts it.
  public var isPage = false
  /// Accepts an end that is not proved.
  public var trustsEnd = false
  /// How many pages of a list that is read whole are asked for at once, where the service can begin behind any number of records; 1
  /// where nobody says.
  public var jobs = 1

  /// A request.
  public init(
    _ query: ListQuery, limit: Int? = nil, start: ListPosition? = nil, maximumScan: Int = 10_000, isScan: Bool = false
  ) {
    self.isScan = isScan
    self.query = query
    self.limit = limit
    self.start = start
    self.maximumScan = maximumScan
  }
}

/// A place in a list's answer: between two of its records.
public struct ListPosition: Sendable, Hashable {
  /// How many records of the whole list's answer lie before it, those that the query skips among them.
  public var rowsBefore: Int
  /// The server's page that holds the next record; nil for the first one, or where only `rowsBefore` counts.
  public var cursor: Cursor?
  /// How many records of that page were used up.
  public var usedOfPage: Int
  /// How many records a page was asked to have: a server's page cannot be found again by another size.
  public var pageSize: Int?
  /// What the position belongs to: one made for another backend, resource, version or query is refused.
  public var fingerprint: String

  /// A position.
  public init(
    rowsBefore: Int, cursor: Cursor? = nil, usedOfPage: Int = 0, pageSize: Int? = nil, fingerprint: String
  ) {
    self.rowsBefore = rowsBefore
    self.cursor = cursor
    self.usedOfPage = usedOfPage
    self.pageSize = pageSize
    self.fingerprint = fingerprint
  }

  /// Whether only the number of rows counts, so that a server which can skip may begin there.
  var isNumbered: Bool { cursor == nil && usedOfPage == 0 }
}

/// How a list ended.
public struct ListSummary: Sendable, Hashable {
  /// The place of the first record shown, counted from 1.
  public var first: Int
  /// How many records were shown.
  public var count: Int
  /// How many records the answer has, or nil where nobody knows.
  public var total: Int?
  /// Where the next page begins; nil where the answer is over.
  public var next: ListPosition?
  /// How many records were read.
  public var scanned: Int
  /// How many of them met the conditions.
  public var matched: Int
  /// How many requests that took, as calls of the adapter.
  public var calls: Int
  /// What the console did itself, in words for people: "filtered", "sorted", "searched".
  public var doneLocally: [String]
  /// Whether the scan limit cut the answer short.
  public var isCut: Bool
  /// Elements of the list that are no records, the first of them; how many there were.
  public var unreadable: [UnreadableRecord] = []
  /// How many elements of the list are no records.
  public var unreadableCount = 0
  /// How many records the answer has at most: the server's count for the conditions that it applies, where the console
  /// applies them again. Nil where nobody knows.
  public var mostTotal: Int?
  /// How many records were dropped because an earlier page had them: the list changed while it was read.
  public var repeated = 0
  /// Why a list that was read to its end may not be whole; nil where nothing speaks against it.
  public var doubt: CompletenessWarning?

  /// Proof of the list's end; `proved`, too, for a list that was not read to its end.
  public var end = EndProof.proved

  /// Whether records are missing that belong to the answer, or may be.
  public var isCutShort: Bool {
    switch doubt {
    case .missing, .shrank, .untestedEnd: true
    case .surplus, nil: isCut
    }
  }

  /// What the totals that a service reports say against the records that came.
  public enum CompletenessWarning: Sendable, Hashable {
    /// Fewer records came than the smallest total of any page.
    case missing(of: Int, received: Int)
    /// The total fell while pages were read by their offset, so that as many records may have been passed over.
    case shrank(from: Int, by: Int)
    /// More records came than the largest total of any page.
    case surplus(of: Int, received: Int)
    /// Nothing proves that the list ended after these records.
    case untestedEnd(received: Int)
  }
}

/// An element of a list that is no record.
public struct UnreadableRecord: Sendable, Hashable {
  /// How many of them a summary names.
  static let most = 10

  /// Its place in the list, counted from 1.
  public var place: Int
  /// Why it cannot be read, as a clause. May quote the server: it is untrusted text.
  public var reason: String
}
