/// What a plugin is.
public enum PluginKind: String, Sendable, Hashable {
  /// A library that is loaded into the console.
  case library
  /// A program that the console starts for a backend, and asks.
  case program
}

/// A plugin's file as it was found, before anything of it was opened.
public struct PluginEntry: Sendable, Hashable {
  /// Whether it can be loaded.
  public enum State: Sendable, Hashable {
    /// It can be used: a library was built together with this console, a program can be started.
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
  /// What it is.
  public var kind: PluginKind
  /// Whether it can be loaded.
  public var state: State
}

/// A place where plugins are searched for.
public struct PluginFolder: Sendable, Hashable {
  /// The folder, or a plugin's file.
  public var path: String
  /// Whether the operator named it, so that its absence is worth a word.
  public var isNamed: Bool
  /// Whether programs in it are plugins. Beside the executable they are not: the console's own programs are there.
  public var holdsPrograms: Bool

  /// A place.
  public init(_ path: String, isNamed: Bool = false, holdsPrograms: Bool = true) {
    self.path = path
    self.isNamed = isNamed
    self.holdsPrograms = holdsPrograms
  }
}
