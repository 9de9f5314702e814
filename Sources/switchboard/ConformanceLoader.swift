import BackendClient
import BackendKit
import Synchronization

/// Opens the library with the conformance suite when the first command needs it.
final class ConformanceLoader: Sendable {
  static let fileName = "libConformance.so"

  private let library: LibraryOnDemand
  private let opened = Mutex<ConformanceLibrary?>(nil)

  /// A loader of the library in a folder.
  init(folder: String) {
    library = LibraryOnDemand(
      path: "\(folder)/\(Self.fileName)", stampSymbol: ConformanceLibrary.stampSymbol,
      entrySymbol: ConformanceLibrary.entrySymbol, loss: "nothing can be judged")
  }

  /// The suite; throws `misconfigured` where the installation is wrong.
  func judge() throws(BackendError) -> any ConformanceJudge {
    if let library = opened.withLock({ $0 }) { return library.judge }
    let library = ConformanceLibrary.take(try library.open())
    opened.withLock { $0 = library }
    return library.judge
  }
}
