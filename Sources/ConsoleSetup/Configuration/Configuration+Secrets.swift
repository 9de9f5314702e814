import BackendKit
public import ConsoleSystem

extension Configuration {
  /// The variables of the environment that hold secrets.
  var secretVariables: Set<String> {
    var names: Set<String> = ["SWITCHBOARD_PASSWORD"]
    for backend in backends {
      for case .environment(let name) in backend.secretReferences { names.insert(name) }
    }
    return names
  }
}

extension BackendConfiguration {
  /// The references of passwords, header fields and options to values outside the configuration.
  var secretReferences: [Secret] {
    let folders = UserFolders(environment: environment)
    return (credentials?.secrets ?? [])
      + headers.map(\.value).filter { if case .literal = $0 { false } else { true } }
      + options.members.compactMap { Self.reference($0.1, folders: folders, folder: folder) }
  }

  /// The values in variables and files, and those of header fields with secret names.
  func secrets(_ names: SecretNames) -> [String] {
    // References in an untrusted file are not resolved.
    let references = isTrusted ? secretReferences : []
    let literal = headers.filter { names.contains($0.name) }.map(\.value)
    return (references + literal).compactMap { try? $0.resolve(environment: environment, place: place()) }
  }
}

extension ChildEnvironment {
  /// The environment without `SWITCHBOARD_PASSWORD` and the variables that the configuration names as secrets.
  public init(_ environment: [String: String], _ configuration: Configuration) {
    let secrets = configuration.secretVariables
    self.init(environment.filter { !secrets.contains($0.key) })
  }
}

extension Blanking {
  /// A blanking with the secrets of all backends of a configuration, as far as they can be read, since a secret of one
  /// may be sent to another.
  public convenience init(_ configuration: Configuration, environment: [String: String]) {
    let names = configuration.backends.flatMap(\.secretNames)
    let withFields = configuration.backends.filter { !$0.secretNames.isEmpty }.map(\.name)
    self.init(names: names, backends: configuration.backends.map(\.name), withFields: withFields) {
      let secret = SecretNames(names)
      return (environment["SWITCHBOARD_PASSWORD"].map { [$0] } ?? [])
        + configuration.backends.flatMap { $0.secrets(secret) }
    }
  }
}
