import BackendKit
import Files

extension Configuration {
  /// Finds and reads the configuration: the file named by `--config` (`explicit`) or by `SWITCHBOARD_CONFIG`, alone; or
  /// else `config.json` of the current folder, where it says `"switchboard": 1`, with the user's own beneath it.
  ///
  /// Whoever names a file trusts it. One that was merely found in the current folder is trusted once `trust` holds it.
  public static func load(
    explicit: String?, environment: [String: String], directory: String, trust: TrustStore
  ) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    let variable = environment["SWITCHBOARD_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    if let named = explicit ?? variable {
      let path = named.hasPrefix("/") ? named : directory + "/" + named
      guard let file = try ConfigurationFile.open(path, shown: named) else {
        let source = explicit == nil ? "SWITCHBOARD_CONFIG" : "--config"
        throw ConfigurationError(ConfigurationPlace(file: named), "there is no such file, but \(source) names it")
      }
      try configuration.add(ConfigurationReader(file: file, isTrusted: true, environment: environment))
      return try configuration.checked()
    }
    let own = UserFolders(environment: environment).configuration.map { $0 + "/config.json" }
    let local = directory + "/config.json"
    // In the user's own configuration folder both are one file.
    if own.map(Path.real) != Path.real(local) {
      let found = try ConfigurationFile.openInFolder(local, shown: "config.json")
      if let notice = found.notice { configuration.notices.append(notice) }
      if let file = found.file {
        let isTrusted = trust.trusts(local, content: file.bytes)
        try configuration.add(ConfigurationReader(file: file, isTrusted: isTrusted, environment: environment))
      }
    }
    if let own, let file = try ConfigurationFile.open(own, shown: own) {
      try configuration.addBeneath(ConfigurationReader(file: file, isTrusted: true, environment: environment))
    }
    configuration.tellRefusals()
    return try configuration.checked()
  }

  private mutating func add(_ reader: ConfigurationReader) throws(ConfigurationError) {
    let content = try reader.content()
    files.append(reader.file.shown)
    backends = content.backends
    settings = content.settings
    defaultBackend = content.defaultBackend?.name
    defaultPlace = content.defaultBackend?.place
  }

  /// Adds the user's own: what is there already stays, but an untrusted file may not take the place of a backend.
  private mutating func addBeneath(_ reader: ConfigurationReader) throws(ConfigurationError) {
    let content = try reader.content()
    files.append(reader.file.shown)
    for backend in content.backends {
      guard let place = backends.firstIndex(where: { $0.name == backend.name }) else {
        backends.append(backend)
        continue
      }
      if !backends[place].isTrusted {
        // Neither of the two is used: taking the user's own without a word would send commands elsewhere than the
        // folder says, taking the folder's would send the user's data to a stranger.
        backends[place].refusal = .untrusted(
          backends[place].place(), "another meaning for a backend of \(reader.file.shown)")
      }
    }
    var merged = content.settings
    for (name, value) in settings.members { merged[name] = value }
    settings = merged
    if defaultBackend == nil {
      defaultBackend = content.defaultBackend?.name
      defaultPlace = content.defaultBackend?.place
    }
  }

  private mutating func tellRefusals() {
    let refused = backends.filter { $0.refusal != nil }
    guard let first = refused.first else { return }
    let names = refused.map(\.name).joined(separator: ", ")
    notices.append("\(first.file) is not trusted, so that some of it cannot be used: \(names)")
  }

  private func checked() throws(ConfigurationError) -> Configuration {
    let names = backends.map(\.name)
    if let name = defaultBackend, let place = defaultPlace, !names.contains(name) {
      throw ConfigurationError(
        place, "there is no backend \"\(name)\"",
        hint: Nearest.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" }
          ?? (names.isEmpty ? "none is configured" : "backends: \(names.joined(separator: ", "))"))
    }
    return self
  }
}
