public import BackendKit

/// The limits on the cost of a list that is read whole.
public struct ListBudget: Sendable {
  /// The time that a page should take at most. Pages then grow up to what the service is known to send and 8 MiB; if
  /// nil, they keep their usual size.
  public var pageTime: Duration?
  /// True to request the next page while the records of one are passed on.
  public var readsAhead: Bool
  /// The approximate number of bytes that the records of a sort may take in memory before they are moved to a file.
  public var sortMemory: Int
  /// Makes such a file. If it is nil or returns nil, sorting stays in memory.
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

/// Storage for bytes that do not fit in memory: appended once, and read anywhere.
public protocol Spill: Sendable {
  /// Appends bytes. Throws if there is no room.
  func append(_ bytes: [UInt8]) throws(BackendError)
  /// Reads bytes that were appended before. Throws if they cannot be read.
  func read(_ count: Int, at place: Int) throws(BackendError) -> [UInt8]
}
