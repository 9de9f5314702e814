public import BackendKit

/// A command's request for a list: the query, the part of its answer to show, and limits on the work.
public struct ListRequest: Sendable, Hashable {
  /// The query. Its page size is how many records one request should ask for; nil lets the client choose.
  public var query: ListQuery
  /// The maximum number of records to show; nil for all.
  public var limit: Int?
  /// The position to start at; nil for the beginning.
  public var start: ListPosition?
  /// The maximum number of records to read if the console does work that the server does not.
  public var maximumScan: Int
  /// The maximum total. If the service reports more with the first page, no record is passed on, and no further page is
  /// requested. Nil for no limit.
  public var mostTotal: Int?
  /// True if the limit only bounds the number of records read, so that the size of pages does not depend on it.
  public var isScan: Bool
  /// True if the next page may be requested while the records of one are passed on. False if the sink sends requests,
  /// so that recordings have a fixed order.
  public var readsAhead = true
  /// Marks a request for a single page: nothing depends on the end of the list, unless the console filters or sorts it.
  public var isPage = false
  /// Accepts an end that is not proved.
  public var trustsEnd = false
  /// True to check records again by the conditions that the server applies, if their fields are loaded.
  public var verifies = false
  /// The number of pages requested at once for a list that is read whole, if the service can begin after any number of
  /// records; 1 by default.
  public var jobs = 1
  /// True to leave long conditions to the console, since the service refuses their address.
  var leavesLongConditions = false

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
  /// The number of records before it in the whole answer, including those that the query skips.
  public var rowsBefore: Int
  /// The server's page that holds the next record; nil for the first one, or if only `rowsBefore` counts.
  public var cursor: Cursor?
  /// The number of records of that page that were used.
  public var usedOfPage = 0
  /// The requested page size in records, since a server's page cannot be found again with another size.
  public var pageSize: Int?
  /// The identity of the list: positions of another backend, resource, version or query are refused.
  public var fingerprint: String

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
  /// False if the total may be a limit of the server's counting, and was not reached by reading.
  public var isTotalExact = true
  /// The position of the next page; nil at the end of the answer.
  public var next: ListPosition?
  /// The number of records read.
  public var scanned: Int
  /// The number of records read that met the conditions.
  public var matched: Int
  /// The number of calls of the adapter.
  public var calls: Int
  /// The work that the console did itself: "filtered", "searched", "sorted", and "checked again" for conditions that
  /// the service decided, too.
  public var doneLocally: [String]
  /// The conditions, each with the side that decided it.
  public var conditions: [ListCondition] = []
  /// True if the scan limit cut the answer short.
  public var isCut: Bool
  /// The first elements of the list that are not records.
  public var unreadable: [UnreadableRecord] = []
  /// The number of elements of the list that are not records.
  public var unreadableCount = 0
  /// The first records with texts in which U+FFFD takes the place of characters that no text can have.
  public var altered: [UnreadableRecord] = []
  /// An upper bound of the answer's records: the server's count, if the console applies conditions again. Nil if
  /// unknown.
  public var mostTotal: Int?
  /// The number of records dropped because an earlier page had them: the list changed during the reading.
  public var repeated = 0
  /// The reason to doubt that a list read to its end is complete; nil if there is none.
  public var doubt: CompletenessWarning?

  /// The proof of the list's end; `proved` if the list was not read to its end.
  public var end = EndProof.proved

  /// True if the service has records that the list does not show.
  public var omitsRecords = false

  /// The number of records dropped because they do not meet a condition that the server is said to check exactly.
  public var refuting = 0

  /// True if the server did not sort as its description says, so that the console did.
  public var isSortedInstead = false

  /// The identifiers that several of the records read have, with the number of these.
  public var sharedIdentifiers: [RecordID: Int] = [:]

  /// The fields whose type in the list differs from that in the single records read for it.
  public var conflicts: [MergedRecord.Conflict] = []

  /// The list as commands name it (`desk/invoices`), if only a document of the service describes its resource; nil of
  /// others.
  public var outlined: String?

  /// True if records of the answer are missing, or may be.
  public var isCutShort: Bool {
    switch doubt {
    case .missing, .shrank, .untestedEnd: true
    case .surplus, nil: isCut
    }
  }

  /// Returns whether records may have moved between pages, so that one was skipped although the totals agree: others
  /// may have deleted one record and created another. A second reading is then needed to prove an absence.
  public func mayHaveShifted(_ can: Capabilities) -> Bool {
    calls > 1 && can.paging != .none && can.stability == .shifting
  }

  /// A reason to doubt that a list is complete, from the reported totals and the records received.
  public enum CompletenessWarning: Sendable, Hashable {
    /// Fewer records came than the smallest total of any page.
    case missing(of: Int, received: Int)
    /// The total fell while pages were read by offset, so that as many records may have been skipped.
    case shrank(from: Int, by: Int)
    /// More records came than the largest total of any page.
    case surplus(of: Int, received: Int)
    /// Nothing proves that the list ended after these records.
    case untestedEnd(received: Int)
  }
}

/// An element of a list that is not a record.
public struct UnreadableRecord: Sendable, Hashable {
  /// The maximum number of them that a summary names.
  static let most = 10

  /// Its place in the list, counted from 1.
  public var place: Int
  /// The reason, as a clause. May quote the server: it is untrusted text.
  public var reason: String
}
