import BackendKit
public import ConsoleSetup
import ConsoleSystem

extension Configuration {
  /// The configuration for a replay, which sends nothing and thus needs no secrets: missing ones are not reported.
  public func withoutMissingSecrets() -> Configuration {
    var configuration = self
    for index in configuration.backends.indices { configuration.backends[index].dropMissingSecrets() }
    return configuration
  }
}

extension BackendConfiguration {
  fileprivate mutating func dropMissingSecrets() {
    let folders = UserFolders(environment: environment)
    for (name, value) in options.members {
      guard let secret = Self.reference(value, folders: folders, folder: folder),
        (try? secret.resolve(environment: environment, place: place("options", name))) == nil
      else { continue }
      options[name] = .string(Blanking.mark)
    }
  }
}
