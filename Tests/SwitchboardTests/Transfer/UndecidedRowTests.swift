import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Rows that were sent and got no response: they are looked for once, all together, and nothing is claimed that is not so.
@Suite("Rows with an unknown outcome") struct UndecidedRowTests {
  private static let command = "import it rows.ndjson --settle 0"
  private static let off = #", "journal": "off""#

  private func lists(_ service: UndecidedService) throws -> Int {
    try service.requests().count { $0.hasPrefix("GET /items") }
  }

  /// Kills an import of 40 rows that are all stored; 30 of them got no response.
  private func killed(_ service: UndecidedService) async throws {
    _ = try service.rows(40)
    try service.set("hold", after: 10)
    try await service.kill(Self.command + " --jobs 30", after: 40)
    try service.set("answer")
    try service.emptyLog()
  }

  @Test("each that is there once is settled, with one list for all of them", arguments: ["", off])
  func there(journal: String) async throws {
    let service = try await UndecidedService(journal)
    try await killed(service)
    let run = try await service.run(Self.command).succeeded()
    #expect(run.errors.contains("30 written, 0 not written"), "\(run.errors)")
    // Nothing shows that none of them was there before.
    #expect(
      run.errors.contains("found only by values, which an older record may have, too: it/items/"), "\(run.errors)")
    #expect(try service.requests() == ["GET /items"])
    #expect(try service.titles().count == 40)
    try await service.run("journal check").succeeded(printing: "every write has a known outcome\n")
  }

  @Test("journal check reads the list once, and the import takes its verdicts") func check() async throws {
    let service = try await UndecidedService()
    try await killed(service)
    let check = try await service.run("journal check")
    #expect(check.status == 0, "\(check.output)")
    #expect(check.output.split(separator: "\n").count == 30)
    #expect(try lists(service) == 1)
    try service.emptyLog()
    try await service.run(Self.command).succeeded()
    #expect(try service.requests() == [])
    #expect(try service.titles().count == 40)
  }

  @Test("those that are not there are created", arguments: ["", off]) func absent(journal: String) async throws {
    let service = try await UndecidedService(journal)
    _ = try service.rows(40)
    try service.set("drop", after: 10)
    #expect(try await service.run(Self.command + " --jobs 8").status == 6)
    try service.set("answer")
    try service.emptyLog()
    let run = try await service.run(Self.command).succeeded()
    #expect(run.errors.contains("0 written, 30 not written"), "\(run.errors)")
    #expect(try lists(service) == 1)
    #expect(try Set(service.titles()).count == 40 && service.titles().count == 40)
  }

  /// Imports one row, which is stored or not, without a response.
  private func lost(_ row: String, _ way: String, _ service: UndecidedService) async throws {
    _ = try service.home.write(row + "\n", to: "rows.ndjson")
    try service.set(way)
    #expect(try await service.run(Self.command).status == 6)
    try service.set("answer")
    try service.emptyLog()
  }

  @Test("two records with the values of one row decide nothing, and --accept-undecided ends it") func accepted()
    async throws
  {
    let service = try await UndecidedService()
    let row = #"{"title":"same","rank":1}"#
    try await lost(row, "hangup", service)
    try service.add(row)
    let left = service.home.folder.path + "/left.ndjson"
    let run = try await service.run(Self.command + " --rejects \(left)")
    #expect(run.status == 6, "\(run.errors)")
    #expect(run.errors.contains("rows.ndjson:1: an earlier run may have created it: 2 records have"), "\(run.errors)")
    #expect(run.errors.contains("--accept-undecided"), "\(run.errors)")
    #expect(try String(contentsOfFile: left, encoding: .utf8) == row + "\n")
    let accepted = try await service.run(Self.command + " --accept-undecided").succeeded()
    #expect(accepted.errors.contains("1 undecided row counts as written"), "\(accepted.errors)")
    #expect(try service.titles() == ["same", "same"])
    #expect(try service.requests().allSatisfy { $0.hasPrefix("GET ") })
    #expect(try await service.run("journal check").output == "every write has a known outcome\n")
  }

  @Test("a row that turns out to be written leaves the file of --rejects") func rejected() async throws {
    let service = try await UndecidedService()
    let left = service.home.folder.path + "/left.ndjson"
    _ = try service.home.write(#"{"title":"row","rank":1}"# + "\n", to: "rows.ndjson")
    try service.set("hangup")
    #expect(try await service.run(Self.command + " --rejects \(left)").status == 6)
    #expect(try String(contentsOfFile: left, encoding: .utf8).contains(#""title":"row""#))
    try service.set("answer")
    try await service.run(Self.command + " --rejects \(left)").succeeded()
    #expect(try String(contentsOfFile: left, encoding: .utf8) == "")
  }

  @Test("equal rows are settled by as many records") func equalRows() async throws {
    let service = try await UndecidedService()
    let row = #"{"title":"same","rank":1}"#
    try await lost(row + "\n" + row, "hangup", service)
    try await service.run(Self.command).succeeded()
    #expect(try service.titles() == ["same", "same"])
  }

  @Test("a record that another command made is not taken for a row's", arguments: ["import", "journal check"])
  func made(by way: String) async throws {
    let service = try await UndecidedService()
    #expect(try await service.run("create it title=same rank=1").status == 0)
    try await lost(#"{"title":"same","rank":1}"#, "drop", service)
    if way == "journal check" {
      let check = try await service.run("journal check")
      #expect(!check.output.contains(": done: "), "\(check.output)")
    } else {
      try await service.run(Self.command).succeeded()
      #expect(try service.titles() == ["same", "same"])
    }
  }

  @Test("a row that another console settles meanwhile is not created again") func settledMeanwhile() async throws {
    let service = try await UndecidedService()
    try await lost(#"{"title":"row","rank":1}"#, "hangup", service)
    try service.set("late")
    let importing = try await service.start(Self.command, until: "GET /items")
    let check = try await service.run("journal check")
    #expect(check.status == 0 && check.output.contains("done: one record has"), "\(check.output)")
    try service.set("answer")
    let ending = try await importing.end()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try service.titles() == ["row"])
  }

  @Test("a record that another console is creating meanwhile decides nothing") func sentMeanwhile() async throws {
    let service = try await UndecidedService()
    try await lost(#"{"title":"row","rank":1}"#, "drop", service)
    try service.set("late")
    let checking = try await service.start("journal check", until: "GET /items")
    try service.set("hold")
    let creating = try await service.start("create it title=row rank=1", until: "POST /items")
    try service.set("answer")
    let ending = try await checking.end()
    #expect(ending.status == 6, "\(ending.errors)")
    #expect(ending.output.contains("another console is sending the same values"), "\(ending.output)")
    _ = try await creating.end(by: SIGKILL)
  }

  @Test("a list that was asked for too soon after a creation does not show that it was not done") func readTooSoon()
    async throws
  {
    let service = try await UndecidedService()
    let settling = 5.0
    // Again on a machine so slow that the list is asked for too late to prove anything.
    for _ in 0..<20 {
      try service.set("drop")
      let begin = Date()
      #expect(try await service.run("create it title=row rank=1").status == 6)
      let end = Date()
      try service.emptyLog()
      try service.set("late")
      let checking = try await service.start("journal check", until: "GET /items")
      let isSoon = begin.timeIntervalSinceNow > -settling
      while isSoon, end.timeIntervalSinceNow > -settling - 0.1 { try await Task.sleep(for: .milliseconds(10)) }
      try service.set("answer")
      let ending = try await checking.end()
      guard isSoon else { continue }
      #expect(ending.status == 6, "\(ending.errors)")
      #expect(ending.output.contains("the request may still arrive"), "\(ending.output)")
      return
    }
    Issue.record("the machine is too slow to ask within \(settling) s")
  }

  @Test(
    "a record that may be the row, as the service stores it, keeps the row from being created again",
    arguments: [
      #"{"name":"Upper"}"#, #"{"title":"x","hint":"not kept"}"#, #"{"title":"x","rank":3,"name":"Upper"}"#,
      #"{"title":"x","rank":1.25}"#, #"{"title":"x","name":"salt & pepper"}"#,
      #"{"title":"x","name":"a name that has more than the forty characters of the service"}"#,
    ])
  func similar(row: String) async throws {
    let service = try await UndecidedService()
    try await lost(row, "hangup", service)
    try await service.run(Self.command).failed(6, saying: "records with similar values exist: 1")
    #expect(try service.titles().count == 1)
  }

  @Test("a value that only some records show is not one that the service leaves out") func shown() async throws {
    let service = try await UndecidedService()
    try service.add(#"{"rank":1}"#)
    try service.add(#"{"title":"another","rank":1}"#)
    try await lost(#"{"title":"row","rank":1}"#, "drop", service)
    try await service.run(Self.command).succeeded()
    #expect(try service.titles() == ["", "another", "row"])
  }

  @Test("a record that two rows may have made settles neither") func shared() async throws {
    let service = try await UndecidedService()
    try await lost(#"{"title":"x"}"# + "\n" + #"{"title":"x","rank":1}"#, "drop", service)
    try service.add(#"{"title":"x","rank":1}"#)
    try await service.run(Self.command).failed(6, saying: "may come from this create or from another")
    #expect(try service.titles() == ["x"])
  }

  @Test("absence from a list whose end is not proved settles nothing, unless --trust-end accepts it") func end()
    async throws
  {
    let service = try await UndecidedService(#", "override": {"page": {"style": "untested"}}"#)
    for number in 0..<7 { try service.add(#"{"title":"item \#(number)"}"#) }
    try await lost(#"{"title":"row","rank":1}"#, "drop", service)
    try await service.run(Self.command).failed(6, saying: "the end of the list is not verified")
    #expect(try service.titles().count == 7)
    try await service.run(Self.command + " --trust-end").succeeded()
    #expect(try service.titles().count == 8)
  }
}
