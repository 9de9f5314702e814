import BackendClient
import BackendKit
import BackendTransport
import Synchronization

/// The content of one of the console's libraries, opened when first needed.
final class LibraryOpener<Content: Sendable>: Sendable {
  private let library: LibraryOnDemand
  private let take: @Sendable (UnsafeMutableRawPointer) -> Content
  private let taken = Mutex<Content?>(nil)

  init(_ library: LibraryOnDemand, take: @escaping @Sendable (UnsafeMutableRawPointer) -> Content) {
    self.library = library
    self.take = take
  }

  /// Returns the content. Throws `misconfigured` if the installation is wrong.
  func content() throws(BackendError) -> Content {
    try taken.withLock { taken throws(BackendError) in
      if let taken { return taken }
      let content = take(try library.open())
      taken = content
      return content
    }
  }
}

extension LibraryOpener where Content == any ConformanceJudge {
  static func conformance(folder: String) -> Self {
    Self(
      LibraryOnDemand(
        path: "\(folder)/libConformance.so", stampSymbol: ConformanceLibrary.stampSymbol,
        entrySymbol: ConformanceLibrary.entrySymbol, loss: "backends cannot be tested")
    ) { ConformanceLibrary.take($0).judge }
  }
}

extension LibraryOpener where Content == any ServiceSurveyor {
  static func discovery(folder: String) -> Self {
    Self(
      LibraryOnDemand(
        path: "\(folder)/libDiscovery.so", stampSymbol: DiscoveryLibrary.stampSymbol,
        entrySymbol: DiscoveryLibrary.entrySymbol, loss: "no service can be added")
    ) { DiscoveryLibrary.take($0).surveyor }
  }
}

extension LibraryOpener where Content == TransportLibrary {
  /// The network: with its dependencies it would take a fifth of each start. Its event loop runs on the host's thread;
  /// without a host on its own.
  static func transport(folder: String, host: (any LoopHost)?) -> Self {
    Self(
      LibraryOnDemand(
        path: "\(folder)/libHTTPTransport.so", stampSymbol: TransportLibrary.stampSymbol,
        entrySymbol: TransportLibrary.entrySymbol, loss: "nothing can be sent")
    ) { address in
      let library = TransportLibrary.take(address)
      if let host { library.run(host) }
      return library
    }
  }
}
