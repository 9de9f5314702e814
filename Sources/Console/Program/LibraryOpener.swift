import BackendClient
import BackendKit
import BackendTransport
import Glibc
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

/// A library beside the executable, opened on first use, since linking it would slow down each start.
struct LibraryOnDemand {
  let path: String
  /// The C functions that return the library's build stamp and its content.
  let stampSymbol: String
  let entrySymbol: String
  /// A clause about what is impossible without the library.
  let loss: String

  /// Opens the library and returns the address of its content. Only the stamp is read before it was compared.
  func open() throws(BackendError) -> UnsafeMutableRawPointer {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw error("cannot be opened (\(dlerror().map { String(cString: $0) } ?? "no reason is given"))")
    }
    typealias Stamp = @convention(c) () -> UnsafePointer<UInt8>?
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    guard let stamp = dlsym(library, stampSymbol), let entry = dlsym(library, entrySymbol),
      let text = unsafeBitCast(stamp, to: Stamp.self)()
    else { throw error("is not a library of this console") }
    guard String(cString: text) == BuildStamp.compiled().description else {
      throw error("belongs to another build of this console")
    }
    guard let address = unsafeBitCast(entry, to: Entry.self)() else { throw error("returned nothing") }
    return address
  }

  private func error(_ problem: String) -> BackendError {
    BackendError(
      .misconfigured, "\(loss): \(path) \(problem)", effect: .notSent,
      hint: "still building? wait; otherwise reinstall")
  }
}
