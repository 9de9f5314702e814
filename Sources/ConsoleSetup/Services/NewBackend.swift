package import BackendClient
package import BackendKit
package import ConsoleSystem

/// A backend to be added to the user's own configuration: its address and login.
package struct NewBackend {
  package var name: String
  package let origin: Origin
  /// The path of the address below the origin, with its query.
  package let target: String
  /// The login and credentials in the form of the configuration.
  private(set) var login = Object()
  private var headers: [(name: String, variable: String)] = []

  /// The backend at an address; throws if that is invalid.
  package init(address: String, name: String?) throws(UsageError) {
    if address.hasPrefix(BackendAddress.demo) {
      throw UsageError("add takes the address of a service, not of the demo", hint: "add http://HOST:PORT/PATH")
    }
    var rest = address[...]
    do throws(WebAddress.Fault) {
      _ = try WebAddress(String(address.prefix { $0 != "?" && $0 != "#" }))
      origin = try Origin(takenFrom: &rest)
    } catch { throw UsageError(error.reason, hint: "add http://HOST:PORT/PATH, or unix:///PATH of a socket") }
    rest = rest.prefix { $0 != "#" }
    target = rest.hasPrefix("/") ? String(rest) : "/" + rest
    let label = origin.socket.map { String($0.split(separator: "/").last ?? "") } ?? origin.host
    self.name = name ?? Self.name(of: label, path: target)
    guard BackendName.isValid(self.name) else {
      throw UsageError(
        "\"\(self.name)\" is not a valid backend name",
        hint: "a name consists of lowercase letters, digits and hyphens, and begins with a letter")
    }
  }

  /// The first label of the host or the name of the socket; for a numeric address, the first segment of the path.
  private static func name(of host: String, path: String) -> String {
    let label = host.split(separator: ".")
    let parts = path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    let first = label.first.map(String.init) ?? ""
    let generic = ["api", "www", "localhost"]
    let candidates = [generic.contains(first) ? label.dropFirst().first.map(String.init) : first] + parts
    let usable = candidates.compactMap(\.self).map { text in
      String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
    return usable.first { BackendName.isValid($0) && $0 != "v1" && $0 != "api" } ?? "service"
  }

  /// Uses a token from a variable.
  package mutating func bearer(_ variable: String) {
    login["login"] = .object(Object([("kind", "bearer")]))
    login["credentials"] = .object(Object([("token", .environment(variable))]))
  }

  /// Uses a password from a variable; `text` is USER:VARIABLE.
  package mutating func basic(_ text: String) throws(UsageError) {
    let (user, variable) = try Self.assignment(text, of: "--basic-env", to: "USER", by: ":")
    login["login"] = .object(Object([("kind", "basic")]))
    login["credentials"] = .object(Object([("username", .string(user)), ("password", .environment(variable))]))
  }

  /// Uses a header field from a variable; `text` is FIELD=VARIABLE.
  package mutating func header(_ text: String) throws(UsageError) {
    headers.append(try Self.assignment(text, of: "--header-env", to: "FIELD"))
    login["headers"] = .object(Object(headers.map { ($0.name, Value.environment($0.variable)) }))
  }

  /// Uses a key from a variable, in a `query` parameter or a `cookie`; `text` is NAME=VARIABLE.
  package mutating func key(in place: String, _ text: String) throws(UsageError) {
    let (name, variable) = try Self.assignment(text, of: "--\(place)-env", to: "NAME")
    login["login"] = .object(Object([("kind", "key"), (place, .string(name))]))
    login["credentials"] = .object(Object([("key", .environment(variable))]))
  }

  private static func assignment(
    _ text: String, of option: String, to name: String, by sign: Character = "="
  ) throws(UsageError) -> (name: String, variable: String) {
    let parts = text.split(separator: sign, maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw UsageError(
        "\(option) takes \(name)\(sign)VARIABLE",
        hint: "VARIABLE is the name of an environment variable with the value")
    }
    return (parts[0], parts[1])
  }

  /// Those of some logins that send the given credentials otherwise; none if the form in which they were given is among
  /// them. Only the operator puts a secret into the query, which servers log.
  package func others(of logins: [DocumentedLogin]) -> [DocumentedLogin] {
    guard let given = login["login"]?.object, let count = login["credentials"]?.object?.count,
      !logins.contains(where: { $0.written == given })
    else { return [] }
    return logins.filter { $0.scheme.needs.count == count && $0.scheme.place.header != nil }
  }

  /// Uses a login with texts for its names and variables for its secrets; without them, with the given credentials, if
  /// there are some.
  package mutating func use(_ other: DocumentedLogin, _ texts: [String] = []) {
    login["login"] = .object(other.written)
    let named = zip(other.scheme.needs, texts).map { part, text in
      part == .username || part == .clientID ? Value.string(text) : .environment(text)
    }
    guard let values = texts.isEmpty ? login["credentials"]?.object?.members.map(\.1) : named else { return }
    login["credentials"] = .object(Object(Array(zip(other.scheme.needs.map(\.rawValue), values))))
  }

  /// Accepts certificates of the authority in a file.
  package mutating func authority(_ file: String) { login["tls"] = .object(Object([("ca", .string(file))])) }

  /// Accepts only the server with this key.
  package mutating func pin(_ digest: String) { login["tls"] = .object(Object([("pin", .string(digest))])) }

  package var hasCredentials: Bool { login.names.contains { $0 != "tls" } }

  /// The backend without anything that requests would carry.
  package var bare: NewBackend {
    var bare = self
    bare.login = Object(login.members.filter { $0.0 == "tls" })
    bare.headers = []
    return bare
  }

  /// The entry in a configuration, with the address of the service below the origin.
  package func entry(base: String, description: String) -> Object {
    var entry = Object([
      ("plugin", "rest"), ("url", .string(origin.address(of: base))), ("description", .string(description)),
    ])
    for (key, value) in login.members { entry[key] = value }
    return entry
  }

  /// The values of its credentials and header fields, as far as their variables are set.
  package func secrets(environment: [String: String]) -> [String] {
    let references =
      headers.map { Value.environment($0.variable) } + (login["credentials"]?.object?.members.map(\.1) ?? [])
    return references.compactMap { $0.object?["env"]?.text.flatMap { environment[$0] } }
  }

  /// The backend as the console opens it, at its origin.
  package func configuration(environment: [String: String]) throws(ConfigurationError) -> BackendConfiguration? {
    var entry = entry(base: "", description: "")
    entry["description"] = nil
    let document = Object([("switchboard", 1), ("backends", .object(Object([(name, .object(entry))])))])
    let file = try ConfigurationFile(document, shown: "add")
    return try ConfigurationReader(file: file, isTrusted: true, environment: environment).content().backends.first
  }
}

extension Value {
  /// A reference to a variable of the environment.
  fileprivate static func environment(_ name: String) -> Value { .object(Object([("env", .string(name))])) }
}
