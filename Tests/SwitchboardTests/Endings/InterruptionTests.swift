import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite("Interruption") struct InterruptionTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// A terminal at which a request that a server keeps waiting was given up.
  private func stoppedTerminal(_ demo: DemoProcess) async throws -> PseudoTerminal {
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("count\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    try terminal.expect("stopped; ")
    try terminal.expectPrompt()
    return terminal
  }

  @Test("at a terminal Ctrl-C gives up the request, and the prompt comes back") func terminal() async throws {
    let demo = try await DemoProcess.late("fault.count=1")
    let terminal = try await stoppedTerminal(demo)
    #expect(try terminal.run("count") == ["6"])
    terminal.send(Key.endOfFile)
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
  }

  /// Lines entered at once, with more than one write each.
  static let entries = [
    "for row in (list intranet/announcements)\ncreate todo/todos title=kept-$row.id\nend",
    "create todo/todos title=kept-1\ncreate todo/todos title=kept-2\ncreate todo/todos title=kept-3",
    "try\ncreate todo/todos title=kept-1\nend\ncreate todo/todos title=kept-2",
  ]

  @Test(
    "Ctrl-C while a write that was done is read back ends what was entered with it, and the prompt comes back",
    arguments: entries)
  func readBack(text: String) async throws {
    // Only the second service keeps those who read waiting.
    let demo = try await DemoProcess.start(["--memory"])
    let switches = "jsonplaceholder.profile=json-server, fault=delay, fault.on=reads, fault.delay=600000"
    let config = try demo.configuration(in: home, todoSetting: switches)
    let terminal = try ConsoleTerminal.start(in: home, config: config, columns: 120)
    terminal.send("\u{1B}[200~\(text)\u{1B}[201~\r")
    if !text.hasPrefix("for") {
      try terminal.expect("Run these")
      terminal.send("y\r")
    }
    try await demo.waitForRequests(of: "jsonplaceholder", atLeast: 2)
    terminal.send(Key.interrupt)
    try terminal.expectPrompt()
    let answer = try await demo.send(
      "GET", "/jsonplaceholder/todos", headers: [("Demo-Set", "jsonplaceholder.profile=json-server")])
    #expect(try answer.rows().count { ($0["title"] as? String ?? "").hasPrefix("kept") } == 1)
    // It is over then.
    #expect(try terminal.run("count").last == "6")
  }

  @Test("a write that was given up is of unknown outcome, and says so") func write() async throws {
    let demo = try await DemoProcess.late("fault.on=writes")
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home), columns: 250)
    terminal.send("create title=x\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    try terminal.expect("outcome unknown")
    try terminal.expectPrompt()
  }

  @Test("a batch run ends with 130 and a sentence, whatever it does on errors", arguments: ["stop", "continue"])
  func batch(onError: String) async throws {
    let demo = try await DemoProcess.late()
    let config = try demo.configuration(in: home)
    let console = try ConsoleRun.start(
      ["--config", config, "--on-error", onError, "-c", "count", "-c", "help"], in: home)
    try await demo.waitForRequests()
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("-c:1: "))
    #expect(run.errors.contains("stopped; "))
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("no further file is run after it, whatever a run does on errors") func files() async throws {
    let demo = try await DemoProcess.late()
    let one = try home.write("count\n", to: "one.sb")
    let two = try home.write("help\n", to: "two.sb")
    let console = try ConsoleRun.start(
      ["--config", try demo.configuration(in: home), "--on-error", "continue", "-f", one, "-f", two], in: home)
    try await demo.waitForRequests()
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, ""))
  }

  @Test("a run of commands that never wait ends with 130 before the next command") func busy() async throws {
    let count = 200_000
    let file = try home.write(String(repeating: "show output\n", count: count), to: "busy.sb")
    let console = try home.startShipped("-f", file)
    // More output than the pipe holds: the console is in the midst of it.
    try await console.expect("auto\n")
    let run = try await console.end(by: SIGINT)
    #expect(run.status == 130)
    #expect(run.errors.wholeMatch(of: /.*busy.sb:[0-9]+: error: interrupted before this command\n/) != nil)
    #expect(run.output.count { $0 == "\n" } < count)
  }

  /// The number of consoles that are interrupted while they start; `Scripts/long` has more.
  static let starts =
    ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_KILLS"].flatMap { Int($0) }.map { $0 * 40 } ?? 40

  @Test("interrupted at any moment of its start it ends with 130, and never crashes", .timeLimit(.minutes(60)))
  func starting() async throws {
    let file = try home.write(String(repeating: "show output\n", count: 2_000), to: "start.sb")
    var numbers = HostileNames(row: 9_000)
    for _ in 0..<Self.starts {
      let console = try home.startShipped("-f", file)
      // Which moment that is does not matter: each has to be a good one.
      try await Task.sleep(for: .microseconds(Int.random(in: 0...50_000, using: &numbers)))
      let run = try await console.end(by: SIGINT)
      // One that was quick had ended before.
      #expect(run.status == 130 || run.status == 0, "\(run.status) \(run.errors)")
    }
  }

  @Test("a run that has just answered and waits for a command ends with 130", .timeLimit(.minutes(10)))
  func waiting() async throws {
    // The signal comes now before, now after the console has begun to wait.
    for _ in 0..<40 {
      let console = try home.startShipped("--stream")
      try console.type("show output\n")
      try await console.expect("auto\n")
      #expect(try await console.end(by: SIGINT).status == 130)
    }
  }

  @Test("at a terminal it is over with the command: a file that is run next runs whole")
  func sourceAfter() async throws {
    let demo = try await DemoProcess.late("fault.count=1")
    let file = try home.write("count\nshow output\n", to: "two.sb")
    let terminal = try await stoppedTerminal(demo)
    #expect(try terminal.run("source \(file)").suffix(2) == ["6", "auto"])
  }

  @Test(
    "a console that was started to ignore SIGINT ignores it, with the network in use and without",
    arguments: [("count", "6\n"), ("show output", "auto\n")])
  func ignored(command: String, answer: String) async throws {
    let console = try home.startShell(
      "trap '' INT; exec \"$0\" --stream --config \"$1\"", ConsoleTerminal.config, with: "/bin/bash")
    try console.type(command + "\n")
    try await console.expect(answer)
    #expect(try ProcessTable.ignores(SIGINT, process: console.id))
    console.signal(SIGINT)
    try console.type("help quit\n")
    try await console.expect("End the console")
    #expect(try await console.end().status == 0)
  }

  @Test("SIGINT for the console alone reaches the shell command that it waits for", arguments: ["!", "show output | "])
  func shell(prefix: String) async throws {
    let console = try home.startShipped(
      "--allow-shell", "-c", prefix + "cat < /dev/null; /bin/sh -c 'echo started; sleep 600; echo late'; echo later",
      "-c", "show output")
    try await console.expect("started\n")
    // Its outputs end only with everything that was started.
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, "started\n"))
    #expect(run.errors == "-c:1: error: the shell command was interrupted\n")
  }

  @Test("a shell command that takes SIGINT itself ends as it likes, and the script ends after it")
  func trapped() async throws {
    let file = try home.write(
      "!trap 'echo took it; exit 0' INT; echo started; while :; do sleep 0.1; done\nshow output\n", to: "s.sb")
    let console = try home.startShipped("--allow-shell", "-f", file)
    try await console.expect("started\n")
    let run = try await console.end(by: SIGINT)
    #expect((run.status, run.output) == (130, "started\ntook it\n"))
    #expect(run.errors == "\(file):2: error: interrupted before this command\n")
  }

  @Test("whoever has started the console is not interrupted with what the console waits for")
  func starter() async throws {
    let file = try home.write("!echo started; sleep 600\n", to: "s.sb")
    let shell = try home.startShell(
      "\"$0\" --allow-shell --config \"$1\" -f \"$2\"; echo ended $?", ConsoleTerminal.config, file)
    try await shell.expect("started\n")
    kill(try #require(ProcessTable.children(of: shell.id).first), SIGINT)
    try await shell.expect("ended 130\n")
  }

  @Test("SIGINT for the console alone reaches the shell command at a terminal, too") func shellAtTerminal() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("!echo sta''rted; sleep 600; echo la''te\r")
    try terminal.expect("started")
    terminal.signal(SIGINT)
    try terminal.expectPrompt()
    #expect(terminal.screen.fullText.contains("the shell command was interrupted"))
    #expect(!terminal.screen.fullText.contains("late"))
  }

  @Test("Ctrl-C at a terminal reaches a shell command once") func once() async throws {
    let terminal = try ConsoleTerminal.start(in: home)
    // It goes on for longer than the console waits before it passes a signal on.
    let loop = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; echo ov''er"
    terminal.send("!/bin/bash -c 'trap \"echo to''ok it\" INT; echo sta''rted; \(loop)'\r")
    try terminal.expect("started")
    terminal.send(Key.interrupt)
    try terminal.expect("over")
    try terminal.expectPrompt()
    #expect(terminal.screen.fullText.split(separator: "\n").count { $0.contains("took it") } == 1)
    // It is over with that command.
    let two = try home.write("show output\nshow errors\n", to: "two.sb")
    #expect(try terminal.run("source \(two)").suffix(2) == ["auto", "text"])
  }
}
