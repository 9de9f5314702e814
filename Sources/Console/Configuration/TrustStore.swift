import BackendKit
import Files

/// Which configurations of folders the operator trusts, each as it was when it was read: by path and SHA-256 digest.
///
/// It stands in the user's state folder with mode 0600. A file that changed is no longer trusted.
public struct TrustStore: Sendable {
  private let file: String?

  /// The store of the user whom the environment tells of.
  public init(environment: [String: String]) {
    file = UserFolders(environment: environment).state.map { $0 + "/trust.json" }
  }

  /// Trusts a file as it is now. Throws where it cannot be read or the store cannot be written.
  public func record(_ path: String) throws(ConfigurationError) {
    guard !Restriction.current.isOn else {
      throw ConfigurationError(ConfigurationPlace(file: path), "the run is restricted: nothing is trusted by it")
    }
    guard let file else {
      throw ConfigurationError(
        ConfigurationPlace(file: path), "nothing can be recorded without a home", hint: "set HOME or XDG_STATE_HOME")
    }
    let content: OwnedFile
    switch OwnedFile.read(path) {
    case nil: throw ConfigurationError(ConfigurationPlace(file: path), "there is no such file to trust")
    case .failure(let failure): throw ConfigurationError(ConfigurationPlace(file: path), failure.reason)
    case .success(let read): content = read
    }
    // Trust is for what an operator read: a text that says nothing to the console is rather a mistake.
    guard try PlacedScanner.scan(content.bytes, file: path)["switchboard"]?.value.integer == 1 else {
      throw ConfigurationError(
        ConfigurationPlace(file: path), "it has no \"switchboard\": 1, so that there is nothing to trust",
        hint: "is it the configuration of another program?")
    }
    var digests = try self.digests()
    digests[Path.real(path)] = .string(SHA256.hex(content.bytes))
    let text = JSONWriter.indented(.object(Object([("trusted", .object(digests))]))) + "\n"
    do { try OwnedFile.write(Array(text.utf8), to: file) } catch {
      throw ConfigurationError(ConfigurationPlace(file: file), "the trust cannot be recorded: \(error.reason)")
    }
  }

  /// Whether a file with this content is trusted. A store that cannot be relied on trusts nothing.
  func trusts(_ path: String, content: [UInt8]) -> Bool {
    guard let digests = try? digests(), let digest = digests[Path.real(path)]?.text else { return false }
    return digest == SHA256.hex(content)
  }

  private func digests() throws(ConfigurationError) -> Object {
    guard let file, let found = OwnedFile.read(file) else { return Object() }
    let place = ConfigurationPlace(file: file)
    let content: OwnedFile
    switch found {
    case .failure(let failure): throw ConfigurationError(place, failure.reason)
    case .success(let read): content = read
    }
    guard !content.permissions.isWritableByOthers, content.permissions.isOwnedByUser else {
      throw ConfigurationError(
        place, "others may write to the record of what is trusted (mode \(content.permissions.octal))",
        hint: "look into it, then chmod 600 \(file), or delete it")
    }
    guard let value = try? JSONReader.read(content.bytes), let digests = value.object?["trusted"]?.object else {
      throw ConfigurationError(place, "this is no record of what is trusted", hint: "delete it")
    }
    return digests
  }
}
