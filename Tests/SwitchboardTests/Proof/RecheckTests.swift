import ConsoleSupport
import Testing

/// Records that somebody else changes between the list that a command read and its writes.
@Suite("Records that change before they are written") struct RecheckTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  @Test(
    "a transfer leaves a record that changed since it was read, if it is told to, and always in production",
    arguments: [
      "sync whole/items contested/items --key title state=done --recheck",
      "copy whole/items contested/items --key title state=done --recheck",
      "import contested/items rows.csv --key title --recheck",
      "sync whole/items production/items --key title state=done --yes=5",
      "import production/items rows.csv --key title --yes=5",
    ])
  func transfer(command: String) async throws {
    let rows = (1...5).map { "item \($0),done\n" }.joined()
    _ = try service.home.write("title,state\n\(rows)", to: "rows.csv")
    let run = try await service.run(command)
    #expect(run.status == 5, "\(run.output) \(run.errors)")
    #expect(run.errors.contains(": changed since it was read"), "\(run.errors)")
    #expect(run.errors.contains(#"state: was "open", is now "theirs", was to be "done""#), "\(run.errors)")
    #expect(try service.item("contested", 2)?["state"] as? String == "theirs")
    #expect(try service.item("contested", 3)?["state"] as? String == "done")
    #expect(try service.writes().allSatisfy { !$0.contains("/items/2") })
  }

  @Test("without another look it is overwritten, and the plan says so")
  func overwritten() async throws {
    let sync = "sync whole/items contested/items --key title state=done"
    let planned = try await service.run(sync + " --dry-run")
    let words = "changes made by others after the list was read are overwritten; --recheck reads each record first"
    #expect(planned.status == 0 && planned.errors.contains(words), "\(planned.errors)")
    let rechecked = try await service.run(sync + " --recheck --dry-run")
    #expect(!rechecked.errors.contains("are overwritten"), "\(rechecked.errors)")
    #expect(rechecked.errors.contains("each record is read again first"), "\(rechecked.errors)")
    try await service.run(sync).succeeded()
    #expect(try service.item("contested", 2)?["state"] as? String == "done")
  }

  @Test("a change by condition says in its plan what it does not protect against") func plan() async throws {
    let update = "update whole/items state=done --where 'rank < 3'"
    let planned = try await service.run(update + " --dry-run")
    #expect(planned.errors.contains("--recheck reads each record first"), "\(planned.errors)")
    let deleted = try await service.run("delete whole/items --where 'rank < 3' --dry-run")
    #expect(
      deleted.errors.contains("a record that changes after the list was read is deleted anyway"),
      "\(deleted.errors)")
    let rechecked = try await service.run(update + " --recheck --dry-run")
    #expect(!rechecked.errors.contains("--recheck reads"), "\(rechecked.errors)")
  }

  @Test("a change by condition is sent at the revision that was read for it", arguments: ["update", "delete"])
  func revision(verb: String) async throws {
    let change = verb == "update" ? "state=done" : ""
    let run = try await service.run("\(verb) late/items \(change) --where 'rank < 4' --recheck --yes --jobs 1")
    #expect(run.status == 5, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("changed since it was read"), "\(run.errors)")
    let method = verb == "update" ? "PATCH" : "DELETE"
    #expect(
      try service.writes() == [
        "\(method) /late/items/1 \"1\"", "\(method) /late/items/2 \"2\"", "\(method) /late/items/3 \"3\"",
      ])
    #expect(try service.item("late", 2)?["title"] as? String == "theirs")
  }

  @Test("--recheck of a transfer needs a key to find records by") func key() async throws {
    try await service.run("copy whole/items many/items --recheck").failed(2, saying: "--recheck requires --key FIELD")
    #expect(try service.writes() == [])
  }
}
