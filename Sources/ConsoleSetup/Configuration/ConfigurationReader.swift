import BackendKit
import CommandLanguage
import ConsoleSystem

/// Checks a configuration file: known keys, types of values, and messages with places.
package struct ConfigurationReader {
  package struct Content {
    var backends: [BackendConfiguration] = []
    var defaultBackend: (name: String, place: ConfigurationPlace)?
    var settings = Object()
    var journal: JournalPolicy?
    var journalKeep: JournalKeep?
    var mappings: [String: String] = [:]
    var queries: [String: NamedQuery] = [:]
  }

  private static let keys = [
    "$schema", "switchboard", "default", "settings", "journal", "journalKeep", "mappings", "queries", "backends",
  ]

  package let file: ConfigurationFile
  package var isTrusted: Bool
  package let environment: [String: String]
  /// True if it is the user's own, which alone may name programs.
  package var isOwn = false

  /// A reader of a file in a trusted or untrusted folder.
  package init(file: ConfigurationFile, isTrusted: Bool, environment: [String: String], isOwn: Bool = false) {
    self.file = file
    self.isTrusted = isTrusted
    self.environment = environment
    self.isOwn = isOwn
  }

  /// Reads the file's content; throws at the first mistake.
  package func content() throws(ConfigurationError) -> Content {
    var content = Content()
    for member in try members(file.root, [], known: Self.keys) {
      switch member.name {
      case "switchboard":
        guard member.value.value.integer == 1 else {
          throw error(
            member.value, ["switchboard"], "this console reads version 1 of the configuration",
            hint: "write \"switchboard\": 1")
        }
      case "default":
        let name = try text(member.value, ["default"])
        content.defaultBackend = (name, place(member.value.place, ["default"]))
      case "settings": content.settings = try settings(member.value)
      case "journal": content.journal = try journal(member.value, ["journal"])
      case "journalKeep": content.journalKeep = try journalKeep(member.value, ["journalKeep"])
      case "mappings":
        for mapping in try members(member.value, ["mappings"]) {
          content.mappings[mapping.name] = try self.mapping(mapping.value, ["mappings", mapping.name])
        }
      case "queries":
        for query in try members(member.value, ["queries"]) {
          content.queries[query.name] = try self.query(query.value, ["queries", query.name])
        }
      case "backends":
        for backend in try members(member.value, ["backends"]) { content.backends.append(try self.backend(backend)) }
      default: _ = try text(member.value, [member.name])
      }
    }
    return content
  }

  /// Reads a named mapping of the fields of a transfer.
  private func mapping(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> String {
    let text = try text(value, path)
    do throws(UsageError) { _ = try FieldMap(text) } catch {
      throw self.error(value, path, error.message, hint: error.hint)
    }
    return text
  }

  private func settings(_ value: LocatedValue) throws(ConfigurationError) -> Object {
    var settings = Object()
    for member in try members(value, ["settings"], known: ConsoleSetting.all.map(\.name)) {
      let setting = ConsoleSetting.all.first { $0.name == member.name }
      if let problem = setting?.problem(of: member.value.value) {
        throw error(member.value, ["settings", member.name], problem.message, hint: problem.hint)
      }
      settings[member.name] = member.value.value
    }
    return settings
  }

  // MARK: Pieces

  /// The members of an object; throws if it is not one, or has an unknown name.
  func members(
    _ value: LocatedValue, _ path: [String], known: [String]? = nil
  ) throws(ConfigurationError) -> [LocatedValue.Member] {
    guard let members = value.members else { throw wrongKind(value, path, "an object") }
    guard let known else { return members }
    for member in members where !known.contains(member.name) {
      throw ConfigurationError(
        place(member.place, path + [member.name]), "unknown key",
        hint: SpellingSuggestion.suggestion(for: member.name, among: known).map { "did you mean \($0)?" }
          ?? "known keys: \(known.joined(separator: ", "))")
    }
    return members
  }

  func text(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> String {
    guard case .scalar(.string(let text)) = value.content else { throw wrongKind(value, path, "text") }
    guard !text.isEmpty else { throw error(value, path, "this text is empty", hint: "write one, or leave the key out") }
    return text
  }

  func place(_ place: TextPlace, _ path: [String]) -> ConfigurationPlace {
    ConfigurationPlace(file: file.shown, line: place.line, path: path.joined(separator: "."))
  }

  func error(
    _ value: LocatedValue, _ path: [String], _ message: String, hint: String?
  ) -> ConfigurationError {
    ConfigurationError(place(value.place, path), message, hint: hint)
  }

  func wrongKind(_ value: LocatedValue, _ path: [String], _ wanted: String) -> ConfigurationError {
    error(value, path, "expected \(wanted), not \(value.value.kindWithArticle)", hint: nil)
  }
}
