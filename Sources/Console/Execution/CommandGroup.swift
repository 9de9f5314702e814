/// The purposes of commands, in the order in which help shows them.
enum CommandGroup: CaseIterable, Sendable {
  case look, change, move, script, connect, console

  /// The heading over its commands.
  var title: String {
    switch self {
    case .look: "Look at records"
    case .change: "Change records"
    case .move: "Move and compare records"
    case .script: "Write scripts"
    case .connect: "Connect to backends"
    case .console: "Use the console"
    }
  }
}
