public import BackendKit

/// What the operator configured: backends in their order, and how the console behaves.
public struct Configuration: Sendable {
  /// The backends, each file's in its order: those of a trusted file of the current folder first, then the user's own, then
  /// those of an untrusted file.
  public var backends: [BackendConfiguration] = []
  /// The backend that a session begins with.
  public var defaultBackend: String?
  /// Settings of the console by name, their kinds checked.
  public var settings = Object()
  /// What is journaled where a backend does not say it; nil for the usual.
  public var journal: JournalPolicy?
  /// How long the journal's entries are kept; nil for the usual time.
  public var journalKeep: JournalKeep?
  /// How fields are named in transfers, by the name that `--map` takes.
  public var mappings: [String: String] = [:]
  /// What to tell the operator about it, one line each.
  public var notices: [String] = []

  /// The file that --config or SWITCHBOARD_CONFIG names, links resolved; nil where neither names one.
  var named: String?
  /// The current folder's file as it was read; nil where there is none.
  var folder: FolderConfiguration?
  /// Where the default is written.
  var defaultPlace: ConfigurationPlace?

  /// A configuration of nothing.
  public init() {}
}
