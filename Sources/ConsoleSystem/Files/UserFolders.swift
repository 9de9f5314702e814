package import Files

extension FileFailure {
  /// The environment does not name the state folder.
  package static let noStateFolder = FileFailure("\(UserFolders.unknownState); \(UserFolders.stateHint)")
}

/// The folders of a user's own files: the XDG folders, or their defaults if the environment names none.
public struct UserFolders: Sendable {
  /// The reason why nothing can be stored, as a clause.
  package static let unknownState = "the state folder is not known"
  /// The hint for a missing state folder.
  package static let stateHint = "set HOME or XDG_STATE_HOME"

  private let environment: [String: String]

  /// The folders of a user with these variables.
  public init(environment: [String: String]) { self.environment = environment }

  /// The folder of the user's own configuration; nil if the environment has no `HOME`.
  package var configuration: String? { folder("XDG_CONFIG_HOME", below: ".config") }
  /// The folder of files added by the user, for example plugins.
  package var data: String? { folder("XDG_DATA_HOME", below: ".local/share") }
  /// The folder of the console's state; nil if the environment has no `HOME`.
  public var state: String? { folder("XDG_STATE_HOME", below: ".local/state") }

  /// A path written by a user: `~` is the home, and a relative path begins at `folder`.
  package func absolute(_ path: String, below folder: String) -> String {
    if path.hasPrefix("/") { return path }
    if path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty { return home + path.dropFirst() }
    return folder + "/" + path
  }

  private func folder(_ variable: String, below: String) -> String? {
    // By the XDG specification, relative paths in XDG variables are ignored.
    if let path = environment[variable], path.hasPrefix("/") { return path + "/switchboard" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(below)/switchboard"
  }
}
