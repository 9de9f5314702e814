import Glibc
import LineEditor

/// Reads lines in a loop and says what it read: the program behind the tests of the line editor.
///
/// A line with an open `'` or a backslash at its end goes on in the next row; `$VISUAL` is the editor.
///
/// Options: `--history FILE`, `--size N`, `--prompt TEXT`, `--async` (wait without blocking), `--complete` (Tab knows a few
/// words), `--on-signal close|crash` (what SIGUSR1 does). The lines `quit`, `work`, `ask`, `question`, `edit`,
/// `screen` and `crash` do something more.
@main
struct LineEditorProbe {
  static func main() async {
    let options = Options(CommandLine.arguments.dropFirst())
    blockUserSignal()
    do throws(LineEditorError) {
      let editor = try LineEditor(
        program: "probe", historyFile: options.historyFile, historySize: options.historySize,
        completer: options.completes ? complete : nil, isIncomplete: isOpen,
        editor: (getenv("VISUAL").map { String(cString: $0) } ?? "vi").split(separator: " ").map(String.init),
        editorEnvironment: environment())
      if let warning = editor.historyWarning { say("warning: \(warning)") }
      if let action = options.onSignal {
        Task.detached {
          waitForUserSignal()
          if action == "crash" { preconditionFailure("as asked") }
          editor.close()
        }
      }
      await loop(editor, options)
      editor.close()
    } catch {
      say("refused: \(error)")
      exit(3)
    }
  }

  private static func environment() -> [String] {
    var entries: [String] = []
    var place = environ
    while let entry = place.pointee {
      entries.append(String(cString: entry))
      place += 1
    }
    return entries
  }

  private static func loop(_ editor: LineEditor, _ options: Options) async {
    var request = LineRequest(prompt: options.prompt)
    while true {
      let result = options.isAsync ? await editor.readLine(request) : readBlocking(editor, request)
      request = LineRequest(prompt: options.prompt)
      switch result {
      case .line("quit"): return
      case .line(let line):
        say("read [\(line.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "|"))]")
        if line.count > 1000 { say("length \(line.unicodeScalars.count)") }
        editor.addHistory(line)
        if line == "work" { pause() }
        if line == "question" {
          request.prompt = "sure? >"
          request.isCommand = false
        }
        if line == "screen" { say("screen: \(await ProbeScreen(editor).run())") }
        if line == "edit" { request.beginsInEditor = true }
        if line == "crash" { preconditionFailure("as asked") }
        if line == "ask" { say("answered [\(Swift.readLine() ?? "")]") }
      case .interrupted: say("interrupted")
      case .endOfFile:
        say("end of file")
        return
      }
    }
  }

  private static func readBlocking(_ editor: LineEditor, _ request: LineRequest) -> LineResult {
    editor.readLineBlocking(request)
  }

  @Sendable private static func isOpen(_ text: String) -> Bool {
    !text.count { $0 == "'" }.isMultiple(of: 2) || text.hasSuffix("\\")
  }

  private static func userSignal() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    return signals
  }

  /// Before any thread is started: all inherit it, so that only `waitForUserSignal` takes the signal.
  private static func blockUserSignal() {
    var signals = userSignal()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func waitForUserSignal() {
    var signals = userSignal()
    var number: Int32 = 0
    sigwait(&signals, &number)
  }

  private static func complete(_ line: String, _ cursor: Int) -> Completion {
    let before = Array(line.unicodeScalars.prefix(cursor))
    let start = before.lastIndex(of: " ").map { $0 + 1 } ?? 0
    let word = String(String.UnicodeScalarView(before[start...]))
    let words = ["announcements", "announce", "album", "列表一", "列表二", "todo"]
    let plain = words.filter { $0.hasPrefix(word) }.map { Completion.Candidate($0) }
    let options = ["--all", "--fields", "--filter"].filter { $0.hasPrefix(word) && word != "" }.map {
      Completion.Candidate($0, note: "\($0.dropFirst(2)) of the records, 所有的记录, and what else there is to say")
    }
    let numbers = word.hasPrefix("n") ? (1...100).map { Completion.Candidate("n\($0)") } : []
    return Completion(start: start, candidates: plain + options + numbers.filter { $0.text.hasPrefix(word) })
  }

  private static func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// The command line.
private struct Options {
  var historyFile: String?
  var historySize = 1000
  var prompt = "probe> "
  var isAsync = false
  var completes = false
  var onSignal: String?

  init(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      switch name {
      case "--history": historyFile = rest.popFirst()
      case "--size": historySize = rest.popFirst().flatMap(Int.init) ?? historySize
      case "--prompt": prompt = rest.popFirst() ?? prompt
      case "--async": isAsync = true
      case "--complete": completes = true
      case "--on-signal": onSignal = rest.popFirst()
      default: exit(2)
      }
    }
  }
}
