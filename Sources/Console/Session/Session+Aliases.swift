import ConsoleSystem

extension Session {
  func resolved(_ line: String) throws(UsageError) -> String {
    guard isInteractive else { return line }
    return try Aliases.command(for: line) { settings.value(of: $0) == "on" ? "off" : "on" } ?? line
  }
}
