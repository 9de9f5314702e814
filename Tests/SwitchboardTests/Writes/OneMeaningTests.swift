import ConsoleSupport
import Foundation
import Testing

/// Options that mean the same whatever is written, and however many records.
@Suite("Options of writes") struct OneMeaningTests {
  private func console(_ count: Int) async throws -> JournalConsole {
    try await JournalConsole(demo: ["fault=toomany", "fault.count=\(count)", "fault.on=writes"])
  }

  @Test(
    "--retry, --rejects and --quiet count for one record, too",
    arguments: [
      ("create title=new user=ana order=1", #"{"title":"new","user":"ana","order":1}"#), ("update 2 title=new", "2"),
      ("delete 2", "2"),
    ])
  func single(command: String, rejected: String) async throws {
    let console = try await console(2)
    let refused = try await console.run("\(command) --rejects left.txt\n")
    #expect(refused.status == 4, "\(refused.errors)")
    let left = console.home.folder.appending(path: "left.txt")
    #expect(try String(contentsOf: left, encoding: .utf8) == rejected + "\n")
    let run = try await console.run("\(command) --retry 1 --rejects left.txt --quiet\n").succeeded(printing: "")
    #expect(run.errors.contains("rate limited by the server; waited "), "\(run.errors)")
    #expect(try String(contentsOf: left, encoding: .utf8) == "")
  }

  @Test("a request is held against --limit") func limit() async throws {
    let console = try await console(1)
    for more in ["", " --dry-run"] {
      let run = try await console.run("request PATCH 1 title=x --limit 0\(more)\n")
      #expect((run.status, run.output) == (1, ""))
      #expect(run.errors.contains("1 record would be written, more than --limit 0; nothing was sent"), "\(run.errors)")
    }
    #expect(try await console.entries().isEmpty)
  }

  @Test("an undo of several is one document for programs") func document() async throws {
    let console = try await JournalConsole()
    try await console.run("create title=a user=x order=1\ncreate title=b user=x order=1\n").succeeded()
    let run = try await console.run("undo --all-runs --commands 2 --yes --retry 1 --max-failures 2 -o json\n")
      .succeeded()
    #expect(try run.rows().map { $0["action"] as? String } == ["undone", "undone"], "\(run.output)")
  }
}
