import BackendKit
import Files
import Glibc

/// A shared library that this process has loaded.
package struct LoadedLibrary: Sendable, Hashable {
  /// Its file, links resolved.
  package let file: String
  /// The version that it reports, if any.
  package var said: String?

  /// The file's name without its extension.
  package var name: String { parts.name }
  /// The version that it reports, otherwise the one in its file name; nil if neither is available.
  package var version: String? { said ?? parts.version }

  private var parts: (name: String, version: String?) {
    let whole = Path.name(of: file)
    guard let end = whole.firstRange(ofText: ".so") else { return (whole, nil) }
    let rest = whole[end.upperBound...].drop { $0 == "." }
    return (String(whole[..<end.lowerBound]), rest.isEmpty ? nil : String(rest))
  }

  /// All libraries of this process, sorted by name.
  package static var all: [LoadedLibrary] {
    guard case .success(let maps)? = OwnedFile.read("/proc/self/maps") else { return [] }
    var files: Set<String> = []
    for line in String(decoding: maps.bytes, as: UTF8.self).split(separator: "\n") {
      // ADDRESS PERMISSIONS OFFSET DEVICE INODE PATH
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard parts.count == 6 else { continue }
      let path = String(parts[5].drop { $0 == " " })
      if path.hasPrefix("/"), Path.name(of: path).contains(text: ".so") { files.insert(path) }
    }
    return files.map { LoadedLibrary(file: $0) }.sorted { ($0.name, $0.file) < ($1.name, $1.file) }
  }
}

/// A system library that the console opens when it first needs it.
package struct SystemLibrary: Sendable {
  package let name: String
  /// Its file names, in the order in which they are tried.
  let files: [String]
  /// The C function without arguments that returns its version.
  var versionFunction: String?
  /// The consequence of its absence, as a sentence.
  package let loss: String

  package static let all = [
    network,
    SystemLibrary(
      name: "libedit", files: ["libedit.so.2", "libedit.so.0", "libedit.so"],
      loss: "lines cannot be edited at the prompt"),
    SystemLibrary(
      name: "libgumbo", files: ["libgumbo.so.1", "libgumbo.so.2", "libgumbo.so.3", "libgumbo.so"],
      loss: "HTML is shown as its source"),
    SystemLibrary(
      name: "libsqlite3", files: ["libsqlite3.so.0", "libsqlite3.so"], versionFunction: "sqlite3_libversion",
      loss: "writes cannot be journaled"),
    SystemLibrary(
      name: "libyaml", files: ["libyaml-0.so.2"], versionFunction: "yaml_get_version_string",
      loss: "service descriptions cannot be read"),
  ]

  /// The library that sends requests. Its version also names its TLS library.
  package static let network = SystemLibrary(
    name: "libcurl", files: ["libcurl.so.4"], versionFunction: "curl_version", loss: "no service can be reached")

  /// Opens it. Returns false if that fails, and the version that it reports.
  package func open() -> (isThere: Bool, version: String?) {
    for file in files {
      guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else { continue }
      typealias Version = @convention(c) () -> UnsafePointer<CChar>?
      guard let versionFunction, let symbol = dlsym(library, versionFunction),
        let text = unsafeBitCast(symbol, to: Version.self)()
      else { return (true, nil) }
      return (true, String(cString: text))
    }
    return (false, nil)
  }
}
