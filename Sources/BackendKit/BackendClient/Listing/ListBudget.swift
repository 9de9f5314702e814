public import BackendKit

/// What a list may cost that is read whole.
public struct ListBudget: Sendable {
  /// How long a page should take at most; with it, pages are as large as the service is known to send, of at most 8 MiB. Nil keeps
  /// the usual size of pages.
  public var pageTime: Duration?
  /// Whether the next page is asked for while the records of one are handed on.
  public var readsAhead: Bool
  /// How many bytes of memory the records of a sort take, roughly, before they wait in a file.
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
