/// The groups of commands by purpose, in the order of the help.
enum CommandGroup: CaseIterable, Sendable {
  case look, change, move, script, connect, console

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
