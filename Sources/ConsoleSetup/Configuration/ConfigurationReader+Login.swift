import BackendKit
import ConsoleSystem

extension ConfigurationReader {
  func login(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> LoginScheme {
    let scheme: LoginScheme
    do { scheme = try LoginScheme(reading: value.value) } catch {
      let hint =
        error.hint
        ?? error.path.last.flatMap { SpellingSuggestion.suggestion(for: $0, among: error.known) }.map {
          "did you mean \($0)?"
        }
        ?? (error.known.isEmpty ? nil : "known keys: \(error.known.joined(separator: ", "))")
      throw ConfigurationError(place(value.place(of: error.path), path + error.path), error.message, hint: hint)
    }
    guard case .oauth2(let oauth2) = scheme.kind else { return scheme }
    for (key, text) in oauth2.namedServers {
      let place = place(value.place(of: [key]), path + [key])
      let address: WebAddress
      do throws(WebAddress.Fault) { address = try WebAddress(text) } catch {
        throw ConfigurationError(place, error.reason, hint: "for example https://login.example.org/oauth/token")
      }
      guard address.origin.isPrivate else {
        throw ConfigurationError(
          place, "the credentials would go to another server without encryption", hint: "write an https address")
      }
    }
    return scheme
  }

  func credentials(_ value: LocatedValue, _ path: [String]) throws(ConfigurationError) -> Credentials {
    let all = LoginScheme.Credential.allCases
    let members = try members(value, path, known: all.map(\.rawValue) + ["command"])
    if value["command"] != nil {
      guard members.count == 1 else {
        throw error(value, path, "\"command\" gives all of the credentials", hint: "leave the others out")
      }
      return Credentials([:], all: try secret(value, path, literal: false))
    }
    var parts: [LoginScheme.Credential: Secret] = [:]
    for part in all {
      guard let given = value[part.rawValue] else { continue }
      parts[part] = try secret(
        given, path + [part.rawValue], literal: part == .username || part == .clientID, called: part.words)
    }
    guard !parts.isEmpty else {
      throw error(
        value, path, "there are no credentials in it",
        hint: "write what the login takes, of \(all.map(\.rawValue).joined(separator: ", "))")
    }
    guard (parts[.username] == nil) == (parts[.password] == nil) else {
      throw error(
        value, path, "\"username\" and \"password\" are required here",
        hint: "write {\"username\": \"NAME\", \"password\": {\"env\": \"NAME\"}}")
    }
    if parts[.clientSecret] != nil, parts[.clientID] == nil {
      throw error(value, path, "\"clientSecret\" needs a \"clientID\" next to it", hint: "write both")
    }
    return Credentials(parts)
  }

  /// A value or a reference to one.
  func secret(
    _ value: LocatedValue, _ path: [String], literal: Bool, called name: String = "password"
  ) throws(ConfigurationError) -> Secret {
    let forms =
      isOwn
      ? #"{"env": "NAME"}, {"file": "PATH"}, {"command": ["PROGRAM"]} or {"keyring": "SERVICE/ACCOUNT"}"#
      : "{\"env\": \"NAME\"} or {\"file\": \"PATH\"}"
    if case .scalar(.string) = value.content {
      let text = try text(value, path)
      guard literal else {
        throw error(value, path, "a \(name) cannot be written in a configuration", hint: "write \(forms)")
      }
      return .literal(text)
    }
    let folders = UserFolders(environment: environment)
    if let secret = BackendConfiguration.reference(value.value, folders: folders, folder: file.folder) {
      return secret
    }
    if let members = value.members {
      _ = try self.members(value, path, known: ["env", "file", "command", "keyring"])
      if members.count == 1, let command = value["command"] {
        return .command(try helper(command, path + ["command"], folders))
      }
      if members.count == 1, let item = value["keyring"] {
        guard let named = item.value.text.flatMap(KeyringItem.init) else {
          throw error(
            item, path + ["keyring"], "expected SERVICE/ACCOUNT", hint: "for example \"switchboard/intranet\"")
        }
        return .command(HelperCommand(reading: named))
      }
    }
    throw error(value, path, "this is not a valid value", hint: "write \(literal ? "text, " : "")\(forms)")
  }

  private func helper(
    _ value: LocatedValue, _ path: [String], _ folders: UserFolders
  ) throws(ConfigurationError) -> HelperCommand {
    guard var words = value.value.array?.compactMap(\.text), words.count == value.value.array?.count,
      let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) })
    else {
      throw error(
        value, path, "expected a program and its arguments, as a list of strings",
        hint: "it is run without a shell, for example [\"pass\", \"show\", \"intranet\"]")
    }
    if program.contains("/") { words[0] = folders.absolute(program, below: file.folder) }
    return HelperCommand(words: words, folder: file.folder)
  }

  /// Returns the reason why a backend cannot be used if a member of it names a program or the keyring outside the user's
  /// own configuration; nil if it names none.
  func refusal(ofHelperIn member: LocatedValue.Member, _ path: [String]) -> ConfigurationError? {
    guard !isOwn, ["credentials", "headers"].contains(member.name) else { return nil }
    let named = [member] + (member.value.members ?? [])
    let found = named.lazy.compactMap { $0.value.members?.first { ["command", "keyring"].contains($0.name) } }.first
    guard let place = found else { return nil }
    let own = UserFolders(environment: environment).configuration.map { $0 + "/config.json" }
    return ConfigurationError(
      self.place(place.place, path),
      place.name == "command"
        ? "a program that provides secrets is started only for the user's own configuration"
        : "the keyring is read only for the user's own configuration",
      hint: "write the backend into \(own ?? "it")")
  }
}

extension LoginScheme.Credential {
  /// The term for messages.
  package var words: String {
    switch self {
    case .username: "user name"
    case .clientID: "client ID"
    case .clientSecret: "client secret"
    case .password, .token, .key: rawValue
    }
  }
}

extension LocatedValue {
  /// Returns the place of a path of names, as far as they exist.
  func place(of names: [String]) -> TextPlace {
    var (value, found) = (self, place)
    for name in names {
      guard let member = value.members?.first(where: { $0.name == name }) else { break }
      (value, found) = (member.value, member.place)
    }
    return found
  }
}
