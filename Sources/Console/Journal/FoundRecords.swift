import BackendKit
import Synchronization

/// Keeps the records of a list.
final class FoundRecords: Sendable {
  private let kept = Mutex<[Record]>([])

  var records: [Record] { kept.withLock(\.self) }

  func add(_ records: [Record]) { kept.withLock { $0 += records } }
}
