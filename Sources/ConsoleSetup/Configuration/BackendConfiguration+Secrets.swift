package import BackendKit
import BackendTransport
package import ConsoleSystem
import Files

extension BackendConfiguration {
  /// The header fields with their values read. Throws where one cannot be read or is no header's value.
  public func resolvedHeaders() throws(ConfigurationError) -> [(name: String, value: String)] {
    try checkUsable()
    var fields: [(name: String, value: String)] = []
    for (name, secret) in headers {
      let place = place("headers", name)
      let value = try secret.resolve(environment: environment, place: place)
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw ConfigurationError(place, "the value contains control characters, which are not allowed in a header")
      }
      fields.append((name, value))
    }
    return fields
  }

  /// User name and password, read now; nil where nobody logs in.
  public func resolvedCredentials() throws(ConfigurationError) -> (username: String, password: String)? {
    try checkUsable()
    guard let username = credentials?[.username], let password = credentials?[.password] else { return nil }
    return (
      try username.resolve(environment: environment, place: place("credentials", "username")),
      try password.resolve(environment: environment, place: place("credentials", "password"))
    )
  }

  /// The content of the files that a secure connection needs, by path. Throws where one is missing or where others can change
  /// it; the key is a secret, as a password in a file is.
  public func resolvedTLSFiles() throws(ConfigurationError) -> [String: [UInt8]] {
    try checkUsable()
    var files: [String: [UInt8]] = [:]
    if let path = tls?.ca { files[path] = try content(of: path, place("tls", "ca")) }
    if let path = tls?.cert { files[path] = try content(of: path, place("tls", "cert")) }
    if let path = tls?.key { files[path] = try Secret.content(of: path, place("tls", "key")) }
    return files
  }

  /// The content of a file that it names, which others may not be able to change.
  package func content(of path: String, _ place: ConfigurationPlace) throws(ConfigurationError) -> [UInt8] {
    // Use exactly the content that was judged.
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

  /// Reads `{"env": "NAME"}` or `{"file": "PATH"}`; nil where a value is neither.
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
