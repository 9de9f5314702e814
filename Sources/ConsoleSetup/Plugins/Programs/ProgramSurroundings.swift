import ConsoleSystem
import Files
import Glibc

/// The surroundings of a program: three variables and an empty folder.
struct ProgramSurroundings: Sendable {
  /// The search path for interpreters, regardless of the console's own PATH.
  static let path = "/usr/local/bin:/usr/bin:/bin"

  private let state: String?
  private let language: String

  init(_ environment: [String: String]) {
    state = UserFolders(environment: environment).state
    language = environment["LANG"] ?? "C.UTF-8"
  }

  /// The folder of a plugin, created if missing.
  func home(of name: String) throws(FileFailure) -> String {
    guard let state else { throw FileFailure("HOME and XDG_STATE_HOME are not set") }
    let folder = "\(state)/plugins/\(name)"
    try OwnedFolder.prepare(of: folder + "/file")
    try OwnedFolder.check(of: folder)
    return folder
  }

  /// The whole environment, with the folder as the home.
  func variables(home: String) -> [String] { ["PATH=\(Self.path)", "LANG=\(language)", "HOME=\(home)"] }
}
