import ConsoleOutput

/// A plugin that cannot be used. The exit status is 3; other plugins are not affected.
public struct PluginError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The plugin's name.
  public var name: String
  /// Its file, if there is one.
  public var file: String?
  /// The problem and its object, as one clause without a full stop.
  public var message: String
  /// The next step for the user, as one clause.
  public var hint: String?

  /// An error.
  public init(_ name: String, file: String? = nil, _ message: String, hint: String? = nil) {
    self.name = name
    self.file = file
    self.message = message
    self.hint = hint
  }

  /// One line.
  public var description: String { Escaping.text(message + (hint.map { "; " + $0 } ?? "")) }
}
