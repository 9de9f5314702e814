import TerminalSupport

/// Measures how long the console takes from the Tab key to the end of what it shows, with many identifiers known.
///
/// Usage: `TabBenchmark CONSOLE TARGET COUNT`; the target has at least that many records, whose identifiers are numbers from 1.
@main
enum TabBenchmark {
  private static let rounds = 60

  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 4, let count = Int(words[3]), count >= 10_000 else {
      print("usage: TabBenchmark CONSOLE TARGET COUNT, at least 10000")
      return
    }
    // A home of its own: the history is kept there.
    let home = words[1] + ".home"
    let terminal = try PseudoTerminal(
      words[1], arguments: ["--no-init"], environment: ["HOME": home], columns: 100, rows: 40)
    try terminal.expectOutput("> ")
    terminal.send("use \(words[2])\rlist --all --fields id -o id --to /dev/null\rset pager off\rcount\r")
    try terminal.expectOutput("\(count)\r\n", timeout: .seconds(120))
    try terminal.expectOutput("> ")
    try measure(terminal, "one of \(count) identifiers", typed: "get 999", shown: "9999")
    try measure(terminal, "a page of \(count) identifiers", typed: "get ", shown: "--More--", leave: "q")
    try measure(terminal, "one command", typed: "expl", shown: "ain")
  }

  private static func measure(
    _ terminal: PseudoTerminal, _ what: String, typed: String, shown: String, leave: String = ""
  ) throws {
    var times: [Duration] = []
    for _ in 0..<rounds {
      terminal.send(typed)
      try terminal.expectOutput(String(typed.split(separator: " ").last?.last ?? " "))
      let begin = ContinuousClock.now
      terminal.send("\t")
      try terminal.expectOutput(shown)
      times.append(begin.duration(to: .now))
      terminal.send(leave + "\u{15}\r")
      try terminal.expectOutput("> ")
    }
    times.sort()
    print(
      "Tab, \(what): median \(milliseconds(times[rounds / 2])) ms, longest \(milliseconds(times[rounds - 1])) ms (at most 16)"
    )
  }

  private static func milliseconds(_ time: Duration) -> Double {
    Double((time / .microseconds(1) / 10).rounded()) / 100
  }
}
