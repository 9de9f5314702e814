import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleScreen
import ConsoleSystem
import Files
import Glibc

extension Command {
  static let watch = Command(
    "watch", .console, "Repeat a command and mark what changed",
    arguments: [.one(.free("SECONDS")), .optional(.line)],
    effects: [],
    details: [
      "Without a command, watch repeats the last one. Space repeats it at once, arrows and Page Down scroll, and q ends it.",
      "A command that writes is repeated like any other: preview it with --dry-run.",
      "A list described with longPoll is updated when it changes, and at least every SECONDS. watch needs a terminal.",
    ]
  ) { invocation, context in
    guard Questions(context).canShowScreen else {
      let isTraced = context.run.isInteractive && context.run.settings.trace != .off
      let remedy =
        isTraced ? "without a trace: set trace off" : "in a script, repeat the command with for or with the shell"
      throw UsageError("watch needs a terminal", hint: remedy)
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
    let effects = CommandTable.reading(words[...]).map { $0.command.effects(of: $0.words) } ?? []
    if effects.contains(.runsPrograms) { throw UsageError("watch cannot watch \(verb.text)") }
    let mayWrite = !effects.isDisjoint(with: [.writesRecords, .runsActions, .runsScripts])
    if line.isEmpty, mayWrite {
      throw UsageError("the last command may write", hint: "name the command to repeat: watch SECONDS COMMAND")
    }
    try await Watch(context).watch(words, every: seconds, mayWrite: mayWrite)
  }
}

/// Shows a picture after the other until its user leaves. The next one is taken while keys are awaited.
private final class Watch: CommandPart {
  private enum Event {
    case key(ScreenKey)
    /// The pause is over.
    case due
    /// The next picture was taken.
    case taken
  }

  let context: CommandContext
  private let events = AsyncStream<Event>.makeStream()
  private var picture = WatchedPicture()
  /// The next picture, while it is taken.
  private var taking: Task<[String], any Error>?
  private var pausing: Task<Void, Never>?

  init(context: CommandContext) { self.context = context }

  /// Shows pictures. The outcome of one that is interrupted matters if the command may write.
  func watch(_ words: [Word], every seconds: Double, mayWrite: Bool) async throws {
    let changes = targets.changes
    changes.begin(patience: Int(seconds))
    defer { changes.end() }
    // The first one is a command like any other: it shows its progress, and may ask for a password.
    show(try await run.nested.picture(of: words, asks: true), of: words, every: seconds)
    if isStopped { return }
    guard let screen = await Questions(context).openScreen() else {
      throw UsageError("this terminal cannot show a screen")
    }
    let keys = Task { [events = events.continuation] in
      // The first event shows what there is.
      var key = ScreenKey.resized
      while key != .closed {
        events.yield(.key(key))
        key = await screen.next()
      }
      events.yield(.key(.closed))
    }
    pause(seconds)
    var isInterrupted = false
    var failure: (any Error)?
    loop: for await event in events.stream {
      switch event {
      case .key(.control("c")):
        isInterrupted = true
        break loop
      case .key(.closed), .key(.escape), .key(.character("q")): break loop
      case .key(.character(" ")), .due: takeNext(words)
      case .key(let key): picture.scroll(key, in: screen.size.rows)
      case .taken:
        do { show(try await taken(), of: words, every: seconds) } catch {
          failure = error
          break loop
        }
        pause(seconds)
      }
      let rows = [picture.title + "  q ends"] + picture.content(of: screen.size.rows)
      screen.show(ScreenFrame(rows.map { [ScreenSpan($0)] }))
    }
    keys.cancel()
    pausing?.cancel()
    // Keys that leave interrupt the picture only, Ctrl-C everything that was entered.
    isInterrupted = isInterrupted || isStopped
    if isInterrupted || taking != nil { run.interruption.interrupt() }
    taking?.cancel()
    await screen.close()
    // The session is used until then.
    if taking != nil {
      do { show(try await taken(), of: words, every: seconds) } catch { failure = mayWrite ? error : nil }
    }
    if !isInterrupted { _ = run.interruption.take() }
    let rows = [picture.title] + picture.content(of: screen.size.rows)
    results.output.write(rows.map { $0 + "\n" }.joined())
    if let failure { throw failure }
  }

  private func takeNext(_ words: [Word]) {
    guard taking == nil else { return }
    pausing?.cancel()
    // Safe: nothing here uses the session before the picture is taken.
    nonisolated(unsafe) let nested = run.nested
    let take: @Sendable () async throws -> [String] = { try await nested.picture(of: words, asks: false) }
    taking = Task { [events = events.continuation] in
      defer { events.yield(.taken) }
      return try await take()
    }
  }

  private func taken() async throws -> [String] { try await taking.take()?.value ?? [] }

  private func pause(_ seconds: Double) {
    // The server holds the next request until something changes.
    let pause = targets.changes.isFollowing ? min(1, seconds) : seconds
    pausing = Task { [events = events.continuation] in
      do { try await Task.sleep(for: .seconds(pause)) } catch { return }
      events.yield(.due)
    }
  }

  private func show(_ lines: [String], of words: [Word], every seconds: Double) {
    let how: EscapedText = targets.changes.isFollowing ? "on every change, at least " : ""
    let pace = seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    picture.title = how + "every \(pace) s: \(Quoting.line(words))  \(ClockTime.shown(Int64(time(nil)) * 1000))"
    picture.take(lines, results.theme)
  }
}
