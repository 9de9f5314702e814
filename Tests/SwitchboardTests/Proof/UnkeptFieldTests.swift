import ConsoleSupport
import Foundation
import Testing

/// Changes that a service takes and does not store, all of them or some of their fields.
@Suite("Fields that are not kept") struct UnkeptFieldTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  @Test("a change of which nothing was kept is not called an update") func nothing() async throws {
    let run = try await service.run("update deaf/items title=new --where 'id = 1' --yes")
    #expect(
      run.status == 0 && run.output.hasPrefix("not stored: update items/1: title\n"), "\(run.output)\(run.errors)")
    #expect(run.errors.contains("the server left title as it was"), "\(run.errors)")
    let entry = try await service.run("journal --all -o json")
    #expect(entry.output.contains(#""code": "notKept""#), "\(entry.output)")
    try await service.run("undo --all-runs --yes").failed(1, saying: "the server did not store it")
  }

  @Test("with nothing known of the record before, neither is claimed") func unclear() async throws {
    let run = try await service.run("update deaf/items 1 title=new")
    #expect((run.status, run.output) == (0, "accepted: update items/1: title (not stored as sent)\n"), "\(run.errors)")
    let entry = try await service.run("journal --all -o json")
    #expect(entry.output.contains(#""outcome": "done""#) && entry.output.contains(#""code": "notKept""#))
    let half = try await service.run("update half/items 1 title=new state=done")
    #expect((half.status, half.output) == (0, "updated items/1: state; not as sent: title\n"), "\(half.errors)")
    #expect(try await service.run("journal show 2 -o json").output.contains(#""code": "partlyKept""#))
    try await service.run("undo --entry 1 --yes").failed(1, saying: "the server did not store it")
  }

  @Test("an update that is stored in part names each field, and counts as updated") func some() async throws {
    let run = try await service.run("update half/items title=new state=done --where 'id < 3' --yes")
    #expect(run.status == 0 && run.output.hasPrefix("updated items/1: state; not stored: title\n"), "\(run.errors)")
    #expect(run.output.hasSuffix("2 updated (2 of them not stored as sent)\n"), "\(run.output)")
    #expect(try service.item("half", 1)?["state"] as? String == "done")
    let entry = try await service.run("journal --all -o json")
    #expect(entry.output.contains(#""code": "partlyKept""#), "\(entry.output)")
  }

  @Test("a response that shows only the identifier is no proof that a field was left out: the record is read")
  func lean() async throws {
    let created = try await service.run("create lean/items title=new state=done", ["--strict"])
    #expect(created.status == 0 && !created.errors.contains("keep"), "\(created.output) \(created.errors)")
    let updated = try await service.run("update lean/items 6 title=newer", ["--strict"])
    #expect((updated.status, updated.output) == (0, "updated items/6: title\n"), "\(updated.errors)")
    let dropped = try await service.run("create leaner/items title=new state=done")
    #expect(dropped.errors.contains("the server did not store title"), "\(dropped.output) \(dropped.errors)")
    #expect(!dropped.errors.contains("state"), "\(dropped.errors)")
  }

  @Test("a field that no read shows is not called kept, and not called left out") func hidden() async throws {
    let run = try await service.run("update mute/items 1 state=done")
    #expect(
      (run.status, run.output) == (0, "accepted: update items/1: state (not shown by the server)\n"), "\(run.errors)")
    #expect(run.errors.contains("it may not have been stored"), "\(run.errors)")
    let both = try await service.run("update mute/items 1 state=done title=new", ["--strict"])
    #expect((both.status, both.output) == (0, "updated items/1: title\n"), "\(both.errors)")
  }

  @Test("a value that is stored as one of another kind is not called left as it was") func coerced() async throws {
    let run = try await service.run("update coerce/items 1 state=done").succeeded(printing: "updated items/1: state\n")
    #expect(run.errors.contains("the server did not store state as sent"), "\(run.errors)")
  }

  @Test("with --strict both are failures, and say that the data may have been changed", arguments: ["deaf", "half"])
  func strict(mode: String) async throws {
    let run = try await service.run("update \(mode)/items 1 title=new state=done", ["--strict", "--errors", "json"])
    #expect((run.status, run.output) == (1, ""))
    let line = try #require(run.errors.split(separator: "\n").last)
    let error: [String: Any] = try line.json()
    #expect(error["code"] as? String == "strict")
    #expect(error["effect"] as? String == (mode == "deaf" ? "unknown" : "applied"))
    #expect((error["message"] as? String)?.contains("title") == true, "\(run.errors)")
  }

  @Test("many are counted apart, and are the input of another run") func bulk() async throws {
    let run = try await service.run("update deaf/items title=new --where 'rank < 3' --yes --rejects left.txt")
      .succeeded()
    #expect(run.output.hasSuffix("0 updated, 2 accepted but not stored\n"), "\(run.output)")
    let left = try String(contentsOf: service.home.folder.appending(path: "left.txt"), encoding: .utf8)
    #expect(left == "1\n2\n")
  }

  @Test("a bulk update of unread records counts those not kept separately") func bulkUnclear() async throws {
    _ = try service.home.write("1\n2\n", to: "ids.txt")
    let run = try await service.run("update deaf/items --from ids.txt title=new --yes").succeeded()
    #expect(run.output.hasSuffix("0 updated, 2 accepted but not stored as sent\n"), "\(run.output)")
    let entries = try await service.run("journal --all code=notKept -o id")
    #expect(entries.output.split(separator: "\n").count == 2, "\(entries.output) \(entries.errors)")
  }

  @Test("a write of a plan that was not kept is not called done, and is sent again by the next apply") func apply()
    async throws
  {
    for turn in 1...2 {
      let plan = turn == 1 ? "plan --to a.plan update deaf/items 1 title=new\n" : ""
      let run = try await service.run(plan + "apply a.plan --yes").succeeded()
      #expect(run.output.contains("not stored: update items/1: title\n"), "\(run.output)")
    }
    #expect(try service.writes().count == 2)
  }

  @Test("sync counts them apart, and tries them again the next time") func sync() async throws {
    for _ in 1...2 {
      let run = try await service.run("sync whole/items deaf/items --key rank title=new").succeeded()
      #expect(run.output.contains("5 accepted but not stored"), "\(run.output)")
    }
    #expect(try service.writes().count == 10)
  }
}
