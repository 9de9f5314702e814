import BackendKit
import ConsoleSetup
import ConsoleSystem

/// A change of the session by a command, applied by the interpreter after the command.
enum SessionChange {
  /// The target of commands that name none.
  case choose(String, ResourcePath?)
  case set(Settings)
  case reopen(OpenBackend)
  /// The user logged in to a backend; nil for none.
  case login(String, user: String?)
  case add(BackendConfiguration)
  case replace(BackendConfiguration)
  case remove(String)
  /// The list for `next`, `prev`, `first` and `page`; nil for none.
  case keepList(ListState?)
  /// A page for the browser, deleted when the session ends.
  case keepPage(PrivatePage)
  /// A file that gets a copy of all results; nil ends that.
  case tee(OutputCopy?)
  case quit
}
