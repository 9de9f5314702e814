public import BackendKit

/// The operator's configuration: backends in their order, and settings of the console.
public struct Configuration: Sendable {
  /// The backends, each file's in its order: those of a trusted file of the current folder first, then the user's own, then
  /// those of an untrusted file.
  public var backends: [BackendConfiguration] = []
  /// The backend that a session begins with.
  public var defaultBackend: String?
  /// Settings of the console by name, their kinds checked.
  public var settings = Object()
  /// The journal policy for backends without their own; nil for the default.
  public var journal: JournalPolicy?
  /// The retention of journal entries; nil for the default.
  public var journalKeep: JournalKeep?
  /// The field mappings of transfers, by the name that `--map` takes.
  public var mappings: [String: String] = [:]
  /// The statements in SQL that `query` runs, by name.
  public var queries: [String: NamedQuery] = [:]
  /// Notices for the operator, one line each.
  public var notices: [String] = []

  /// The file that --config or SWITCHBOARD_CONFIG names, links resolved; nil where neither names one.
  var named: String?
  /// The current folder's file as it was read; nil where there is none.
  package var folder: FolderConfiguration?
  /// The place of the default in the file.
  var defaultPlace: ConfigurationPlace?

  /// A configuration of nothing.
  public init() {}
}
