/// The kind of a plugin.
public enum PluginKind: String, Sendable, Hashable {
  /// A library that is loaded into the console.
  case library
  /// A program that the console starts for a backend and sends questions.
  case program
}

/// A plugin's file as found, without opening it.
public struct PluginEntry: Sendable, Hashable {
  /// The availability of a plugin for loading.
  public enum State: Sendable, Hashable {
    /// It can be used: the library was built together with this console, or the program can be started.
    case found
    /// It cannot be loaded, for this reason.
    case refused(PluginError)
    /// A plugin of the same name was found earlier, in the given file.
    case shadowed(by: String)
  }

  /// The plugin's name, as its file says.
  public var name: String
  /// The file.
  public var file: String
  /// The kind of the plugin.
  public var kind: PluginKind
  /// The availability for loading.
  public var state: State
}

/// A place where plugins are searched for.
public struct PluginFolder: Sendable, Hashable {
  /// The folder, or a plugin's file.
  public var path: String
  /// True if the user named it, so that its absence is reported.
  public var isNamed: Bool
  /// True if programs in it are plugins. Not so next to the executable, where the console's own programs are.
  public var holdsPrograms: Bool

  /// A place.
  public init(_ path: String, isNamed: Bool = false, holdsPrograms: Bool = true) {
    self.path = path
    self.isNamed = isNamed
    self.holdsPrograms = holdsPrograms
  }
}
