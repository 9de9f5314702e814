public import BackendKit
import ConsoleSystem

extension BackendConfiguration {
  /// The options checked against the plugin: types and choices, secrets read, defaults filled in, in the plugin's
  /// order. Also throws if the backend is refused.
  public func checkedOptions(_ plugin: Plugin) throws(ConfigurationError) -> Object {
    try checkUsable()
    let known = plugin.options.map(\.name)
    for name in options.names where !known.contains(name) {
      throw ConfigurationError(
        place("options", name), "unknown option \"\(name)\" of the plugin \(plugin.name)",
        hint: SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean \($0)?" }
          ?? (known.isEmpty ? "it has no options" : "options: \(known.joined(separator: ", "))"))
    }
    var checked = Object()
    for option in plugin.options {
      if let place = place(ofHeaderField: option.headerField) {
        throw ConfigurationError(
          place, "the option \(option.name) of the plugin \(plugin.name) sets this header field",
          hint: "leave it out here, and write \"\(option.name)\" in \"options\"")
      }
      if let value = options[option.name] {
        checked[option.name] = try self.checked(value, option)
      } else if let value = option.defaultValue {
        checked[option.name] = value
      }
    }
    return checked
  }

  /// Returns the place at which a header field is set, in any case; nil if it is not set.
  private func place(ofHeaderField name: String?) -> ConfigurationPlace? {
    guard let name = name?.lowercased() else { return nil }
    if runHeader?.lowercased() == name { return place("runHeader") }
    return headers.first { $0.name.lowercased() == name }.map { place("headers", $0.name) }
  }

  private func checked(_ value: Value, _ option: OptionDescription) throws(ConfigurationError) -> Value {
    let place = place("options", option.name)
    var value = value
    if option.isSecret {
      // Only values from the file are refused: the user may set them within a session.
      guard isTrusted || places["options." + option.name] == nil else {
        throw ConfigurationError.untrusted(place, "a secret option")
      }
      if let secret = Self.reference(value, folders: UserFolders(environment: environment), folder: folder) {
        value = .string(try secret.resolve(environment: environment, place: place))
      } else if value.object?["command"] != nil, option.kind != .object {
        throw ConfigurationError(
          place, "a program can provide only credentials and header fields",
          hint: "write {\"env\": \"NAME\"} or {\"file\": \"PATH\"}")
      }
    }
    // The value of a secret is never reported, whatever is wrong with it.
    let found = option.isSecret ? "a value of another kind" : "this \(value.kind)"
    switch (option.kind, value) {
    case (.text, .string), (.boolean, .bool), (.object, .object): return value
    case (.integer, .number) where value.integer != nil: return value
    case (.choice(let words), .string(let word)) where words.contains(word): return value
    case (.choice(let words), .string(let word)):
      let shown = option.isSecret ? "the value" : "\"\(word)\""
      throw ConfigurationError(
        place, "\(shown) is not one of the choices",
        hint: SpellingSuggestion.suggestion(for: word, among: words).map { "did you mean \($0)?" }
          ?? "choices: \(words.joined(separator: ", "))")
    case (.text, .number), (.choice, .number):
      throw ConfigurationError(place, "expected text, found \(found)", hint: "put it in quotes")
    default: throw ConfigurationError(place, "expected \(option.kind.article), found \(found)")
    }
  }
}

extension ConfigurationError {
  /// The error for something that an untrusted configuration may not use.
  package static func untrusted(_ place: ConfigurationPlace, _ what: String) -> ConfigurationError {
    ConfigurationError(
      place, "\(what) takes effect only in a trusted configuration",
      hint: "read \(place.file), then run: switchboard -c \"config trust\"")
  }
}

extension OptionDescription.Kind {
  /// The type with its article.
  fileprivate var article: String {
    switch self {
    case .text, .choice: "text"
    case .integer: "a whole number"
    case .boolean: "true or false"
    case .object: "an object"
    }
  }
}
