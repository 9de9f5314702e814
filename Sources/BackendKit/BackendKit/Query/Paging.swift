/// Where the next page begins: a text that only the adapter that made it understands.
///
/// - Law foreign cursor: a cursor that this adapter did not make throws `invalid`, and before any request is made unless the
///   server makes the cursors.
/// - Law same page twice: while nothing is written, a cursor used twice gives the same page twice.
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
  /// The adapter's text.
  public let text: String

  /// A cursor with this text.
  public init(_ text: String) { self.text = text }

  /// The text.
  public var description: String { text }
}

/// How a page ended. A list call that returns none was cut short and never counts as complete.
///
/// - Law page sizes: pages of any size give the same list: of one record, one smaller than the list, as large, one
///   larger, and a size that divides it; a page at the cap is full, none is above it, and one whose size nobody
///   asked for is within the default size.
/// - Law reported page size: a page's end tells a page size where it is another than was asked for, and only there; no page
///   is larger.
/// - Law skipping: a list after so many records is the rest of the list, whoever leaves them out.
/// - Law past the end: a list after all its records, or after more than it has, is empty and over.
/// - Law total: a total is the number of records of the list or absent, and present on the first page where it is
///   declared.
public struct PageEnd: Sendable, Hashable {
  /// Where the next page begins; nil is the only mark of the end. An empty page with a cursor is legal.
  public var next: Cursor?
  /// How many records the whole list has by the server's count, or nil where it does not tell.
  public var total: Int?
  /// How many records a page has by the server's own word, where that differs from what was asked.
  public var pageSize: Int?
  /// Proof of the end of the list. Counts only if no page follows.
  public var proof: EndProof

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

  /// Whether a list of so many records may be one full page of more: a usual size of a page, or a multiple of one.
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

/// What receives the records of a page as the body arrives.
///
/// Waiting for `send` is the back-pressure: an adapter reads on only when the records before were taken.
///
/// - Law as they arrive: records of a list that is not paged reach the sink before its last byte is there.
/// - Law enough asks no more: once the sink has answered `enough`, no further request is made.
public struct RecordSink: Sendable {
  /// What the receiver wants next.
  public enum Answer: String, Sendable, Hashable {
    /// Go on.
    case more
    /// Stop reading; the adapter gives the body up and returns the page end it knows.
    case enough
  }

  private let receive: @Sendable ([Record]) async throws(BackendError) -> Answer

  /// A sink that hands each batch to a closure.
  public init(_ receive: @escaping @Sendable ([Record]) async throws(BackendError) -> Answer) {
    self.receive = receive
  }

  /// Hands over records in the order of the list.
  public func send(_ records: [Record]) async throws(BackendError) -> Answer { try await receive(records) }
}
