import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Writes that a service does later, as operators meet them.
@Suite("Writes that are done later") struct LaterTests {
  let service: LaterService

  init() async throws { service = try await LaterService() }

  @Test func `a write waits until its job is done, and shows the record`() async throws {
    async let waiting = service.run("create builds name=a -o json")
    try await service.wait(for: "GET /tasks/1")
    try await service.end(1, #"{"state": "done"}"#)
    let run = try await waiting
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""id": 1"#) && run.output.contains(#""name": "a""#), "\(run.output)")
    #expect(try await service.run("journal outcome=done -o id").output == "1\n")
  }

  @Test func `a job that fails is a write that was refused, in the server's own words`() async throws {
    async let waiting = service.run("create builds name=a")
    try await service.wait(for: "GET /tasks/1")
    try await service.end(1, #"{"state": "broken", "why": "disk full"}"#)
    let run = try await waiting
    #expect(run.status == 1)
    #expect(run.errors.contains("the server could not do it: disk full"), "\(run.errors)")
    #expect(try await service.run("journal outcome=failed -o id").output == "1\n")
  }

  @Test func `with --no-wait the command ends with the address of the job, and nothing counts as done`() async throws {
    let run = try await service.run("create builds name=a --no-wait")
    #expect((run.status, run.output) == (6, ""))
    #expect(
      run.errors.contains(
        "accepted by the server, not done yet; outcome unknown\nhint: wait later/builds --job /tasks/1 waits for it"),
      "\(run.errors)")
    #expect(try await service.run("journal outcome=unknown -o id").output == "1\n")

    let check = try await service.run("journal check")
    #expect(check.status == 6 && check.output.contains("cannot be decided: its job /tasks/1"), "\(check.output)")
    try await service.end(1, #"{"state": "done"}"#)
    let settled = try await service.run("journal check\njournal outcome=done -o id").succeeded()
    #expect(settled.output.contains("done: its job is done") && settled.output.hasSuffix("1\n"), "\(settled.output)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `the outcome of one row is in the journal while another is awaited`() async throws {
    let rows = try service.home.write("name\na\nb\nc\n", to: "rows.csv")
    async let waiting = service.runProgram("import builds \(rows) --jobs 3")
    try await service.wait(for: "GET /tasks/1")
    try await service.end(1, #"{"state": "done"}"#)
    try await service.wait(for: "GET /tasks/2")
    try await service.wait(for: "GET /tasks/3")
    try await service.end(2, #"{"state": "done"}"#)
    // Nothing begins after it that would take its outcome along.
    while try await service.run("journal outcome=done -o id").output.split(separator: "\n").count < 2 {}
    try await service.end(3, #"{"state": "done"}"#)
    #expect(try await waiting.status == 0)
    #expect(try await service.run("journal outcome=done -o id").output.split(separator: "\n").count == 3)
  }

  @Test func `wait --job waits for it, and completes its entry in the journal`() async throws {
    #expect(try await service.run("create builds name=a --no-wait").status == 6)
    async let waiting = service.run("wait builds --job /tasks/1\njournal outcome=done -o id")
    try await service.wait(for: "GET /tasks/1")
    try await service.end(1, #"{"state": "done"}"#)
    let run = try await waiting
    #expect((run.status, run.output) == (0, "later/builds/1: the job is done\n1\n"), "\(run.errors)")

    #expect(try await service.run("create builds name=b --no-wait").status == 6)
    try await service.end(2, #"{"state": "broken", "why": "no space"}"#)
    let failed = try await service.run(
      "wait builds --job /tasks/2\njournal outcome=failed -o id", ["--on-error", "continue"])
    #expect(failed.errors.contains("the server could not do it: no space"), "\(failed.errors)")
    #expect((failed.status, failed.output) == (1, "2\n"))
  }

  @Test func `the address of a job is in the journal as soon as it is known, so that a kill loses no write`()
    async throws
  {
    let service = try await LaterService()
    let console = try service.home.start(commands: ["create title=x"])
    try await service.wait(for: "GET /tasks/1")
    _ = try await console.end(by: SIGKILL)
    let entry = try await service.run("journal --all -o ndjson")
    #expect(entry.output.contains(#""job":"/tasks/1""#), "\(entry.output)")
    let check = try await service.run("journal check")
    #expect(check.status == 6 && check.output.contains("cannot be decided"), "\(check.output)")
  }

  @Test func `a job is read from no other server`() async throws {
    let run = try await service.run("wait builds --job http://127.0.0.1:1/tasks/1")
    #expect(run.status != 0)
    #expect(!run.errors.contains("cannot connect"), "\(run.errors)")
  }

  @Test func `without a described job an accepted write is not done, and says so`() async throws {
    let run = try await service.run("create plain name=a")
    #expect((run.status, run.output) == (6, ""))
    #expect(run.errors.contains("accepted the request and may carry it out later (202, "), "\(run.errors)")
  }

  @Test func `at a terminal it is shown how far the job is, and Ctrl-C stops the wait and not the job`() async throws {
    let terminal = try ConsoleTerminal.start(
      in: service.home, config: service.home.config ?? "", columns: 200, prompt: "later/builds>")
    terminal.send("create name=a\r")
    try terminal.expect("running, 40")
    terminal.send(Key.interrupt)
    try terminal.expect("stopped waiting; the server was not told to stop")
    try terminal.expect("wait later/builds --job /tasks/1")
    try terminal.expectPrompt("later/builds>")
    #expect(try await service.run("journal outcome=unknown -o id").output == "1\n")
  }

  @Test func `a secret in the address of a job is neither shown nor kept`() async throws {
    let home = service.home
    let log = home.folder.path + "/run.log"
    let run = try await service.run("create builds name=guarded --no-wait", ["--log", log])
    #expect(run.status == 6 && run.errors.contains("the address of its job contains a secret"), "\(run.errors)")
    let structured = try await service.run("create builds name=guarded --no-wait", ["--errors", "json"])
    let check = try await service.run("journal check")
    #expect(check.status == 6 && check.output.contains("contains a secret and was not recorded"), "\(check.output)")
    let shown = try await service.run("journal show 1 -o json").succeeded()
    #expect(shown.output.contains("/tasks/1?access_token=[blanked]&part=1"), "\(shown.output)")
    let lacking = try await service.run("wait builds --job '/tasks/1?access_token=[blanked]&part=1'")
    #expect(lacking.status == 2, "\(lacking.errors)")
    var texts = [run, structured, check, shown, lacking].map { $0.output + $0.errors }
    texts.append(try String(contentsOfFile: log, encoding: .utf8))
    let state = home.folder.path + "/state"
    for file in try FileManager.default.subpathsOfDirectory(atPath: state) {
      guard let bytes = FileManager.default.contents(atPath: "\(state)/\(file)") else { continue }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    for text in texts { #expect(!text.contains("SEKRET"), "\(text)") }
    // With the whole address the entry is found all the same.
    let address = "/tasks/1?access_token=SEKRETZQ9xyz7&part=1"
    async let waiting = service.run("wait builds --job '\(address)'\njournal outcome=done -o id")
    try await service.wait(for: "GET \(address)")
    try await service.end(1, #"{"state": "done"}"#)
    let done = try await waiting
    #expect((done.status, done.output) == (0, "later/builds/1: the job is done\n1\n"), "\(done.errors)")
  }
}
