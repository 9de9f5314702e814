import BackendKit
import BackendTransport
import Synchronization

/// Opens the library that does the networking when the first connection is made: with what it brings along it would take a
/// fifth of each start.
final class TransportLoader: Sendable {
  static let fileName = "libHTTPTransport.so"

  private let library: LibraryOnDemand
  private let host: any LoopHost
  private let opened = Mutex<TransportLibrary?>(nil)

  /// A loader of the library in a folder, whose event loop is to run on the host's thread.
  init(folder: String, host: any LoopHost) {
    library = LibraryOnDemand(
      path: "\(folder)/\(Self.fileName)", stampSymbol: TransportLibrary.stampSymbol,
      entrySymbol: TransportLibrary.entrySymbol, loss: "nothing can be sent")
    self.host = host
  }

  /// A transport; throws `misconfigured` where the settings or the installation are wrong.
  func transport(_ settings: TransportSettings) throws(BackendError) -> any Transport {
    try open().transport(settings)
  }

  /// The certificate that the server at an address shows.
  func certificate(at address: String, _ patience: Duration) async throws(BackendError) -> ServerCertificate {
    try await open().certificate(address, patience)
  }

  private func open() throws(BackendError) -> TransportLibrary {
    if let library = opened.withLock({ $0 }) { return library }
    let library = TransportLibrary.take(try library.open())
    return opened.withLock { kept in
      if let kept { return kept }
      library.run(host)
      kept = library
      return library
    }
  }
}
