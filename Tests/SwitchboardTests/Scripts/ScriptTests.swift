import ConsoleSupport
import Testing

@Suite("Scripts") struct ScriptTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ arguments: String..., input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", ConsoleTerminal.config] + arguments, input: input, in: home)
  }

  @Test("a file runs up to its first failing command, whose line is named") func file() async throws {
    let file = try home.write("# first\ncount\n\nget \\\n  99\ncount\n", to: "a.sb")
    let run = try await run("-f", file)
    #expect((run.status, run.output) == (1, "6\n"))
    #expect(run.errors.hasPrefix("\(file):4: error: get intranet/announcements 99: not found (404, "))
  }

  @Test("commands and files run in their order, and a failure ends the run") func several() async throws {
    let one = try home.write("delete 1\n", to: "one.sb")
    let two = try home.write("count\nget 99\n", to: "two.sb")
    let run = try await run("-c", "count", "-c", "create title=x", "-f", one, "-f", two, "-f", one)
    #expect(run.status == 1)
    #expect(run.output == "6\ncreated announcements/7\ndeleted announcements/1\n6\n")
    #expect(run.errors.hasPrefix("\(two):2: error: get intranet/announcements 99: "))
    let stopped = try await self.run("-c", "lst", "-c", "count", "-f", one)
    #expect((stopped.status, stopped.output) == (2, ""))
    #expect(stopped.errors.hasPrefix("-c:1:1: "))
  }

  @Test("source runs a file within, and its failure is that of the file and of the line that asked for it")
  func source() async throws {
    let inner = try home.write("count\nget 99\ncount\n", to: "inner.sb")
    let run = try await run(input: "source \(inner)\ncount\n")
    #expect((run.status, run.output) == (1, "6\n"))
    #expect(run.errors.hasPrefix("\(inner):2: error: get intranet/announcements 99: not found (404, "))
    let missing = try await self.run(input: "source /nonexistent\n")
    #expect(missing.status == 2)
    #expect(missing.errors.hasPrefix("stdin:1: "))
  }

  @Test("a file that sources itself ends with a sentence") func recursion() async throws {
    let file = try home.write("source self.sb\n", to: "self.sb")
    let run = try await run("-f", file)
    #expect((1...3).contains(run.status))
    #expect(run.errors.contains("self.sb:1: "))
  }

  @Test("a line may be a megabyte long") func longLine() async throws {
    let text = String(repeating: "é", count: 500_000)
    let run = try await run(input: "create title=x body=\(text)\nget 7 -o json\n")
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.contains(text))
    try await self.run(input: "#\(text)\(text)\ncount").succeeded(printing: "7\n")
  }

  @Test("a mark at the beginning and CRLF at the ends of lines are not text") func lineEnds() async throws {
    let file = try home.write("\u{FEFF}create title=x\r\nget 7 -o tsv --no-header\r\nget 99\r\n", to: "a.sb")
    let run = try await run("-f", file)
    #expect((run.status, run.output) == (1, "created announcements/7\n7\tx\t\\N\n"))
    #expect(run.errors.hasPrefix("\(file):3: error: get intranet/announcements 99: "))
  }

  @Test("--on-error continue goes on through all files") func goingOn() async throws {
    let one = try home.write("get 99\ncount\n", to: "one.sb")
    let run = try await run("--on-error", "continue", "-f", one, "-f", one)
    #expect((run.status, run.output) == (1, "6\n6\n"))
  }
}
