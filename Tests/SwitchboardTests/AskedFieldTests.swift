import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

/// `create` without fields asks for them at a terminal, one by one.
@Suite("Fields that are asked for", .serialized) struct AskedFieldTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await DemoProcess.start(["--memory", "--seed", "6"])
    config = try home.write(
      """
      {"switchboard": 1, "default": "g", "backends": {
        "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
        "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"}}}
      """, to: "a.json")
  }

  private func answer(_ terminal: PseudoTerminal, _ question: String, _ text: String) throws {
    try terminal.wait(question) { $0.cursorLine.trimmingCharacters(in: .whitespaces).hasSuffix(question) }
    terminal.send(text)
  }

  @Test("what is offered is taken by Enter, and a wrong answer is asked for again") func asked() async throws {
    let terminal = try ConsoleTerminal.start(in: home, config: config, columns: 120)
    terminal.send("create k\r")
    try answer(terminal, "title (text):", "water the plants\r")
    try answer(terminal, "user (text):", "\r")
    try answer(terminal, "order (integer) [6]:", "many\r")
    try terminal.expect("order is an integer, and \"many\" is not")
    try answer(terminal, "order (integer) [6]:", "\r")
    try answer(terminal, "completed (boolean) [false]:", "true\r")
    try terminal.expect("created todos/6")
    let stored = try await demo.send("GET", "/kitura/6").object()
    #expect(stored["title"] as? String == "water the plants" && stored["user"] == nil)
    #expect(stored["order"] as? Int == 6 && stored["completed"] as? Bool == true)
    // Answers are no commands.
    try terminal.expectPrompt()
    #expect(try !terminal.run("history").joined().contains("water the plants"))
  }

  @Test("a required field is asked for until it is given") func required() async throws {
    let terminal = try ConsoleTerminal.start(in: home, config: config, columns: 120)
    terminal.send("create\r")
    try answer(terminal, "title (text, required):", "\r")
    try terminal.expect("title is required")
    try answer(terminal, "title (text, required):", "x\r")
    try answer(terminal, "body (html):", "\r")
    try terminal.expect("created announcements/7")
  }

  @Test("Ctrl-C and Ctrl-D give up, and nothing is sent", arguments: [Key.interrupt, Key.endOfFile])
  func givenUp(key: String) async throws {
    let terminal = try ConsoleTerminal.start(in: home, config: config, columns: 120)
    terminal.send("create\r")
    try answer(terminal, "title (text, required):", "x\r")
    try answer(terminal, "body (html):", key)
    try terminal.expect("create cancelled; nothing was sent")
    try terminal.expectPrompt()
    #expect(try terminal.run("count").contains("6"))
  }

  @Test("nobody is asked without a terminal", arguments: [true, false]) func unasked(isWord: Bool) async throws {
    let run = try await ConsoleRun.run(
      ["--config", config] + (isWord ? ["-c", "create k"] : []), input: isWord ? "x\n\n\n\n" : "create k\nx\n", in: home
    )
    #expect(run.errors.contains("create needs a field") && run.output.isEmpty)
    #expect(run.status == 2)
  }

  @Test("$now is the present time, unless a variable has its name") func now() async throws {
    let run = try await ConsoleRun.run(
      [
        "--config", config, "-c", "create k title=$now -o json", "-c", "set @now never", "-c",
        "create k title=$now -o json",
      ],
      in: home)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#/"title": "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"/#))
    #expect(run.output.contains(#""title": "never""#))
  }
}
