import BackendKit
import Synchronization

/// What an adapter that did not know found out about writes, by the resource's name.
final class FoundWrites: Sendable {
  private let found = Mutex<[String: Capabilities.Writes]>([:])

  subscript(name: String) -> Capabilities.Writes {
    get { found.withLock { $0[name] ?? .unknown } }
    set { found.withLock { $0[name] = newValue } }
  }
}
