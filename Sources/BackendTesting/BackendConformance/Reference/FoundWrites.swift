import BackendKit
import Synchronization

/// The findings about writes of an adapter that did not know, by the resource's name.
final class FoundWrites: Sendable {
  private let found = Mutex<[String: Capabilities.Writes]>([:])

  subscript(name: String) -> Capabilities.Writes {
    get { found.withLock { $0[name] ?? .unknown } }
    set { found.withLock { $0[name] = newValue } }
  }
}
