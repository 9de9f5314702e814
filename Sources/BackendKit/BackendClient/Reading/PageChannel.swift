import BackendKit

/// Passes pages from a reading task to another in order, and suspends the reader if it is too far ahead.
actor PageChannel {
  enum Event: Sendable {
    case beginning(PageWalk.Beginning)
    case records([Record])
    case ending(PageWalk.Ending)
    case failure(BackendError)
    /// Nothing further is read ahead.
    case pause
  }

  /// The maximum number of waiting events: a batch of records is the part of a body that arrived at once.
  private static let most = 32

  private var events: [Event] = []
  /// The number of events in the array that were already taken.
  private var taken = 0
  /// The number of pages that were consumed.
  private var pages = 0
  private var isStopped = false
  private var isClosed = false
  private var reader: CheckedContinuation<Void, Never>?
  private var writer: CheckedContinuation<Void, Never>?

  /// Adds an event once there is room; false if the receiver has stopped.
  func put(_ event: Event) async -> Bool {
    while !isClosed, !isStopped, events.count - taken >= Self.most {
      await withCheckedContinuation { writer = $0 }
    }
    if isClosed { return false }
    if isStopped, case .records = event { return false }
    events.append(event)
    reader.take()?.resume()
    return true
  }

  /// Waits until all but one of so many pages are consumed, so that at most one is ahead; false if the receiver has
  /// stopped.
  func waitForPage(_ count: Int) async -> Bool {
    while !isClosed, pages < count - 1 { await withCheckedContinuation { writer = $0 } }
    return !isClosed
  }

  func next() async -> Event {
    while taken == events.count { await withCheckedContinuation { reader = $0 } }
    let event = events[taken]
    events[taken] = .pause
    taken += 1
    if taken == events.count {
      events.removeAll(keepingCapacity: true)
      taken = 0
    } else if taken > Self.most {
      events.removeFirst(taken)
      taken = 0
    }
    if case .ending = event { pages += 1 }
    writer.take()?.resume()
    return event
  }

  /// Discards further records, but not the end of the current page.
  func stop() {
    isStopped = true
    writer.take()?.resume()
  }

  /// Discards everything further.
  func close() {
    isClosed = true
    writer.take()?.resume()
  }
}
