import BackendKit
import ConsoleSupport
import DemoServerSupport
import TestSupport
import Testing

/// A json-server whose todos say by 0 and 1 that they are done, as the data of its first users did.
@Suite("0 and 1 for false and true") struct NumberFlagTests {
  let world: World

  init() async throws {
    world = try await World(["a": .jsonplaceholder], seed: 30, setting: ["jsonplaceholder.completed=number"])
  }

  private func run(_ commands: String...) async throws -> ConsoleRun {
    try await world.run("", commands.flatMap { ["-c", $0] })
  }

  private func stored(_ id: Int) async throws -> String {
    let answer = try await world.demo.send("GET", "/jsonplaceholder/todos/\(id)")
    return JSONWriter.compact(try JSONReader.read(answer.body).object?["completed"] ?? .null)
  }

  @Test("a condition finds the same by either spelling, and says nothing false") func conditions() async throws {
    let counts = try await run(
      "count completed=true", "count completed=false", "count completed=1", "count completed=0",
      "count completed!=true", "count --where 'completed in (true)'", "count completed>false", "count")
    let numbers = counts.output.split(separator: "\n").compactMap { Int($0) }
    try #require(numbers.count == 8)
    #expect(numbers[0] > 0 && numbers[1] > 0 && numbers[0] + numbers[1] == 30 && numbers[7] == 30)
    #expect(numbers[2] == numbers[0] && numbers[3] == numbers[1] && numbers[4] == numbers[1])
    #expect(numbers[5] == numbers[0] && numbers[6] == numbers[0])
    #expect(!counts.errors.contains("matches"), "\(counts.errors)")
  }

  @Test(
    "what is written has the kind that is stored",
    arguments: ["completed=true", "completed=1", "completed:=1", "completed:=true"])
  func written(word: String) async throws {
    try await run("update 1 completed=0", "create title=x \(word)").succeeded()
    #expect(try await stored(1) == "0")
    #expect(try await stored(31) == "1")
    try await run("update 1 \(word)").succeeded()
    #expect(try await stored(1) == "1")
  }

  @Test("the record itself counts, where records differ") func mixed() async throws {
    _ = try await world.demo.send(
      "PATCH", "/jsonplaceholder/todos/2", headers: [("Content-Type", "application/json")],
      body: #"{"completed":false}"#)
    try await run("update 2 completed=1", "update 3 completed=true").succeeded()
    #expect(try await stored(2) == "true")
    #expect(try await stored(3) == "1")
  }

  @Test(
    "an update whose response is lost is done where a read shows the same by the other spelling",
    arguments: ["true", "1"])
  func settled(value: String) async throws {
    let lost = try await DemoProcess.start([
      "--memory", "--seed", "30", "--set", "jsonplaceholder.profile=json-server", "--set",
      "jsonplaceholder.completed=number", "--set", "fault=hangup", "--set", "fault.on=writes",
    ])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {
          "a": {"plugin": "jsonplaceholder", "url": "\(lost.base("jsonplaceholder"))", "resource": "todos"}}}
        """)
    let run = try await home.run(commands: "update 1 completed=\(value)").succeeded()
    #expect(run.errors.contains("a read shows the record with the values that were sent"), "\(run.errors)")
  }

  @Test("another number is refused before anything is sent") func other() async throws {
    let run = try await run("update 1 completed=2")
    #expect(run.status == 2)
  }
}
