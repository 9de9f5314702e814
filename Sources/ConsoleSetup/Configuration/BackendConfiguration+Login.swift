public import BackendKit

extension BackendConfiguration {
  /// Returns the login of the server: that of the configuration, otherwise that of the plugin; nil if neither has one.
  /// Throws if it conflicts with the rest of the configuration.
  public func checkedLogin(_ plugin: Plugin) throws(ConfigurationError) -> LoginScheme? {
    // No credentials or stored tokens are sent to an address chosen by a stranger.
    guard isTrusted else { return nil }
    guard let scheme = login ?? plugin.login else {
      // A user name and password alone are left to a plugin with a login.
      if let part = credentials?.named.first(where: { $0 != .username && $0 != .password }) {
        throw ConfigurationError(
          place("credentials", part.rawValue), "no login method for these credentials: set \"login\"",
          hint: "for example \"login\": {\"kind\": \"bearer\"}")
      }
      return nil
    }
    if login == nil, case .oauth2(let oauth2) = scheme.kind, let (key, address) = oauth2.namedServers.first {
      throw ConfigurationError(
        place(),
        "the \(plugin.descriptions == nil ? "plugin \(plugin.name)" : "description") would send the credentials to \(address)",
        hint: "write \"login\" with this \(key), if it is the right one")
    }
    if let part = credentials?.named.first(where: { !scheme.takes.contains($0) }) {
      throw ConfigurationError(
        place("credentials", part.rawValue), "the login of this backend takes no \(part.words)",
        hint: "it takes \(scheme.takes.map(\.rawValue).joined(separator: ", "))")
    }
    if login != nil, scheme.reasonAgainstLogin != nil || scheme.isByPerson,
      let part = scheme.needs.first(where: { credentials?[$0] == nil })
    {
      // In quotes, the name would look like a secret.
      let example = part == .clientID ? "NAME" : "{\"env\": NAME}"
      throw ConfigurationError(
        place("login"), "a login of the kind \(scheme.kindName) needs \"\(part.rawValue)\" in \"credentials\"",
        hint: "for example \"credentials\": {\"\(part.rawValue)\": \(example)}")
    }
    if let name = scheme.place.header,
      let header = headers.first(where: { $0.name.lowercased() == name.lowercased() })
    {
      throw ConfigurationError(
        place("headers", header.name), "the login of this backend sets this header field", hint: "leave it out here")
    }
    return scheme
  }
}
