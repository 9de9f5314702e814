import BackendKit
import BackendTransport
import Glibc
import Synchronization

/// Opens the library that does the networking when the first connection is made: with what it brings along it would take a
/// fifth of each start.
final class TransportLoader: Sendable {
  static let fileName = "libHTTPTransport.so"

  private let path: String
  private let host: any LoopHost
  private let opened = Mutex<TransportLibrary?>(nil)

  /// A loader of the library in a folder, whose event loop is to run on the host's thread.
  init(folder: String, host: any LoopHost) {
    path = "\(folder)/\(Self.fileName)"
    self.host = host
  }

  /// A transport; throws `misconfigured` where the settings or the installation are wrong.
  func transport(_ settings: TransportSettings) throws(BackendError) -> any Transport {
    try library().transport(settings)
  }

  private func library() throws(BackendError) -> TransportLibrary {
    if let library = opened.withLock({ $0 }) { return library }
    let library = try open()
    return opened.withLock { kept in
      if let kept { return kept }
      library.run(host)
      kept = library
      return library
    }
  }

  private func open() throws(BackendError) -> TransportLibrary {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw error("cannot be opened (\(dlerror().map { String(cString: $0) } ?? "no reason is given"))")
    }
    typealias Stamp = @convention(c) () -> UnsafePointer<UInt8>?
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    guard let stamp = dlsym(library, TransportLibrary.stampSymbol),
      let entry = dlsym(library, TransportLibrary.entrySymbol),
      let text = unsafeBitCast(stamp, to: Stamp.self)()
    else { throw error("is no library of this console") }
    guard String(cString: text) == BuildStamp.compiled().description else {
      throw error("belongs to another build of this console")
    }
    guard let address = unsafeBitCast(entry, to: Entry.self)() else { throw error("gave nothing") }
    return TransportLibrary.take(address)
  }

  private func error(_ problem: String) -> BackendError {
    BackendError(
      .misconfigured, "nothing can be sent: \(path) \(problem)", effect: .notSent,
      hint: "build or install the console again, as a whole")
  }
}
