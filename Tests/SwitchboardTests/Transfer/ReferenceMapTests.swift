import ConsoleSupport
import Foundation
import Testing

/// References on their way to a service where the same identifiers name other records.
@Suite("References to records of another service") struct ReferenceMapTests {
  let service: SpellingService

  init() async throws {
    service = try await SpellingService()
    // The same people have other identifiers there, and theirs belong to others.
    try service.put(
      "own2/users",
      #"[{"id": 1, "email": "x@x"}, {"id": 2, "email": "y@x"}, {"id": 7, "email": "bo@x"}, {"id": 9, "email": "ana@x"}]"#
    )
  }

  private static let several = "own own2 --resources users,items --key users=email,items=code"

  @Test(
    "without a word on what they mean there nothing is sent",
    arguments: ["copy own/items own2/items", "sync own/items own2/items --key code"])
  func unclear(command: String) async throws {
    let run = try await service.run(command).failed(2, saying: "owner (users) of own2/items")
    let ways = ["--map-ref owner=KEY", "--map-ref owner= ", "--resources users,items --key users=KEY,items=KEY"]
    #expect(ways.allSatisfy(run.errors.contains), "\(run.errors)")
    #expect(try service.writes().isEmpty)
  }

  @Test("they are found by a key of the records that they name") func looked() async throws {
    let sync = "sync own/items own2/items --key code --map-ref owner=email"
    let run = try await service.run(sync, sync, "diff own/items own2/items --key code --map-ref owner=email")
    #expect(
      run.status == 0 && run.output == "2 created\nown2/items: 2 unchanged\nno differences\n",
      "\(run.output) \(run.errors)")
    #expect(try service.values("owner", of: "own2/items") == ["7", "9"])
    try service.put("own/items", #"[{"id": 1, "code": " A1 ", "title": "t", "note": "n", "owner": 1}]"#)
    #expect(try await service.run(sync).output.contains("1 updated"))
    #expect(try service.values("owner", of: "own2/items") == ["9", "9"])
  }

  @Test("one that has no counterpart stops the run before the first write") func without() async throws {
    try service.put("own2/users", #"[{"id": 1, "email": "x@x"}, {"id": 7, "email": "bo@x"}]"#)
    let run = try await service.run("copy own/items own2/items --map-ref owner=email")
    #expect(
      run.status == 1 && run.errors.contains("own/items/2: owner: own2/users has no record ana@x"), "\(run.errors)")
    #expect(try service.writes().isEmpty)
  }

  @Test("a key that names two records there is refused, if something refers to one of them") func ambiguous()
    async throws
  {
    try service.put(
      "own2/users", #"[{"id": 1, "email": "ana@x"}, {"id": 7, "email": "bo@x"}, {"id": 8, "email": "bo@x"}]"#)
    let run = try await service.run("copy own/items own2/items --map-ref owner=email")
    #expect(
      run.status == 1
        && run.errors.contains("own/items/1: owner: own2/users/7 and own2/users/8 have the same key, bo@x"),
      "\(run.errors)")
    #expect(try service.writes().isEmpty)
    let other = try await service.run("copy own/items own2/items --map-ref owner=email --where owner=1")
    #expect(other.status == 0 && other.output == "1 created\n", "\(other.output) \(other.errors)")
    #expect(try service.values("owner", of: "own2/items") == ["1"])
  }

  @Test("a key of the source that names two records is refused, if something refers to one of them")
  func ambiguousHere() async throws {
    try service.put(
      "own/users", #"[{"id": 1, "email": "ana@x"}, {"id": 2, "email": "bo@x"}, {"id": 3, "email": "bo@x"}]"#)
    let run = try await service.run("copy own/items own2/items --map-ref owner=email")
    #expect(run.status == 1 && run.errors.contains("own/users/2 and own/users/3 have the same key"), "\(run.errors)")
    let other = try await service.run("copy own/items own2/items --map-ref owner=email --where owner=1")
    #expect(other.status == 0 && other.output == "1 created\n", "\(other.output) \(other.errors)")
  }

  @Test("keys that were stored otherwise are found, too") func spelled() async throws {
    try service.put("own/users", #"[{"id": 1, "email": "Ana@X"}, {"id": 2, "email": "Bo@X"}]"#)
    try service.put("lower/users", #"[{"id": 5, "email": "x@x"}]"#)
    try await service.run(
      "sync own/users lower/users --key email", "copy own/items lower/items --map-ref owner=email"
    ).succeeded()
    #expect(try service.values("owner", of: "lower/items") == ["7", "6"])
  }

  @Test("a field of which the source's description says nothing counts if a record has it") func undescribed()
    async throws
  {
    let run = try await service.run("copy bare/items own2/items")
    #expect(
      run.status == 1 && run.errors.contains("bare/items/1: owner (users) of own2/items refers to"), "\(run.errors)")
    // The source is not known to have people that could be looked up.
    #expect(run.errors.contains("--map-ref owner= ") && !run.errors.contains("owner=KEY"), "\(run.errors)")
    #expect(!run.errors.contains("--resources"), "\(run.errors)")
    #expect(try service.writes().isEmpty)
    try service.put("own/items", #"[{"id": 1, "code": "a", "owner": null}, {"id": 2, "code": "b"}]"#)
    try await service.run("copy bare/items own2/items").succeeded(printing: "2 created\n")
  }

  @Test("a comparison takes the values as they are, and notes it", arguments: ["own", "bare"])
  func compared(source: String) async throws {
    try service.put("own2/items", #"[{"id": 4, "code": "Cafe\u0301", "title": "t2", "note": "n2", "owner": 2}]"#)
    let run = try await service.run("diff \(source)/items own2/items --key code --where id=2 -o ndjson")
    #expect(run.status == 0 && run.output.contains(#""field":"owner","\#(source)/items":1"#), "\(run.output)")
    #expect(run.errors.contains("the values are compared as they are"), "\(run.errors)")
  }

  @Test("references in a list are stored as the source has them") func list() async throws {
    try service.put("own/teams", #"[{"id": 1, "name": "a", "members": [2, 1]}]"#)
    try await service.run("copy own/teams own2/teams --map-ref members=email").succeeded()
    #expect(try service.values("members", of: "own2/teams") == ["[7, 9]"])
  }

  @Test("two logins of one service have the same records") func logins() async throws {
    try await service.run("copy ann/items bob/archive").succeeded()
    #expect(try service.values("owner", of: "own/archive") == ["2", "1"])
  }

  @Test("an empty mapping sends the values as they are; a wrong one is a mistake") func raw() async throws {
    try await service.run("copy own/items own2/items --map-ref owner=").succeeded()
    #expect(try service.values("owner", of: "own2/items") == ["2", "1"])
    for (option, says) in [("title=email", "no written field \"title\""), ("owner=mail", "unknown field \"mail\"")] {
      let wrong = try await service.run("copy own/items exact/items --map-ref owner= --map-ref \(option)")
      let other = try await service.run("copy own/items exact/items --map-ref \(option)")
      #expect(wrong.status == 2 && other.status == 2, "\(wrong.errors) \(other.errors)")
      if option.hasPrefix("title") {
        #expect(wrong.errors.contains(says), "\(wrong.errors)")
      } else {
        #expect(other.errors.contains(says), "\(other.errors)")
      }
    }
    #expect(try service.writes().count == 2)
  }

  @Test("within one service they stay, and a value that the command sets is sent") func kept() async throws {
    try await service.run("copy own/items own/archive", "copy own/items own2/items owner:=7").succeeded()
    #expect(try service.values("owner", of: "own/archive") == ["2", "1"])
    #expect(try service.values("owner", of: "own2/items") == ["7", "7"])
  }

  @Test("several resources keep their references, and the next run has nothing to do", arguments: ["copy", "sync"])
  func several(verb: String) async throws {
    try service.put("own2/users", #"[{"id": 4, "email": "x@x"}, {"id": 5, "email": "bo@x", "name": "Bo"}]"#)
    let dry = try await service.run("\(verb) \(Self.several) --dry-run")
    #expect(dry.status == 0 && dry.output.split(separator: "\n").count == 3, "\(dry.output) \(dry.errors)")
    #expect(try service.writes().isEmpty)
    let run = try await service.run("\(verb) \(Self.several)")
    #expect(run.status == 0 && run.output.hasPrefix("1 created\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("2 created\n"), "\(run.output)")
    #expect(try service.values("email", of: "own2/users") == ["x@x", "bo@x", "ana@x"])
    #expect(try service.values("owner", of: "own2/items") == ["5", "6"])
    let writes = try service.writes()
    let again = try await service.run("\(verb) \(Self.several)")
    #expect(
      again.status == 0 && again.output == "own2/users: 2 unchanged\nown2/items: 2 unchanged\n",
      "\(again.output) \(again.errors)")
    #expect(try service.writes() == writes)
  }

  @Test("several resources are undone whole: what refers to a record is deleted before it") func undone() async throws {
    try service.put("own2/users", #"[{"id": 4, "email": "x@x"}]"#)
    try await service.run("sync \(Self.several)", "undo --yes").succeeded()
    #expect(
      try service.writes().suffix(4) == [
        "DELETE /own2/items/2", "DELETE /own2/items/1", "DELETE /own2/users/6", "DELETE /own2/users/5",
      ])
    #expect(try service.values("email", of: "own2/users") == ["x@x"])
  }

  @Test(
    "several resources are checked before the first write",
    arguments: [
      ("sync own own2 --resources items,users --key users=email,items=code", "--resources users,items"),
      ("sync own own2 --resources users,items --key users=email", "--key items=FIELD"),
      ("sync own own2 --resources users,items --key users=email,items=cod", "unknown field \"cod\""),
      ("copy own own2 --resources users,nothing --key users=email", "nothing"),
      ("copy own own2 --resources items --key items=code", "--map-ref owner=KEY"),
      ("copy own own2 --resources users,items --key users=email,items=code --map-ref titel=email", "\"titel\""),
    ])
  func checked(command: String, says: String) async throws {
    try service.put("own2/users", "[]")
    try await service.run(command).failed(saying: says)
    #expect(try service.writes().isEmpty)
  }

  @Test("a mistake in the last of several resources is found before the first is written") func late() async throws {
    try service.put("own2/users", "[]")
    try service.put("own/items", #"[{"id": 1, "code": "a", "owner": 2}, {"id": 2, "code": "b", "owner": 99}]"#)
    try await service.run("sync \(Self.several)").failed(1, saying: "own/items/2: owner:")
    #expect(try service.writes().isEmpty)
  }

  @Test("where one of several resources cannot be written, the ones after it are named") func untried() async throws {
    try service.put("full/users", #"[{"id": 1, "email": "x@x"}, {"id": 2, "email": "y@x"}]"#)
    let run = try await service.run("copy own full --resources users,items --key users=email,items=code")
    #expect(run.status == 1 && run.errors.contains("nothing was sent to full/items\n"), "\(run.errors)")
    #expect(try service.writes().allSatisfy { $0.hasSuffix("/users") })
  }

  @Test("a condition selects records, and references to the others are found all the same") func condition()
    async throws
  {
    try await service.run("sync \(Self.several) --where \"id > 1\"").succeeded()
    // The item of bo is not selected; the one of ana is, and ana is not.
    #expect(try service.values("owner", of: "own2/items") == ["9"])
  }

  @Test(
    "a reference to a record that is not selected and not there stops the run before the first write",
    arguments: ["", " --dry-run"])
  func unselected(option: String) async throws {
    try service.put("own2/users", "[]")
    let run = try await service.run("copy \(Self.several) --where \"id > 1\"" + option)
    #expect(
      run.status == 1 && run.errors.contains("own/items/2: owner: own/users/1 is not selected, and own2/users has no"),
      "\(run.output) \(run.errors)")
    #expect(try service.writes().isEmpty)
  }

  @Test("with a condition, keys that were stored otherwise are found, too") func spelledCondition() async throws {
    try service.put("own/users", #"[{"id": 1, "email": "Ana@X"}, {"id": 2, "email": "Bo@X"}]"#)
    let command = Self.several.replacingOccurrences(of: "own2", with: "lower")
    try await service.run("sync \(command)").succeeded()
    let writes = try service.writes()
    for condition in ["id > 0", "id > 1"] {
      let again = try await service.run("sync \(command) --where \"\(condition)\"")
      let count = condition == "id > 0" ? 2 : 1
      #expect(
        again.status == 0 && again.output == "lower/users: \(count) unchanged\nlower/items: \(count) unchanged\n",
        "\(again.output) \(again.errors)")
    }
    #expect(try service.writes() == writes)
  }

  @Test("deletions come last, and those that refer to others go first") func deletions() async throws {
    try service.put("own2/items", #"[{"id": 1, "code": "old", "owner": 1}]"#)
    try await service.run("sync \(Self.several) --delete --max-delete 100% --yes").succeeded()
    let writes = try service.writes()
    #expect(writes.suffix(3) == ["DELETE /own2/items/1", "DELETE /own2/users/1", "DELETE /own2/users/2"], "\(writes)")
    #expect(try service.values("owner", of: "own2/items") == ["7", "9"])
  }

  @Test("several resources are planned, as long as nothing refers to a record that the plan creates") func planned()
    async throws
  {
    let plan = service.home.folder.path + "/several.plan"
    try await service.run("plan --to \(plan) sync \(Self.several)").succeeded()
    #expect(try service.writes().isEmpty)
    try await service.run("apply \(plan) --yes").succeeded()
    #expect(try service.values("owner", of: "own2/items") == ["7", "9"])
    try service.put("own2/users", "[]")
    try service.put("own2/items", "[]")
    let refused = try await service.run("plan --to \(plan).2 sync \(Self.several)")
    #expect(refused.status == 1 && refused.errors.contains("owner refers to a record that the plan would create"))
    #expect(!FileManager.default.fileExists(atPath: plan + ".2"))
  }
}
