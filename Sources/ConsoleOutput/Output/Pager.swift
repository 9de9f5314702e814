package import ConsoleSystem
import Glibc

/// A program that shows output higher than the window.
package struct Pager: Sendable {
  /// The shell command, possibly with options.
  let command: String
  let environment: ChildEnvironment
  private let interruption: Interruption

  /// The pager by settings and environment, or nil if disabled or not installed.
  package init?(_ choice: PagerChoice, environment: ChildEnvironment, interruption: Interruption) {
    self.interruption = interruption
    switch choice {
    case .off: return nil
    case .command(let command): self.command = command
    case .on:
      if environment["TERM"] == "dumb" { return nil }
      command = environment["SWITCHBOARD_PAGER"] ?? environment["PAGER"] ?? "less"
    }
    let first = command.split(separator: " ").first.map(String.init) ?? ""
    guard !first.isEmpty, command != "cat" else { return nil }
    // A shell that does not find the pager would discard the output.
    let isPlain = first.utf8.allSatisfy { $0 >= 0x80 || "-_./+".utf8.contains($0) || isalnum(Int32($0)) != 0 }
    if isPlain, ChildProcess.path(of: first, environment) == nil { return nil }
    var environment = environment
    environment.setDefault("LESS", "FRX")
    // Disables keys of less that start programs: no shell, no editor, no other file.
    environment.setDefault("LESSSECURE", "1")
    environment.setDefault("LV", "-c")
    // The console writes UTF-8, whatever the locale.
    environment.setDefault("LESSCHARSET", "utf-8")
    self.environment = environment
  }

  /// Starts the pager; nil on failure.
  func start() -> Run? {
    guard let pipe = ClosedOnExec.pipe() else { return nil }
    var modes = termios()
    let hasModes = tcgetattr(0, &modes) == 0
    // Discard keys typed before the pager started.
    if hasModes { tcflush(0, TCIFLUSH) }
    // With `LESSSECURE`, less ignores Ctrl-Z, so a stopped console would leave it alone with the terminal.
    let stops = signal(SIGTSTP, SIG_IGN)
    let child = ChildProcess(
      ["/bin/sh", "-c", command], environment: environment, input: pipe.reading, inheritsStops: true)
    close(pipe.reading)
    guard let child else {
      close(pipe.writing)
      signal(SIGTSTP, stops)
      return nil
    }
    return Run(
      input: pipe.writing, child: child, modes: hasModes ? modes : nil, stops: stops, interruption: interruption)
  }

  struct Run: Sendable {
    /// The file descriptor to which its text is written.
    let input: Int32
    fileprivate let child: ChildProcess
    fileprivate let modes: termios?
    /// The previous handler of Ctrl-Z.
    fileprivate let stops: __sighandler_t?
    fileprivate let interruption: Interruption

    /// Waits until it ends, and restores the terminal.
    func finish() {
      close(input)
      _ = child.wait(interruption)
      signal(SIGTSTP, stops)
      guard var modes else { return }
      tcsetattr(0, TCSADRAIN, &modes)
    }
  }
}
