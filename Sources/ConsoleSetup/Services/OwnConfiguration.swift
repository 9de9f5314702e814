package import BackendKit
package import ConsoleSystem
import Files
import Glibc

/// The user's own configuration as the console changes it: backends are added and removed, everything else stays except
/// for white space.
package struct OwnConfiguration {
  /// The folder of the configuration and of the descriptions below it.
  package let folder: String
  /// The file; the target if it is a link.
  package let file: String
  /// True if it belongs to the user in the environment; only then may it name programs.
  package let isOwn: Bool

  /// The configuration in use: the file of --config or SWITCHBOARD_CONFIG, which was checked to be the user's own,
  /// otherwise that of the user in the environment. Throws if there is none.
  package init(_ configuration: Configuration, environment: [String: String]) throws(UsageError) {
    if let named = configuration.named {
      (file, folder) = (named, Path.folder(of: named))
      let own = UserFolders(environment: environment).configuration.map { Path.real($0 + "/config.json") }
      isOwn = own == named
      return
    }
    guard let folder = UserFolders(environment: environment).configuration else {
      throw UsageError("the configuration folder is not known", hint: "set HOME or XDG_CONFIG_HOME")
    }
    self.folder = folder
    file = Path.real(folder + "/config.json")
    isOwn = true
  }

  /// Returns the path of a service's description, relative to the configuration.
  package static func description(of backend: String) -> String { "services/\(backend).yaml" }

  /// Adds a backend, and its description in a separate file, with the file beside that if it has one. Throws if the
  /// name exists already.
  package func add(
    _ name: String, _ entry: Object, description: String, companion: [UInt8]? = nil
  ) throws(UsageError) {
    var document = try read()
    var backends = document["backends"]?.object ?? Object()
    guard backends[name] == nil else { throw Self.taken(name, file) }
    let path = folder + "/" + Self.description(of: name)
    if OwnedFile.read(path) != nil {
      throw UsageError("\(path) already exists", hint: "choose another name, or remove the file")
    }
    backends[name] = .object(entry)
    document["backends"] = .object(backends)
    if let companion { try write(companion, to: BackendConfiguration.companion(of: path)) }
    try write(Array(description.utf8), to: path)
    try write(document)
  }

  /// Removes a backend, and its description if the console wrote it; returns the changed files.
  package func remove(_ name: String) throws(UsageError) -> [String] {
    var document = try read()
    var backends = document["backends"]?.object ?? Object()
    guard let entry = backends[name]?.object else {
      throw UsageError("\(name) is not in \(file)", hint: "backends shows where each backend comes from")
    }
    backends[name] = nil
    document["backends"] = .object(backends)
    try write(document)
    guard entry["description"]?.text == Self.description(of: name) else { return [file] }
    let path = folder + "/" + Self.description(of: name)
    return [file] + [path, BackendConfiguration.companion(of: path)].filter { unlink($0) == 0 }
  }

  /// Makes a credential of a backend a reference to the keyring.
  package func refer(_ part: LoginScheme.Credential, of name: String, to item: KeyringItem) throws(UsageError) {
    var document = try read()
    guard var backends = document["backends"]?.object, var entry = backends[name]?.object,
      var credentials = entry["credentials"]?.object
    else { throw UsageError("\(name) is not in \(file)") }
    credentials[part.rawValue] = .object(Object([("keyring", .string(item.description))]))
    entry["credentials"] = .object(credentials)
    backends[name] = .object(entry)
    document["backends"] = .object(backends)
    try write(document)
  }

  /// A backend of the configuration, as read from its file.
  package func backend(_ name: String, environment: [String: String]) throws(ConfigurationError)
    -> BackendConfiguration?
  {
    guard let found = try ConfigurationFile.open(file, shown: file) else { return nil }
    return try ConfigurationReader(file: found, isTrusted: true, environment: environment, isOwn: isOwn).content()
      .backends
      .first { $0.name == name }
  }

  package static func taken(_ name: String, _ file: String) -> UsageError {
    UsageError("the backend \(name) already exists in \(file)", hint: "add ADDRESS NAME chooses another name")
  }

  private func read() throws(UsageError) -> Object {
    guard let found = OwnedFile.read(file) else {
      return Object([("switchboard", 1), ("backends", .object(Object()))])
    }
    switch found {
    case .failure(let failure): throw UsageError("\(file) cannot be read: \(failure.reason)")
    case .success(let content):
      guard let document = try? JSONReader.read(content.bytes), let object = document.object else {
        throw UsageError("\(file) is not a JSON object", hint: "repair it first; nothing was written")
      }
      return object
    }
  }

  private func write(_ document: Object) throws(UsageError) {
    try write(Array((JSONWriter.indented(.object(document)) + "\n").utf8), to: file)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(UsageError) {
    do { try OwnedFile.write(bytes, to: path) } catch { throw UsageError("\(path) cannot be written: \(error.reason)") }
  }
}
