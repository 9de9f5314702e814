package import BackendKit
import BackendTransport
package import ConsoleSystem
import Files

extension BackendConfiguration {
  /// The content of the files that a secure connection needs, by path. Throws if one is missing or can be changed by
  /// others; the key is protected like any secret.
  public func resolvedTLSFiles() throws(ConfigurationError) -> [String: [UInt8]] {
    try checkUsable()
    var files: [String: [UInt8]] = [:]
    if let path = tls?.ca { files[path] = try content(of: path, place("tls", "ca")) }
    if let path = tls?.cert { files[path] = try content(of: path, place("tls", "cert")) }
    if let path = tls?.key { files[path] = try Secret.content(of: path, place("tls", "key")) }
    return files
  }

  /// The content of a file that it names, which others must not be able to change.
  package func content(of path: String, _ place: ConfigurationPlace) throws(ConfigurationError) -> [UInt8] {
    // Use exactly the content that was checked.
    if let judged = contents[path] { return judged }
    switch OwnedFile.read(path) {
    case nil: throw ConfigurationError(place, "the file \(path) does not exist")
    case .failure(let failure): throw ConfigurationError(place, "the file \(path) cannot be read: \(failure.reason)")
    case .success(let file):
      if let problem = file.problem {
        throw ConfigurationError(place, "the file \(path) is not safe to use: \(problem)")
      }
      return file.bytes
    }
  }

  /// Reads `{"env": "NAME"}` or `{"file": "PATH"}`; nil if a value is neither.
  package static func reference(_ value: Value, folders: UserFolders, folder: String) -> Secret? {
    guard let object = value.object, object.count == 1 else { return nil }
    if let name = object["env"]?.text, isVariable(name) { return .environment(name) }
    if let path = object["file"]?.text, !path.isEmpty { return .file(folders.absolute(path, below: folder)) }
    return nil
  }

  private static func isVariable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }
  }
}
