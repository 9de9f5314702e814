/// An adapter as the console finds it: what it is called, what it can be told, and how a backend is prepared.
///
/// - Law options have an effect: an option has an effect: with each of its values, the backend has a different
///   description, or sends different requests, than with any other.
/// - Law option defaults: an omitted option behaves as if it were set to its default.
/// - Law invalid options refused: options from which no backend can be created throw `misconfigured` with the effect
///   `notSent`.
public struct Plugin: Stamped {
  /// The name, `[a-z0-9-]+`, which must equal the name of its file.
  public let name: String
  /// The adapter's own version.
  public let version: String
  /// One line that says what it connects to.
  public let summary: String
  /// The options it accepts; the configuration refuses any other.
  public let options: [OptionDescription]
  /// The login scheme, or nil if the service has no login.
  public let login: LoginScheme?
  /// The format of the service descriptions that it reads; nil if its service is built in.
  public let descriptions: DescriptionFormat?
  /// Hooks that service descriptions may refer to, by name.
  public let hooks: [String: Service.Hooks]
  /// Reads the settings of a backend, once for everything attached to it. Sends nothing. Throws `misconfigured` if
  /// options contradict each other.
  public let prepare: @Sendable (BackendSettings) throws(BackendError) -> PreparedBackend

  /// A plugin.
  public init(
    name: String, version: String, summary: String, options: [OptionDescription] = [], login: LoginScheme? = nil,
    descriptions: DescriptionFormat? = nil, hooks: [String: Service.Hooks] = [:],
    prepare: @escaping @Sendable (BackendSettings) throws(BackendError) -> PreparedBackend
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.options = options
    self.login = login
    self.descriptions = descriptions
    self.hooks = hooks
    self.prepare = prepare
  }

  /// The plugin for a described service, with its login. Throws `misconfigured` for errors in the description, which is
  /// read once.
  public func describing(_ source: DescriptionSource) throws(BackendError) -> Plugin {
    guard let described = try descriptions?.read(source) else { return self }
    return Plugin(
      name: name, version: version, summary: summary, options: options, login: described.login ?? login,
      descriptions: descriptions, hooks: hooks, prepare: described.prepare)
  }

  /// Options with defaults for those that are left out.
  public func withDefaults(_ options: Object) -> Object {
    var whole = options
    for option in self.options where options[option.name] == nil { whole[option.name] = option.defaultValue }
    return whole
  }
}

/// An option of an adapter, as data for checks, completion and help.
public struct OptionDescription: Sendable, Hashable {
  /// The types of values that an option accepts.
  public enum Kind: Sendable, Hashable {
    case text
    case integer
    case boolean
    /// One of these words.
    case choice([String])
    /// A JSON object, passed on unchanged.
    case object
  }

  /// The name, in camel case.
  public let name: String
  /// The kind of value.
  public let kind: Kind
  /// The value if none is configured.
  public let defaultValue: Value?
  /// One line of help.
  public let help: String
  /// True if it may be changed within a session.
  public let isSwitchable: Bool
  /// True if its value is a secret: never shown, and refused in an untrusted configuration.
  public let isSecret: Bool
  /// The header field that carries its value. A configuration cannot set that field beside the option: the request and
  /// the interpretation of its response would differ.
  public let headerField: String?

  /// An option.
  public init(
    _ name: String, _ kind: Kind, default value: Value? = nil, help: String, isSwitchable: Bool = false,
    isSecret: Bool = false, headerField: String? = nil
  ) {
    self.headerField = headerField
    self.name = name
    self.kind = kind
    self.defaultValue = value
    self.help = help
    self.isSwitchable = isSwitchable
    self.isSecret = isSecret
  }
}

/// A backend prepared from its settings, without a connection to the server.
public struct PreparedBackend: Sendable {
  private let make: @Sendable (any HTTPExchange) -> any Backend

  /// A backend of a custom type. `make` is called for each connection; its results share only what was prepared.
  public init(_ make: @escaping @Sendable (any HTTPExchange) -> any Backend) { self.make = make }

  /// A service, run by the engine.
  public init(_ service: Service) {
    let shared = SharedService(service)
    self.init { RESTBackend(shared, over: $0) }
  }

  /// Creates a backend over a connection, with its own memory. Sends nothing.
  public func attach(_ exchange: any HTTPExchange) -> any Backend { make(exchange) }
}

/// The settings that a backend is prepared from.
public struct BackendSettings: Sendable {
  /// The backend's name in the configuration.
  public let name: String
  /// The options, checked against their descriptions, defaults filled in.
  public let options: Object

  /// Settings.
  public init(name: String, options: Object) {
    self.name = name
    self.options = options
  }

  /// The text of an option, or nil if it is not set.
  public func text(_ option: String) -> String? { options[option]?.text }
}
