public import BackendKit
public import ConsoleSystem

/// The user's configuration: backends in order, and settings of the console.
public struct Configuration: Sendable {
  /// The backends, in the order of each file: first those of a trusted file of the current folder, then the user's own,
  /// then those of an untrusted file.
  public var backends: [BackendConfiguration] = []
  /// The backend that is selected at the beginning of a session.
  public var defaultBackend: String?
  /// Settings of the console by name, with checked types.
  public var settings = Object()
  /// The journal policy for backends without their own; nil for the default.
  public var journal: JournalPolicy?
  /// The retention of journal entries; nil for the default.
  public var journalKeep: JournalKeep?
  /// The field mappings of transfers, by the name that `--map` takes.
  public var mappings: [String: String] = [:]
  /// The SQL statements for `query`, by name.
  public var queries: [String: NamedQuery] = [:]
  /// Notices for the operator, one line each.
  public var notices: [String] = []

  /// The file that --config or SWITCHBOARD_CONFIG names, links resolved; nil if neither is given.
  var named: String?
  /// The current folder's file as it was read; nil if there is none.
  package var folder: FolderConfiguration?
  /// The place of the default in the file.
  var defaultPlace: ConfigurationPlace?

  /// An empty configuration.
  public init() {}

  /// The format of standard error.
  public var errorForm: ErrorForm { settings["errors"]?.text.flatMap(ErrorForm.init) ?? .text }
}

/// The current folder's configuration as this run has read it, and the files that it names.
package struct FolderConfiguration: Sendable {
  /// The file, links resolved.
  let path: String
  /// The file's name for messages.
  let shown: String
  let bytes: [UInt8]
  let named: [NamedFile]

  init(_ file: ConfigurationFile, naming content: ConfigurationReader.Content) {
    path = file.path
    shown = file.shown
    bytes = file.bytes
    named = content.backends.flatMap(\.namedFiles)
  }
}
