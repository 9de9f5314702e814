/// What commands are for, in the order in which help shows them.
enum CommandGroup: String, CaseIterable, Sendable {
  case look, change, script, connect, console
}
