public import BackendKit
import Files

extension BackendConfiguration {
  /// Returns the description of the service, reading its file now. Throws if it cannot be read, or if the plugin does
  /// not accept one. `plugins` returns the plugin with a name; a trusted configuration's description may use its hooks.
  public func checkedDescription(
    _ plugin: Plugin, plugins: @escaping @Sendable (String) throws(BackendError) -> Plugin
  ) throws(ConfigurationError) -> DescriptionSource {
    try checkUsable()
    var source = DescriptionSource(backend: name)
    for (key, isGiven) in [("description", description != nil), ("override", override != nil)] {
      guard isGiven, plugin.descriptions == nil else { continue }
      throw ConfigurationError(
        place(key), "the plugin \(plugin.name) does not read service descriptions",
        hint: "write \"plugin\": \"rest\", or leave it out")
    }
    if let description {
      source.file = DescriptionSource.File(
        name: description.shown, bytes: try content(of: description.path, place("description")))
      source.companion = companion(of: description)
    }
    if let override {
      source.changes = DescriptionSource.Changes(file: file, path: ["backends", name, "override"], value: override)
    }
    source.isTrusted = isTrusted
    let (isTrusted, file) = (isTrusted, file)
    source.hooks = { plugin, name throws(BackendError) in
      guard isTrusted else {
        throw .misconfigured(
          "a hook takes effect only in a trusted configuration", hint: "read \(file), then run: config trust")
      }
      let hooks = try plugins(plugin).hooks
      guard let found = hooks[name] else {
        throw .misconfigured(
          "unknown hooks \"\(name)\" of the plugin \(plugin)",
          hint: SpellingSuggestion.suggestion(for: name, among: hooks.keys.sorted()).map {
            "did you mean \(plugin)/\($0)?"
          }
            ?? (hooks.isEmpty ? "it has no hooks" : "hooks: \(hooks.keys.sorted().joined(separator: ", "))"))
      }
      return found
    }
    return source
  }

  /// The file beside a description. Whoever reads it compares digests, so that its owner does not matter.
  private func companion(of description: File) -> DescriptionSource.Companion {
    let (path, shown) = (Self.companion(of: description.path), Self.companion(of: description.shown))
    return DescriptionSource.Companion(name: shown) { range throws(BackendError) in
      do throws(FileFailure) { return try OwnedFile.bytes(range, of: path) } catch {
        throw .misconfigured("\(shown) cannot be read: \(error.reason)", hint: "add the service again")
      }
    }
  }

  /// The path of the file beside a description: `services/desk.documented.ndjson` beside `services/desk.yaml`.
  package static func companion(of description: String) -> String {
    let name = Path.name(of: description)
    let end = name.lastIndex(of: ".").map { name.distance(from: $0, to: name.endIndex) } ?? 0
    return description.dropLast(end) + ".documented.ndjson"
  }
}
