import ConsoleSupport
import Foundation
import Testing

/// Results that go to a file or a shell command instead of standard output.
@Suite("Redirection") struct RedirectionTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ commands: String..., options: [String] = []) async throws -> ConsoleRun {
    try await home.runShipped(options + commands.flatMap { ["-c", $0] })
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: home.folder.appending(path: name), encoding: .utf8)
  }

  @Test("--to replaces a file with a result, --append adds one") func files() async throws {
    _ = try home.write("old", to: "ids")
    let run = try await run("list -o id --to ids", "get 3 -o id --append ids", "list -o id --per-page 1 --append new")
    #expect((run.status, run.output, run.errors) == (0, "", "1–1, more: next\n"))
    #expect(text("ids") == "1\n2\n3\n4\n5\n6\n3\n")
    #expect(text("new") == "1\n")
  }

  @Test("the name of a file gives records their format, unless the command names one") func named() async throws {
    let list = "list --fields id --per-page 2"
    try await run(
      "\(list) --to a.csv", "\(list) --to b.json", "get 3 --fields id --to c.json", "\(list) --append d.jsonl",
      "\(list) -o id --to e.csv", "export --fields id --limit 2 --to f.tsv", "\(list) --to g.txt", "set output ndjson",
      "\(list) --to h.csv", "\(list) --to i"
    ).succeeded()
    let (table, lines) = ("id\n1\n2\n", "{\"id\":1}\n{\"id\":2}\n")
    #expect(text("a.csv") == table && text("f.tsv") == table && text("h.csv") == table)
    #expect(text("b.json")?.hasPrefix("[\n") == true && text("c.json")?.hasPrefix("{\n") == true)
    #expect(text("d.jsonl") == lines && text("i") == lines)
    #expect(text("e.csv") == "1\n2\n")
    #expect(text("g.txt")?.contains("ID") == true)
  }

  @Test(
    "a name that ends as those of another format is refused before anything is requested",
    arguments: [
      "export --to o.xlsx", "list --to o.ods", "get 3 --append o.XML", "export --to o.csv.gz", "list --to o.db",
    ])
  func foreign(command: String) async throws {
    let file = String(command.split(separator: " ").last ?? "")
    // With a request before it the status would be 1.
    let run = try await run(command).failed(2, saying: "as the name of \(file) says", ".csv, .tsv, .json, .ndjson")
    #expect(run.output.isEmpty && text(file) == nil)
    try await self.run("\(command) -o csv").succeeded()
    #expect(text(file)?.hasPrefix("id,") == true)
  }

  @Test("a result that is not whole replaces nothing, and is kept beside") func partial() async throws {
    _ = try home.write("old", to: "records")
    let run = try await run("get 3 99 -o id --to records")
    #expect((run.status, run.output) == (5, ""))
    #expect(text("records") == "old")
    let kept = try #require(run.errors.firstMatch(of: /records is unchanged; the incomplete result is in (\S+)/)).1
    #expect(try String(contentsOfFile: String(kept), encoding: .utf8) == "3\n")
    let none = try await self.run("get 99 --to records")
    #expect(none.status == 1)
    #expect(text("records") == "old")
  }

  @Test("a file that cannot be written is reported before anything is sent") func unwritable() async throws {
    let run = try await run("create title=x --to nowhere/file")
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write nowhere/file: No such file or directory"))
    let full = try await self.run("list --to /dev/full")
    #expect(full.status == 5)
    #expect(full.errors.contains("No space left on device"))
  }

  @Test("a result goes through a shell command where that is allowed") func pipeline() async throws {
    let run = try await run("list -o id | tac | head -n 2", "get 3 -o id", options: ["--allow-shell"])
    #expect((run.status, run.output, run.errors) == (0, "6\n5\n3\n", ""))
    let failed = try await self.run("list -o id | exit 3", options: ["--allow-shell"])
    #expect((failed.status, failed.errors) == (1, "-c:1: error: the shell command ended with status 3\n"))
    let early = try await self.run("list -o json | true", options: ["--allow-shell"])
    #expect((early.status, early.errors) == (0, ""))
  }

  @Test("a script runs no shell command unless it was allowed to", arguments: ["list | cat", "!touch made"])
  func refused(command: String) async throws {
    let run = try await run(command)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("--allow-shell permits it"))
    #expect(text("made") == nil)
  }

  @Test("a bar or a sign in quotes is text") func quoted() async throws {
    let run = try await run("count title~'|'", "count \"title~>\"")
    #expect(run.status == 0)
    let stray = try await self.run("list > file")
    #expect(stray.status == 2)
    #expect(stray.errors.contains("--to FILE writes a result to a file"))
  }
}
