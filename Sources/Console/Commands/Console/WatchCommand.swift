import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc

extension Command {
  static let watch = Command(
    "watch", .console, "Repeat a command and mark what changed",
    arguments: [.one(.free("SECONDS")), .optional(.line)],
    effects: [],
    details: [
      "Without a command, watch repeats the last one. q or Ctrl-C ends it. watch needs a terminal.",
      "A list described with longPoll is updated when it changes, and at least every SECONDS; only Ctrl-C ends that.",
    ]
  ) { invocation, context in
    guard context.run.isInteractive, context.results.output.isTerminal else {
      throw UsageError("watch needs a terminal", hint: "in a script, repeat the command with for or with the shell")
    }
    guard let seconds = Double(try invocation.one(.free("SECONDS")).text), (0.1...86_400).contains(seconds) else {
      throw UsageError("watch needs a number of seconds", hint: "watch SECONDS COMMAND, for example watch 2 list")
    }
    let line = invocation.reading.line ?? []
    let words = line.isEmpty ? context.run.lastWords : Array(line)
    guard let verb = words.first else {
      throw UsageError("there is no command to repeat", hint: "watch SECONDS COMMAND")
    }
    guard verb.text != context.row?.name else { throw UsageError("watch cannot watch itself") }
    if line.isEmpty, let (command, reading) = CommandTable.reading(words[...]),
      !command.effects(of: reading).isDisjoint(with: [.writesRecords, .runsActions, .runsScripts])
    {
      throw UsageError("the last command may write", hint: "name the command to repeat: watch SECONDS COMMAND")
    }
    try await Watch(context).watch(words, every: seconds)
  }
}

private struct Watch: CommandPart {
  let context: CommandContext

  func watch(_ words: [Word], every seconds: Double) async throws {
    var before: [String]?
    let changes = targets.changes
    changes.begin(patience: Int(seconds))
    defer { changes.end() }
    let title = Quoting.line(words)
    let output = results.output
    let theme = Theme.chosen(
      results.display.theme, use: results.display.color, environment: run.console.environment, isTerminal: true)
    while true {
      let lines = try await run.nested.picture(of: words)
      let (width, height) = output.size ?? (80, 24)
      let count = WatchedLine.fitting(lines, width: width, height: height)
      var shown = lines.prefix(count).enumerated().map { index, line in
        before.map { WatchedLine.marked(line, before: index < $0.count ? $0[index] : "", theme) } ?? line
      }
      let hidden = lines.count - count
      if hidden > 0 { shown.append("… \(counted(hidden, "more line"))") }
      // The next request is held by the server, so a key is noticed only between requests.
      let isFollowing = changes.isFollowing
      let (how, end) = isFollowing ? ("on every change, at least ", "Ctrl-C") : ("", "q")
      let header: EscapedText = "\(how)every \(first(seconds)) s: \(title)  \(Self.timeOfDay())  \(end) ends"
      let head = DisplayWidth.cut(header.text, to: width)
      output.write(formatted: "\u{1B}[H\u{1B}[2J\(head)\n\n\(shown.joined(separator: "\n"))\n")
      output.flush()
      before = lines.map(OutputCopy.plain)
      let pause = isFollowing ? min(1000, Int(seconds * 1000)) : Int(seconds * 1000)
      let isLeft = run.source?.isLeft(within: pause)
      if isLeft == true || run.interruption.isRaised { return }
      // No connection was served while a key was awaited: this lets the network notice those that were closed.
      do { try await Task.sleep(for: .milliseconds(isLeft == nil ? pause : 1)) } catch { return }
    }
  }

  private func first(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }

  private static func timeOfDay() -> String {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(local.tm_hour)):\(two(local.tm_min)):\(two(local.tm_sec))"
  }
}

enum WatchedLine {
  /// Returns the number of lines that fit between the header with its blank line and the cursor's row. If some do not
  /// fit, one row is left for a note.
  static func fitting(_ lines: [String], width: Int, height: Int) -> Int {
    let room = max(2, height - 3)
    var used = 0
    var withNote = 0
    for (index, line) in lines.enumerated() {
      let columns = DisplayWidth.columns(of: OutputCopy.plain(line))
      used += max(1, (columns + width - 1) / max(1, width))
      if used <= room - 1 { withNote = index + 1 }
      if used > room { return withNote }
    }
    return lines.count
  }

  /// The line with its differences from the previous one highlighted.
  static func marked(_ line: String, before: String, _ theme: Theme) -> String {
    let new = Array(OutputCopy.plain(line))
    let old = Array(before)
    guard new != old, !theme.isPlain else { return line }
    var result = ""
    var run = ""
    for (index, character) in new.enumerated() {
      if index < old.count, old[index] == character {
        result += theme.paint(run, .change)
        run = ""
        result.append(character)
      } else {
        run.append(character)
      }
    }
    return result + theme.paint(run, .change)
  }
}
