import BackendClient
import BackendKit
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSetup
@testable import ConsoleSystem

/// The ports of commands, each by itself.
@Suite struct PortTests {
  // MARK: Targets

  @Test func `a target is a backend, a resource of the current one, or the current one itself`() async throws {
    let targets = try CommandBench().targets
    func target(_ line: String) async throws -> (Target, isNamed: Bool) {
      try await targets.takeTarget(try CommandLine(line).words[0])
    }
    var (found, isNamed) = try await target("work/todos")
    #expect(found.description == "work/todos" && isNamed)
    (found, isNamed) = try await target("todos")
    #expect(found.description == "home/todos" && isNamed)
    (found, isNamed) = try await target("1")
    #expect(found.description == "home/todos" && !isNamed)
    (found, isNamed) = try await target("'work/todos'")
    #expect(found.description == "home/todos" && !isNamed)
    #expect(targets.isOpen("work"))
    targets.choose(nil)
    let error = await #expect(throws: UsageError.self) { _ = try await targets.takeTarget(nil) }
    #expect(error?.message == "no backend is selected")
  }

  @Test func `what a command works on is told once`() async throws {
    let targets = try CommandBench().targets
    targets.work(on: try await targets.takeBackend(try CommandLine("work").words[0]).0)
    let place = targets.takePlace()
    #expect(place?.backend.configuration.name == "work")
    #expect(place?.path == nil)
    #expect(targets.takePlace() == nil)
  }

  @Test func `a backend that is not trusted is noted when it is used first`() throws {
    let targets = try CommandBench { configuration in
      configuration.backends[1].isTrusted = false
      configuration.backends[1].file = "./config.json"
    }.targets
    var notes: [String] = []
    targets.note = { notes.append($0) }
    _ = try targets.open("home")
    #expect(notes.isEmpty)
    _ = try targets.open("work")
    _ = try targets.open("work")
    #expect(
      notes == ["work is a backend in ./config.json, which is not trusted; its address is http://work.test"])
  }

  @Test func `a backend that is replaced is opened anew, and one that is removed is not current any more`() throws {
    let targets = try CommandBench().targets
    _ = try targets.open("home")
    targets.replace(BackendConfiguration(name: "home", plugin: "kitura", url: "http://other.test"))
    #expect(!targets.isOpen("home"))
    #expect(try targets.open("home").configuration.url == "http://other.test")
    targets.remove("home")
    #expect(targets.current == nil)
    #expect(targets.configuration.backends.map(\.name) == ["work"])
    let error = #expect(throws: UsageError.self) { _ = try targets.open("home") }
    #expect(error?.message == "unknown backend \"home\"")
    targets.add(BackendConfiguration(name: "shop", plugin: "kitura", url: "http://shop.test"))
    #expect(targets.backendNames == "backends: work, shop")
  }

  // MARK: Results

  @Test func `of a long result the first records are kept, and the value counts all`() throws {
    let results = try CommandBench().context().results
    let records = (0..<150).map { Record(id: RecordID("\($0)"), fields: Object()) }
    results.keep(records, Presentation(columns: nil, fields: []))
    #expect(results.result.records?.records.count == LastResult.limits.script)
    #expect(results.result.records?.isWhole == false)
    guard case .records(_, let count, let isSingle)? = results.result.value else {
      Issue.record("there is no value")
      return
    }
    #expect(count == 150)
    #expect(!isSingle)
  }

  @Test func `a result is used if a script takes its records`() throws {
    let bench = try CommandBench()
    #expect(!bench.context().results.isUsed)
    bench.rows = RowBuffer(in: "/tmp")
    #expect(bench.context().results.isUsed)
  }

  // MARK: Reporter

  @Test func `notes are blanked, and as JSON they have a level and a place`() async throws {
    let bench = try CommandBench()
    bench.blanking.keepSecret(["correct-horse"])
    bench.context().note("the token is correct-horse")
    // It prints nothing of its own.
    let text = try await bench.run("quit").errors
    #expect(text.hasPrefix("note: the token is "))
    #expect(!text.contains("correct-horse"))
    bench.settings.errors = .json
    bench.context().warn("too late", [("count", 2)])
    let line = try await bench.run("quit").errors
    let object = try #require(try JSONReader.read(Array(line.utf8)).object)
    #expect(object["level"] == "warning")
    #expect(object["message"] == "too late")
    #expect(object["file"] == "nightly.sb")
    #expect(object["line"] == 3)
    #expect(object["count"] == 2)
  }

  @Test func `what is wrong with a recording is kept, other failures are not`() throws {
    let bench = try CommandBench()
    let reporter = bench.context().reporter
    reporter.report(part: CommandFailure(.invalid("no such field"), address: nil))
    #expect(bench.complaints.told.isEmpty)
    reporter.report(part: CommandFailure(.misconfigured("the recording has other requests"), address: nil))
    #expect(bench.complaints.told == ["the recording has other requests"])
  }

  @Test func `the time of a command is told once`() {
    let timer = CommandTimer { 0 }
    #expect(timer.take() == 0)
    #expect(timer.take() == nil)
  }

  // MARK: The run

  @Test func `standard input is there once`() throws {
    let input = StandardInput()
    try input.take()
    let error = #expect(throws: UsageError.self) { try input.take() }
    #expect(error?.message == "standard input has already been read")
  }

  // MARK: Questions

  @Test func `whoever can be asked says yes or no`() async throws {
    let bench = try CommandBench()
    #expect(!Questions(bench.context()).canAsk)
    #expect(await Questions(bench.context()).isYes("Go on?") == nil)
    bench.answer = "n"
    #expect(await Questions(bench.context()).isYes("Go on?") == false)
  }
}
