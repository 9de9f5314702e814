import ConsoleSystem

extension Session {
  func resolved(_ line: String) throws(UsageError) -> String {
    guard isInteractive else { return line }
    if line.split(whereSeparator: \.isWhitespace) == ["b"] { return Command.browsing(after: execution.words) }
    var state: String?
    let command = try Aliases.command(for: line) { name in
      let value = settings.value(of: name) == "on" ? "off" : "on"
      state = "\(name) is \(value)"
      return value
    }
    if let state { reporter.tell(state) }
    return command ?? line
  }
}
