import ConsoleSupport
import Testing

/// Dry runs of transfers that are large.
@Suite("A dry run of many rows") struct DryRunTests {
  let service: UndecidedService

  init() async throws { service = try await UndecidedService() }

  @Test("takes no more memory than one of few", arguments: ["--to /dev/null", "-o ndjson --to /dev/null"])
  func memory(options: String) async throws {
    func peak(_ count: Int) async throws -> Int {
      let command = "import it \(try service.rows(count)) --dry-run \(options)"
      let run = try await service.home.runProgram(
        "", ["--allow-shell", "-c", command, "-c", "!grep VmHWM /proc/$PPID/status"])
      #expect(run.errors.contains("dry run: nothing was sent"), "\(run.errors.prefix(300))")
      return try #require(Int(run.output.filter(\.isNumber)))
    }
    let few = try await peak(3_000)
    #expect(try await peak(40_000) < few + 16_384)
  }

  @Test(
    "shows each request, in every format, and the first writes of the plan",
    arguments: [(1, "1", nil), (7, "7", "2"), (1_200, "1,200", "1,195")]
  )
  func requests(count: Int, shownCount: String, rest: String?) async throws {
    let command = "import it \(try service.rows(count)) --dry-run"
    let shown = try await service.run(command)
    let lines = shown.output.split(separator: "\n")
    #expect(lines.count == count && lines.last == "POST /items {\"title\":\"row \(count - 1)\",\"rank\":\(count - 1)}")
    #expect(shown.errors.contains("\(shownCount) to create; \(shownCount) request"), "\(shown.errors)")
    #expect(rest.map { shown.errors.contains("and \($0) more") } ?? !shown.errors.contains(" more"), "\(shown.errors)")
    let records = try await service.run(command + " -o ndjson")
    #expect(records.output.split(separator: "\n").count == count)
    #expect(records.output.contains("{\"method\":\"POST\",\"path\":\"/items\","), "\(records.output.prefix(200))")
    let table = try await service.run(command + " -o csv")
    #expect(table.output.split(separator: "\n").count == count + 1, "\(table.output.prefix(200))")
    try await service.run("capture all = \(command) -o json", "expect $all.count = \(count)").succeeded()
    #expect(try service.requests().allSatisfy { $0.hasPrefix("GET ") })
  }
}
