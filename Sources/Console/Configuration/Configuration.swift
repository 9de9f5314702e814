public import BackendKit

/// What the operator configured: backends in their order, and how the console behaves.
public struct Configuration: Sendable {
  /// The backends: those of the current folder's file first, then the user's own, each in the order of its file.
  public var backends: [BackendConfiguration] = []
  /// The backend that a session begins with.
  public var defaultBackend: String?
  /// Settings of the console by name, their kinds checked.
  public var settings = Object()
  /// The files it was read from, as people know them.
  public var files: [String] = []
  /// What to tell the operator about it, one line each.
  public var notices: [String] = []

  /// Where the default is written.
  var defaultPlace: ConfigurationPlace?

  /// A configuration of nothing.
  public init() {}
}
