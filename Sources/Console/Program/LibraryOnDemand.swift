import BackendKit
import Glibc

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
