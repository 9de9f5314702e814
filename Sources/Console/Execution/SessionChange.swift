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

/// The ending of a command.
struct CommandEnding {
  /// Its changes of the session, in this order.
  var changes: [SessionChange] = []
  /// The failure despite its changes: a list that broke off, a service that was added with a record left behind.
  var failure: (any Error)?

  /// One that changes nothing.
  static var done: CommandEnding { CommandEnding() }

  /// One that changes something.
  static func changing(_ changes: SessionChange...) -> CommandEnding { CommandEnding(changes: changes) }
}
