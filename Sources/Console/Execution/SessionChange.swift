import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// A change of the session by a command. Only the interpreter applies it, after the command.
enum SessionChange {
  /// The target of commands that name none.
  case choose(String, ResourcePath?)
  /// Settings for the rest of the session.
  case set(Settings)
  /// A backend with other options.
  case reopen(OpenBackend)
  /// The user logged in to a backend from now on; nil for none.
  case login(String, user: String?)
  /// A backend that the configuration has now.
  case add(BackendConfiguration)
  /// A backend whose configuration was changed.
  case replace(BackendConfiguration)
  /// A backend that the configuration has no longer.
  case remove(String)
  /// The list that `next`, `prev`, `first` and `page` go on with; nil for none.
  case keepList(ListState?)
  /// A page that was made for the browser, until the session ends.
  case keepPage(PrivatePage)
  /// A file that gets a copy of all results; nil ends that.
  case tee(OutputCopy?)
  /// The end of the run.
  case quit
}
