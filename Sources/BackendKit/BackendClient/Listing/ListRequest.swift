public import BackendKit

/// A command's request for a list: the query, the part of its answer that is wanted, and the work that may be spent on
/// it.
public struct ListRequest: Sendable, Hashable {
  /// The query. Its page size is how many records one request should ask for; nil lets the client choose.
  public var query: ListQuery
  /// The maximum number of records to show; nil for all.
  public var limit: Int?
  /// The position to start at; nil for the beginning.
  public var start: ListPosition?
  /// The maximum number of records to read if the console does work that the server does not.
  public var maximumScan: Int
  /// The number of records that the list may have; if the service reports more with the first page, no record is handed
  /// on, and no page behind the one that tells it is requested. Nil for any number.
  public var mostTotal: Int?
  /// True if the limit only bounds the number of records read, so that pages have the sizes they have without one.
  public var isScan: Bool
  /// True if the next page may be requested while the records of one are handed on. False if the sink sends requests of
  /// its own, so that a recording of them always has the same order.
  public var readsAhead = true
  /// Marks a request for a single page: nothing depends on the end of the list, unless the console filters or sorts it.
  public var isPage = false
  /// Accepts an end that is not proved.
  public var trustsEnd = false
  /// True to check each record by the conditions that the server is said to apply, too, as far as it shows their fields.
  public var verifies = false
  /// The number of pages requested at once for a list that is read whole, if the service can begin after any number of
  /// records; 1 by default.
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
  /// The number of records before it in the whole list's answer, including those that the query skips.
  public var rowsBefore: Int
  /// The server's page that holds the next record; nil for the first one, or where only `rowsBefore` counts.
  public var cursor: Cursor?
  /// The number of records of that page that were used.
  public var usedOfPage: Int
  /// The requested size of the page, in records: a server's page cannot be found again with another size.
  public var pageSize: Int?
  /// The identity of the list: a position from another backend, resource, version or query is refused.
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

  /// True if only the number of rows counts, so that a server that can skip may begin there.
  var isNumbered: Bool { cursor == nil && usedOfPage == 0 }
}

/// The outcome of a list.
public struct ListSummary: Sendable, Hashable {
  /// The place of the first record shown, counted from 1.
  public var first: Int
  /// The number of records shown.
  public var count: Int
  /// The number of records in the answer; nil if unknown.
  public var total: Int?
  /// False if the total may be one up to which the server counts, and was not reached by reading.
  public var isTotalExact = true
  /// The position of the next page; nil at the end of the answer.
  public var next: ListPosition?
  /// The number of records read.
  public var scanned: Int
  /// The number of records read that met the conditions.
  public var matched: Int
  /// The number of requests it took, as calls of the adapter.
  public var calls: Int
  /// The work that the console did itself, in words for people: "filtered", "sorted", "searched".
  public var doneLocally: [String]
  /// True if the scan limit cut the answer short.
  public var isCut: Bool
  /// The first elements of the list that are not records.
  public var unreadable: [UnreadableRecord] = []
  /// The number of elements of the list that are not records.
  public var unreadableCount = 0
  /// The maximum number of records in the answer: the server's count for the conditions that it applies, if the console
  /// applies them again. Nil if unknown.
  public var mostTotal: Int?
  /// The number of records dropped because an earlier page had them: the list changed while it was read.
  public var repeated = 0
  /// Why a list that was read to its end may not be whole; nil where nothing speaks against it.
  public var doubt: CompletenessWarning?

  /// Proof of the list's end; `proved`, too, for a list that was not read to its end.
  public var end = EndProof.proved

  /// True if the service has records that the list does not show.
  public var omitsRecords = false

  /// The number of records left out that do not meet a condition which the server is said to check just as the console
  /// does.
  public var refuting = 0

  /// The fields whose values are of one type in the list and of another in the single records read for it.
  public var conflicts: [MergedRecord.Conflict] = []

  /// True if records of the answer are missing, or may be.
  public var isCutShort: Bool {
    switch doubt {
    case .missing, .shrank, .untestedEnd: true
    case .surplus, nil: isCut
    }
  }

  /// Returns whether records may have moved between its pages, so that one was passed over although the totals agree: others may have
  /// deleted a record and created another. An absence is proved by a second reading then.
  public func mayHaveShifted(_ can: Capabilities) -> Bool {
    calls > 1 && can.paging != .none && can.stability == .shifting
  }

  /// A reason to doubt that a list is complete, from the reported totals and the records received.
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
  /// The maximum number of them that a summary names.
  static let most = 10

  /// Its place in the list, counted from 1.
  public var place: Int
  /// Why it cannot be read, as a clause. May quote the server: it is untrusted text.
  public var reason: String
}
