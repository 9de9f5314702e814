import BackendKit

extension BackendConfiguration {
  /// The header fields with their values read. Throws where one cannot be read or is no header's value.
  public func resolvedHeaders() throws(ConfigurationError) -> [(name: String, value: String)] {
    try checkUsable()
    var fields: [(name: String, value: String)] = []
    for (name, secret) in headers {
      let place = place("headers", name)
      let value = try secret.resolve(environment: environment, place: place)
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw ConfigurationError(place, "the value has control characters, which no header may have")
      }
      fields.append((name, value))
    }
    return fields
  }

  /// User name and password, read now; nil where nobody logs in.
  public func resolvedCredentials() throws(ConfigurationError) -> (username: String, password: String)? {
    try checkUsable()
    guard let credentials else { return nil }
    return (
      try credentials.username.resolve(environment: environment, place: place("credentials", "username")),
      try credentials.password.resolve(environment: environment, place: place("credentials", "password"))
    )
  }

  /// Reads `{"env": "NAME"}` or `{"file": "PATH"}`; nil where a value is neither.
  static func reference(_ value: Value, folders: UserFolders, folder: String) -> Secret? {
    guard let object = value.object, object.count == 1 else { return nil }
    if let name = object["env"]?.text, isVariable(name) { return .environment(name) }
    if let path = object["file"]?.text, !path.isEmpty { return .file(folders.absolute(path, below: folder)) }
    return nil
  }

  private static func isVariable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }
  }
}
