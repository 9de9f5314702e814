import BackendKit
import ConsoleOutput
import ConsoleSystem
import Files

extension Configuration {
  /// Finds and reads the configuration: only the file of `--config` (`explicit`) or `SWITCHBOARD_CONFIG`; otherwise the
  /// user's own and `config.json` of the current folder, if that has `"switchboard": 1`.
  ///
  /// A file named by the user is trusted. One merely found in the current folder is trusted if `trust` has it, and then
  /// takes precedence over the user's own. An untrusted one adds backends of new names after the others, and nothing
  /// else.
  public static func load(
    explicit: String?, environment: [String: String], directory: String, trust: TrustStore
  ) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    let variable = environment["SWITCHBOARD_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let own = UserFolders(environment: environment).configuration.map { $0 + "/config.json" }
    if let named = explicit ?? variable {
      let path = named.hasPrefix("/") ? named : directory + "/" + named
      guard let file = try ConfigurationFile.open(path, shown: named) else {
        let source = explicit == nil ? "SWITCHBOARD_CONFIG" : "--config"
        throw ConfigurationError(
          ConfigurationPlace(file: source), "cannot read \(named): No such file or directory")
      }
      let content = try ConfigurationReader(
        file: file, isTrusted: true, environment: environment, isOwn: own.map(Path.real) == file.path
      ).content()
      // A file of the current folder that was named can be trusted by `trust` as well.
      if file.path == Path.real(directory + "/config.json") {
        configuration.folder = FolderConfiguration(file, naming: content)
      }
      configuration.add(content)
      configuration.named = file.path
      return try configuration.checked()
    }
    let local = directory + "/config.json"
    // In the user's own configuration folder both are one file.
    let isOwn = own.map(Path.real) == Path.real(local)
    let found = isOwn ? nil : try configuration.find(local, environment: environment, trust: trust)
    if let found, found.isTrusted { configuration.add(found.content) }
    if let own, let file = try ConfigurationFile.open(own, shown: own) {
      configuration.add(
        try ConfigurationReader(file: file, isTrusted: true, environment: environment, isOwn: true).content())
    }
    if let found, !found.isTrusted { configuration.add(untrusted: found.content, shown: "config.json") }
    return try configuration.checked()
  }

  /// Reads the current folder's file and determines if it is trusted; nil if there is none. Mistakes in an untrusted
  /// file do not stop the run: it is ignored with a notice.
  private mutating func find(
    _ path: String, environment: [String: String], trust: TrustStore
  ) throws(ConfigurationError) -> (content: ConfigurationReader.Content, isTrusted: Bool)? {
    let file: ConfigurationFile
    do throws(ConfigurationError) {
      let found = try ConfigurationFile.openInFolder(path, shown: "config.json")
      if let notice = found.notice { notices.append(notice) }
      guard let opened = found.file else { return nil }
      file = opened
    } catch {
      notices.append("config.json is ignored: \(error)")
      return nil
    }
    var reader = ConfigurationReader(file: file, isTrusted: true, environment: environment)
    do throws(ConfigurationError) {
      var content = try reader.content()
      let configuration = FolderConfiguration(file, naming: content)
      folder = configuration
      switch trust.verdict(on: configuration) {
      case .trusted(let subject):
        for index in content.backends.indices { content.backends[index].contents = subject.contents }
        return (content, true)
      case .changed(let files):
        let names = files.map { $0 == file.path ? "it" : $0 }.joined(separator: ", ")
        notices.append("config.json was trusted, but \(names) has changed since")
      case .unknown: break
      }
      reader.isTrusted = false
      return (try reader.content(), false)
    } catch {
      if trust.knows(FolderConfiguration(file, naming: ConfigurationReader.Content())) { throw error }
      notices.append("config.json is ignored: \(error)")
      return nil
    }
  }

  /// Adds the content of a trusted file; existing entries take precedence.
  private mutating func add(_ content: ConfigurationReader.Content) {
    let names = Set(backends.map(\.name))
    backends += content.backends.filter { !names.contains($0.name) }
    var merged = content.settings
    for (name, value) in settings.members { merged[name] = value }
    settings = merged
    journal = journal ?? content.journal
    journalKeep = journalKeep ?? content.journalKeep
    mappings.merge(content.mappings) { own, _ in own }
    queries.merge(content.queries) { own, _ in own }
    if defaultBackend == nil {
      defaultBackend = content.defaultBackend?.name
      defaultPlace = content.defaultBackend?.place
    }
  }

  /// Adds the backends of an untrusted file with new names after all others. Everything else in it is ignored, with a
  /// notice.
  private mutating func add(untrusted content: ConfigurationReader.Content, shown: String) {
    let names = Set(backends.map(\.name))
    var unused: [String] = []
    var taken: [String] = []
    if content.defaultBackend != nil { unused.append("default") }
    if !content.settings.isEmpty { unused.append("settings") }
    if content.journal != nil { unused.append("journal") }
    if content.journalKeep != nil { unused.append("journalKeep") }
    if !content.mappings.isEmpty { unused.append("mappings") }
    if !content.queries.isEmpty { unused.append("queries") }
    for backend in content.backends {
      if names.contains(backend.name) {
        taken.append(backend.name)
      } else {
        if backend.refusal != nil { unused.append("backends.\(backend.name)") }
        backends.append(backend)
      }
    }
    if !taken.isEmpty {
      unused.append("backends whose names are already in your own configuration (\(NameList.text(taken)))")
    }
    guard !unused.isEmpty else { return }
    notices.append(
      "\(shown) is not trusted, and these parts of it are not used: \(NameList.text(unused)); to trust it, read it "
        + "and run: switchboard -c \"config trust\"")
  }

  private func checked() throws(ConfigurationError) -> Configuration {
    let names = backends.map(\.name)
    if let name = defaultBackend, let place = defaultPlace, !names.contains(name) {
      throw ConfigurationError(
        place, "unknown backend \"\(name)\"",
        hint: SpellingSuggestion.suggestion(for: name, among: names).map { "did you mean \($0)?" }
          ?? (names.isEmpty ? "no backend is configured" : "backends: \(NameList.text(names))"))
    }
    return self
  }
}
