import ConsoleOutput

/// A plugin that cannot be used. The exit status is 3; the other plugins are not touched by it.
public struct PluginError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The plugin's name.
  public var name: String
  /// Its file, where there is one.
  public var file: String?
  /// The problem and its object, as one clause without a full stop.
  public var message: String
  /// The next step for the user, as one clause, or nil.
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
