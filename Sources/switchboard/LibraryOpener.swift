import BackendClient
import BackendKit
import Synchronization

/// The content of one of the console's libraries, opened when the first command needs it.
final class LibraryOpener<Content: Sendable>: Sendable {
  private let library: LibraryOnDemand
  private let take: @Sendable (UnsafeMutableRawPointer) -> Content
  private let taken = Mutex<Content?>(nil)

  init(_ library: LibraryOnDemand, take: @escaping @Sendable (UnsafeMutableRawPointer) -> Content) {
    self.library = library
    self.take = take
  }

  /// Returns the content of the library. Throws `misconfigured` if the installation is wrong.
  func content() throws(BackendError) -> Content {
    if let content = taken.withLock({ $0 }) { return content }
    let content = take(try library.open())
    taken.withLock { $0 = content }
    return content
  }
}

extension LibraryOpener where Content == any ConformanceJudge {
  /// The conformance suite.
  static func conformance(folder: String) -> Self {
    Self(
      LibraryOnDemand(
        path: "\(folder)/libConformance.so", stampSymbol: ConformanceLibrary.stampSymbol,
        entrySymbol: ConformanceLibrary.entrySymbol, loss: "backends cannot be tested")
    ) { ConformanceLibrary.take($0).judge }
  }
}

extension LibraryOpener where Content == any ServiceSurveyor {
  /// The surveyor of unknown services.
  static func discovery(folder: String) -> Self {
    Self(
      LibraryOnDemand(
        path: "\(folder)/libDiscovery.so", stampSymbol: DiscoveryLibrary.stampSymbol,
        entrySymbol: DiscoveryLibrary.entrySymbol, loss: "no service can be added")
    ) { DiscoveryLibrary.take($0).surveyor }
  }
}
