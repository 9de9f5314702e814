/// A plugin's file as it was found, before anything of it was opened.
public struct PluginEntry: Sendable, Hashable {
  /// Whether it can be loaded.
  public enum State: Sendable, Hashable {
    /// It was built together with this console.
    case found
    /// It cannot be loaded, for this reason.
    case refused(PluginError)
    /// The file named has the same name and was found earlier.
    case shadowed(by: String)
  }

  /// The plugin's name, as its file says.
  public var name: String
  /// The file.
  public var file: String
  /// Whether it can be loaded.
  public var state: State
}

/// A place where plugins are searched for.
public struct PluginFolder: Sendable, Hashable {
  /// The folder, or a plugin's file.
  public var path: String
  /// Whether the operator named it, so that its absence is worth a word.
  public var isNamed: Bool

  /// A place.
  public init(_ path: String, isNamed: Bool = false) {
    self.path = path
    self.isNamed = isNamed
  }
}
