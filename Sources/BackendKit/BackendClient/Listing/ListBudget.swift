public import BackendKit

/// The limits on the cost of a list that is read whole.
public struct ListBudget: Sendable {
  /// The time that a page should take at most. With it, pages become as large as the service is known to send, up to 8
  /// MiB; if nil, pages keep their usual size.
  public var pageTime: Duration?
  /// True to request the next page while the records of one are handed on.
  public var readsAhead: Bool
  /// The approximate number of bytes that the records of a sort may take in memory before they are moved to a file.
  public var sortMemory: Int
  /// Makes such a file. Nil, also as its result, keeps all records of a sort in memory.
  public var makeSpill: (@Sendable () -> (any Spill)?)?

  /// A budget.
  public init(
    pageTime: Duration? = nil, readsAhead: Bool = false, sortMemory: Int = 40 << 20,
    makeSpill: (@Sendable () -> (any Spill)?)? = nil
  ) {
    self.pageTime = pageTime
    self.readsAhead = readsAhead
    self.sortMemory = sortMemory
    self.makeSpill = makeSpill
  }
}

/// Bytes that do not fit in memory: written once, one after the other, and read again anywhere.
public protocol Spill: Sendable {
  /// Adds bytes behind all others; throws where there is no room for them.
  func append(_ bytes: [UInt8]) throws(BackendError)
  /// So many bytes from a place, which were added before; throws where they cannot be read.
  func read(_ count: Int, at place: Int) throws(BackendError) -> [UInt8]
}
