/// The description of a service as a backend gets it: a file, and changes by the configuration.
public struct DescriptionSource: Sendable {
  /// A description file named by a configuration, already read and checked.
  public struct File: Sendable {
    /// The name for messages.
    public var name: String
    /// The content.
    public var bytes: [UInt8]

    /// A file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The file beside a description with the resources that only a document of the service describes. Only parts of it
  /// are read, when they are needed; the description has digests of them.
  public struct Companion: Sendable {
    /// The name for messages.
    public var name: String
    /// Reads some of its bytes. Throws `misconfigured` if they cannot be read.
    public var read: @Sendable (Range<Int>) throws(BackendError) -> [UInt8]

    /// A file.
    public init(name: String, read: @escaping @Sendable (Range<Int>) throws(BackendError) -> [UInt8]) {
      self.name = name
      self.read = read
    }
  }

  /// A part of a configuration.
  public struct Changes: Sendable {
    /// The configuration file's name for messages.
    public var file: String
    /// The keys that lead to the part.
    public var path: [String]
    /// The value of the part.
    public var value: LocatedValue

    /// A part.
    public init(file: String, path: [String], value: LocatedValue) {
      self.file = file
      self.path = path
      self.value = value
    }
  }

  /// The backend's name.
  public var backend: String
  /// The file; nil if the configuration names none.
  public var file: File?
  /// The file beside it; nil if there can be none.
  public var companion: Companion?
  /// The configuration's changes to the file; nil for none.
  public var changes: Changes?
  /// True if the user trusts the configuration that names the description: a POST that it declares a read is then
  /// treated as one.
  public var isTrusted: Bool
  /// Returns the hooks that a plugin exports under a name. Throws if there are none, or if the configuration is not
  /// trusted.
  public var hooks: @Sendable (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks

  /// A source; by default without trust and without hooks.
  public init(
    backend: String, file: File? = nil, changes: Changes? = nil, isTrusted: Bool = false,
    hooks: @escaping @Sendable (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks = {
      plugin, name throws(BackendError) in throw .misconfigured("the hook \(plugin)/\(name) cannot be used here")
    }
  ) {
    self.backend = backend
    self.file = file
    self.changes = changes
    self.isTrusted = isTrusted
    self.hooks = hooks
  }
}

/// A plugin's format of service descriptions.
public struct DescriptionFormat: Sendable {
  /// The JSON schema of a description.
  public let schema: @Sendable () -> Value
  /// Reads a description. Throws `misconfigured` for errors in it or in its login.
  public let read: @Sendable (DescriptionSource) throws(BackendError) -> Described

  /// A format.
  public init(
    schema: @escaping @Sendable () -> Value,
    read: @escaping @Sendable (DescriptionSource) throws(BackendError) -> Described
  ) {
    self.schema = schema
    self.read = read
  }
}

/// A service description that was read.
public struct Described: Sendable {
  /// The login scheme of the service; nil if the description has none.
  public let login: LoginScheme?
  /// Prepares a backend of the service, like ``Plugin/prepare``. Throws `misconfigured` for errors in the description.
  public let prepare: @Sendable (BackendSettings) throws(BackendError) -> PreparedBackend

  /// A description.
  public init(
    login: LoginScheme? = nil,
    prepare: @escaping @Sendable (BackendSettings) throws(BackendError) -> PreparedBackend
  ) {
    self.login = login
    self.prepare = prepare
  }
}
