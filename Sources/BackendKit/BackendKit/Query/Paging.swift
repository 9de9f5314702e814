/// The beginning of the next page: a text that only the adapter that created it understands.
///
/// - Law invalid cursor: a cursor that this adapter did not create throws `invalid`, before any request is made unless
///   the server creates the cursors.
/// - Law cursor is repeatable: while nothing is written, a cursor used twice returns the same page twice.
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
  /// The adapter's text.
  public let text: String

  /// A cursor with this text.
  public init(_ text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

/// The end of a page. A list call that returns none was cut short and never counts as complete.
///
/// - Law page sizes: the list is the same for any page size: one record, one less than the list, the whole list, one
///   more, and a size that divides it; a page at the cap is full, no page exceeds the cap, and a page requested without
///   a size does not exceed the default size.
/// - Law reported page size: the end of a page reports a page size if, and only if, it differs from the one requested;
///   no page is larger.
/// - Law skip records: a list that skips records is the rest of the list, whether the server or the console skips them.
/// - Law skip past the end: a list that skips all its records, or more than it has, is empty and has no next page.
/// - Law total count: a total is the number of records of the list, or absent; where it is declared, the first page has
///   it.
public struct PageEnd: Sendable, Hashable {
  /// The beginning of the next page; nil is the only mark of the end. An empty page with a cursor is legal.
  public var next: Cursor?
  /// The number of records in the whole list by the server's count; nil if the server does not report one.
  public var total: Int?
  /// False if the total may be a limit of the server's counting, so that the list may go on behind it.
  public var isTotalExact = true
  /// The page size that the server reports; nil if it does not differ from the requested one.
  public var pageSize: Int?
  /// Proof of the end of the list; if a page follows, that no record is missing between them.
  public var proof: EndProof
  /// The maximum number of records at the beginning of the next page that repeat this one's.
  public var repeats = 0

  /// The end of a page.
  public init(next: Cursor? = nil, total: Int? = nil, pageSize: Int? = nil, proof: EndProof = .proved) {
    self.next = next
    self.total = total
    self.pageSize = pageSize
    self.proof = proof
  }
}

/// Proof of the end of a list.
public enum EndProof: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Nothing shows that the list ended: the response may be the first page of more.
  case untested
  /// The response looks like a whole list; nothing proves it.
  case likely
  /// A total was reached, a rule for the end was met, or the end is declared.
  case proved

  /// Returns whether a list with this many records may be one full page of a longer list: the count is a usual page
  /// size or a multiple of one.
  public static func isUsualPage(_ count: Int) -> Bool {
    count > 0 && ([10, 16, 25].contains { count % $0 == 0 } || [12, 15, 24, 36].contains(count))
  }

  /// Orders proofs by strength.
  public static func < (left: EndProof, right: EndProof) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .untested: 0
    case .likely: 1
    case .proved: 2
    }
  }
}

/// The receiver of a page's records as the body arrives.
///
/// Waiting for `send` is the back-pressure: an adapter reads on only when the records before were taken.
///
/// - Law records are streamed: records of an unpaged list reach the sink before the last byte of the response has
///   arrived.
/// - Law enough stops requests: once the sink has returned `enough`, no further request is made.
public struct RecordSink: Sendable {
  /// The receiver's answer to a batch of records.
  public enum Answer: String, Sendable, Hashable {
    /// Go on.
    case more
    /// Stop reading; the adapter abandons the body and returns the page end as far as known.
    case enough
  }

  private let receive: @Sendable ([Record]) async throws(BackendError) -> Answer

  /// A sink that passes each batch to a closure.
  public init(_ receive: @escaping @Sendable ([Record]) async throws(BackendError) -> Answer) {
    self.receive = receive
  }

  /// Passes on records in the order of the list.
  public func send(_ records: [Record]) async throws(BackendError) -> Answer { try await receive(records) }
}

/// Collects the records of a page until they can be used.
public actor BufferedPage {
  /// The records received so far.
  public private(set) var records: [Record] = []

  /// An empty page.
  public init() {}

  /// A sink that accepts all records.
  public nonisolated var sink: RecordSink {
    RecordSink { records throws(BackendError) in
      await self.take(records)
      return .more
    }
  }

  private func take(_ more: [Record]) { records += more }
}
