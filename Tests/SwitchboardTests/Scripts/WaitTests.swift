import ConsoleSupport
import Testing

/// Waiting for records.
@Suite("Waiting") struct WaitTests {
  let console: JournalConsole

  init() async throws { console = try await JournalConsole() }

  @Test("what is so already is not waited for") func now() async throws {
    let run = try await console.run(
      "update json/todos 3 title=ready\nwait json/todos 3 title=ready\nwait --count 1 json/todos title=ready\n"
    ).succeeded()
    #expect(run.output.contains("json/todos/3: the condition holds after "), "\(run.output)")
    #expect(run.output.contains("json/todos: 1 record after "), "\(run.output)")
  }

  @Test("it goes on until somebody makes it so") func later() async throws {
    let console = try await JournalConsole(asProgram: true)
    async let waiting = console.run("wait json/todos 3 title=ready --every 1s --timeout 10m\n")
    try await console.demo.waitForRequests(of: "jsonplaceholder")
    try await ConsoleRun.run(
      ["--config", console.config], input: "update json/todos 3 title=ready\n", in: try ConsoleRun.Home()
    ).succeeded()
    #expect(try await waiting.status == 0)
  }

  @Test("when the time is over it says what it saw last, with status 1") func over() async throws {
    let run = try await console.run(
      "wait json/todos 3 title=never --timeout 1s --every 1s\nwait --count 7 json/todos --timeout 1s\n",
      ["--on-error", "continue"])
    #expect(run.status == 1)
    #expect(run.errors.contains("still not met after 1s; last seen: title is \""), "\(run.errors)")
    #expect(run.errors.contains("last seen: 5 records"), "\(run.errors)")
  }

  @Test(
    "what waiting cannot mend ends it at once", arguments: ["wait json/todos 99 title=x", "wait todo 3 titel=x"])
  func hopeless(command: String) async throws {
    let run = try await console.run(command + " --timeout 10m\n")
    #expect(run.status != 0 && !run.errors.contains("not met"), "\(run.errors)")
  }

  @Test(
    "words that are wrong are found by a check",
    arguments: ["wait json/todos 3", "wait json/todos 3 a=b --timeout soon"])
  func wrong(command: String) async throws {
    #expect(try await console.run(command + "\n", ["--check"]).status == 2)
  }
}
