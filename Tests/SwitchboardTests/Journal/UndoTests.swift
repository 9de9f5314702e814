import AdapterSupport
import BackendKit
import ConsoleSupport
import Foundation
import Synchronization
import TerminalSupport
import TestSupport
import Testing

/// Writes that are taken back.
@Suite("Undo") struct UndoTests {
  static let backends = ["todo/todos", "json/todos"]
  private static let full = "\"journal\": \"full\""

  private let console: JournalConsole

  init() async throws { console = try await JournalConsole(backend: Self.full) }

  @Test("an update is undone by an update, and its entry names the one it undoes", arguments: backends)
  func update(_ target: String) async throws {
    let before = try await console.record("\(target) 1")
    let run = try await console.run("update \(target) 1 title=new completed=true\nundo --yes\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("undid 1: updated todos/1"), "\(run.output)")
    let after = try await console.record("\(target) 1")
    #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
    let entries = try await console.entries()
    #expect(entries[0]["undoes"] as? Int == 1)
    let again = try await console.run("undo --yes\nundo --entry 1 --yes\n", ["--on-error", "continue"])
    #expect(again.status == 1)
    #expect(again.errors.contains("the journal has no write to undo"), "\(again.errors)")
    #expect(again.errors.contains("it has already been undone"), "\(again.errors)")
    let absent = try await console.run("undo --entry 999999 --yes\n")
    #expect(absent.status == 1 && absent.errors.contains("the journal has no entry 999999"), "\(absent.errors)")
  }

  @Test("what may have been undone is not passed over: nothing older is taken back in its place", arguments: backends)
  func doubt(_ target: String) async throws {
    let made = try await console.run("create \(target) title=old\nupdate \(target) 1 title=new\nundo --yes\n")
    #expect(made.status == 0, "\(made.errors)")
    try console.sql("UPDATE entry SET outcome = 'unknown' WHERE undoes IS NOT NULL")
    let run = try await console.run("undo --all-runs --yes\n")
    #expect((run.status, run.output) == (1, ""), "\(run.errors)")
    #expect(run.errors.contains("entry 3 may have undone it; to find out, run journal check 3"), "\(run.errors)")
    #expect(try await console.entries().count == 3)
    let settled = try await console.run("journal check\nundo --all-runs --yes\n")
    #expect(settled.status == 0, "\(settled.errors)")
    #expect(settled.output.contains("undid 1: deleted"), "\(settled.output)")
  }

  @Test("a creation is undone by a deletion", arguments: backends) func creation(_ target: String) async throws {
    let console = try await JournalConsole()
    let run = try await console.run("create \(target) title=new\n")
    #expect(run.status == 0, "\(run.errors)")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    let undone = try await console.run("undo --all-runs --yes -o json\n")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try await console.run("get \(target) \(id)\n").status == 1)
  }

  @Test("a deletion is undone by a creation that says the new identifier", arguments: backends)
  func deletion(_ target: String) async throws {
    let before = try await console.record("\(target) 1")
    let run = try await console.run("delete \(target) 1\nundo --yes\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("undid 1"), "\(run.output)")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    var after = try await console.record("\(target) \(id)")
    for name in ["id", "url"] { after[name] = before[name] }
    #expect(NSDictionary(dictionary: after) == NSDictionary(dictionary: before))
  }

  @Test("several writes of one record are undone one after the other, the newest first", arguments: backends)
  func several(_ target: String) async throws {
    let before = try await console.record("\(target) 1")
    let run = try await console.run(
      "update \(target) 1 title=one\nupdate \(target) 1 title=two\ndelete \(target) 1\nundo --writes 3 --yes\n")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    #expect(try await console.record("\(target) \(id)")["title"] as? String == before["title"] as? String)
  }

  @Test("what somebody has changed since is left alone", arguments: backends)
  func changed(_ target: String) async throws {
    _ = try await console.run("update \(target) 1 title=mine completed=!\n")
    try await console.runElsewhere("update \(target) 1 title=theirs\n")
    let run = try await console.run("undo --all-runs --yes\n")
    #expect(run.status == 5, "\(run.errors)")
    #expect(run.errors.contains("title: changed since: \"mine\" -> \"theirs\""), "\(run.errors)")
    let after = try await console.record("\(target) 1")
    #expect(after["title"] as? String == "theirs")
    _ = try await console.run("create \(target) title=own\n")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    try await console.runElsewhere("update \(target) \(id) title=theirs\n")
    let refused = try await console.run("undo --all-runs --yes\n")
    #expect(refused.status == 1 && refused.errors.contains("the record has changed since"), "\(refused.errors)")
    #expect(try await console.record("\(target) \(id)")["title"] as? String == "theirs")
  }

  @Test("without full, what a condition chose is known, since it was read for that", arguments: backends)
  func selected(_ target: String) async throws {
    let console = try await JournalConsole()
    let before = try await console.record("\(target) 2")
    let run = try await console.run("update \(target) title=new completed=! --where 'id = 2' --yes\nundo --yes\n")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(NSDictionary(dictionary: try await console.record("\(target) 2")) == NSDictionary(dictionary: before))
    let deleted = try await console.run("delete \(target) --where 'id = 2' --yes\nundo --yes\n")
    #expect(deleted.status == 0, "\(deleted.output) \(deleted.errors)")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    #expect(try await console.record("\(target) \(id)")["title"] as? String == before["title"] as? String)
  }

  @Test("undo of many updates, deletions and imported rows restores every writable field", arguments: backends)
  func many(_ target: String) async throws {
    let rows = try console.home.write("title\none\ntwo\n", to: "rows.csv")
    let list = "list \(target) --all --sort title -o ndjson"
    func records() async throws -> [NSDictionary] {
      let run = try await console.run(list + "\n")
      #expect(run.status == 0, "\(run.errors)")
      return try run.output.split(separator: "\n").map { line in
        var record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        // The server's own: a deleted record comes back under another one.
        for name in ["id", "url"] { record[name] = nil }
        return NSDictionary(dictionary: record)
      }
    }
    let before = try await records()
    #expect(before.count == 5)
    for (work, count) in [
      ("update \(target) title=new completed=! --where 'title is not null' --yes", 5),
      ("delete \(target) --where 'title is not null' --yes", 5), ("import \(target) \(rows)", 2),
    ] {
      let done = try await console.run(work + "\n")
      #expect(done.status == 0, "\(done.errors)")
      #expect(try await records() != before)
      let dry = try await console.run("undo --all-runs --writes \(count) --dry-run\n")
      #expect(dry.status == 0 && dry.errors.contains("dry run: nothing was sent"), "\(dry.errors)")
      #expect(try await records() != before)
      let undone = try await console.run("undo --all-runs --writes \(count) --jobs 3 --quiet --yes\n")
      #expect(undone.status == 0, "\(work): \(undone.output) \(undone.errors)")
      #expect(!undone.errors.contains("\(count) requests at"), "the plan is shown: \(undone.errors)")
      let requests = dry.output.split(separator: "\n").filter { line in
        ["POST /", "PATCH /", "PUT /", "DELETE /"].contains { line.hasPrefix($0) }
      }
      #expect(requests.count == count, "\(dry.output)")
      #expect(try await records() == before, "\(work)")
    }
  }

  @Test("without full, what was not read is listed as not known, and nothing is sent") func unknown() async throws {
    let console = try await JournalConsole()
    _ = try await console.run("update json/todos 3 title=new\n")
    let run = try await console.run("undo --all-runs --yes\n")
    #expect(run.status == 1)
    #expect(run.errors.contains("title: not restored: its previous value was not recorded"), "\(run.errors)")
    #expect(try await console.entries().count == 1)
    _ = try await console.run("delete json/todos 4\n")
    let deleted = try await console.run("undo --all-runs --yes\n")
    #expect(deleted.status == 1 && deleted.errors.contains("was not read before it was deleted"), "\(deleted.errors)")
    let several = try await console.run("update todo/todos 1 2 3 title=new order=9\nundo --writes 3 --yes\n")
    #expect(several.status == 1)
    for field in ["title", "order"] {
      #expect(several.errors.components(separatedBy: "\(field): not restored").count == 4, "\(several.errors)")
    }
  }

  @Test("what a record had in the revision that a write insisted on is known without full")
  func revision() async throws {
    let desk = try DeskConsole()
    let before = desk.fields()["subject"]
    let run = try await desk.run("get 1 -o id\nupdate 1 subject=new\nundo --yes\n")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(desk.fields()["subject"] == before)
  }

  @Test("a record that others refer to is not deleted") func referred() async throws {
    let console = try await JournalConsole()
    _ = try await console.run("create json/posts title=a body=b userId=1\n")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    try await console.runElsewhere("create json/comments postId=\(id) body=x\n")
    let run = try await console.run("undo --all-runs --yes\n")
    #expect(run.status == 1 && run.errors.contains("1 record of comments refers to it"), "\(run.output) \(run.errors)")
  }

  @Test("a creation that the service stores in its own way is undone if a value shows that it is the record")
  func altered() async throws {
    let service = try await SpellingService()
    let run = try await service.run("create lower/items code=ABC title=new", "undo --yes")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try service.writes().last == "DELETE /lower/items/1")
    let made = try await service.run("create lower/items code=ABC", "undo --yes")
    #expect(made.status == 1 && made.errors.contains("does not show what was sent for it: code"), "\(made.errors)")
    #expect(try service.writes().last == "POST /lower/items")
  }

  @Test("a column that the service ignores is named once, and keeps no record of an import from being undone")
  func ignored() async throws {
    let service = try await ProofService()
    _ = try service.home.write("title,extra\nfirst,x\nsecond,y\n", to: "rows.csv")
    let made = try await service.run("import known/items rows.csv").succeeded(printing: "2 created\n")
    #expect(made.errors.components(separatedBy: "does not show extra").count == 2, "\(made.errors)")
    #expect(!made.errors.contains("does not store extra"), "\(made.errors)")
    let undone = try await service.run("undo --all-runs --yes").succeeded()
    #expect(undone.errors.components(separatedBy: "does not show extra").count == 2, "\(undone.errors)")
    #expect(try service.item("known", 6) == nil && service.item("known", 7) == nil)
    try await service.run("create known/items extra=x --new-fields\nundo --yes")
      .failed(1, saying: "does not show what was sent for it: extra")
    #expect(try service.item("known", 6) != nil)
  }

  @Test("a field that the description lacks is put back with the record that had it", arguments: ["on", "off"])
  func undescribed(strict: String) async throws {
    let service = try await SpellingService()
    try service.put("own2/items", #"[{"id": 1, "code": "a", "extra": "kept"}]"#)
    let run = try await service.run("set journal full", "set strict \(strict)", "delete own2/items 1", "undo --yes")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try service.values("extra", of: "own2/items") == ["kept"])
  }

  @Test("a field that was null is cleared as the description says, by no null that the service refuses")
  func wasNull() async throws {
    final class State: Sendable { let note = Mutex("null") }
    let state = State()
    let server = try SocketServer { request in
      let body = request.split(whereSeparator: \.isNewline).last ?? ""
      if request.hasPrefix("PATCH "), body.contains("null") { return SocketServer.json(400, "{}") }
      let note = state.note.withLock { note in
        if request.hasPrefix("PATCH ") { note = body.contains(#""""#) ? "null" : #""sent""# }
        return note
      }
      return SocketServer.json(200, #"{"id": 1, "note": \#(note)}"#)
    }
    let home = try ConsoleRun.Home(
      [DescribedBackend("own", server.address, by: "things", more: #", "resource": "things""#)],
      default: "own",
      describing: [
        "things": """
        page: {style: none}
        identifier: {type: integer}
        update: {method: PATCH, clear: emptyText}
        resources:
          things:
            fields: {id: {type: integer, readOnly: true}, note: text}
        """
      ])
    try await home.run(commands: "set journal full", "update 1 note=sent", "undo --yes").succeeded()
    #expect(state.note.withLock(\.self) == "null", "\(server.texts)")
  }

  @Test("another service or another user under the same name is refused") func elsewhere() async throws {
    _ = try await console.run("update json/todos 3 title=new\n")
    let text = try String(contentsOfFile: console.config, encoding: .utf8)
    let other = try console.home.write(
      text.replacingOccurrences(of: "/jsonplaceholder\"", with: "/jsonplaceholder/x\""), to: "other.json")
    let run = try await ConsoleRun.run(["--config", other], input: "undo --all-runs --yes\n", in: console.home)
    #expect(run.status == 1 && run.errors.contains("it was sent to "), "\(run.output) \(run.errors)")
  }

  @Test("in production the number of writes is the answer") func production() async throws {
    let console = try await JournalConsole(backend: "\"label\": \"production\", \"journal\": \"full\"")
    _ = try await console.run("update json/todos 3 title=new --yes\nupdate json/todos 4 title=new --yes\n")
    let bare = try await console.run("undo --all-runs --writes 2 --yes\n")
    #expect(bare.status == 1 && bare.errors.contains("of json (production) needs --yes=2"), "\(bare.errors)")
    #expect(try await console.run("undo --all-runs --writes 2 --yes=1\n").errors.contains("--yes=1 does not match"))
    #expect(try await console.run("undo --all-runs --writes 2 --yes=2\n").status == 0)
  }

  @Test("a deletion that another console takes back after the plan is not taken back twice") func twice() async throws {
    let console = try await JournalConsole(backend: Self.full, asProgram: true)
    let before = try await console.run("count json/todos\ndelete json/todos 3 --yes\n")
    #expect(before.status == 0, "\(before.errors)")
    let terminal = try console.terminal()
    try terminal.terminal.enter("undo --all-runs")
    try terminal.terminal.expect("Undo 1 write of json at http")
    let other = try await console.run("undo --all-runs --yes\n")
    #expect(other.status == 0, "\(other.errors)")
    try terminal.terminal.enter("y")
    try terminal.terminal.expect("entry 2 has undone it, or may have")
    let after = try await console.run("count json/todos\n")
    #expect(!after.output.isEmpty && before.output.hasPrefix(after.output), "\(after.output)")
    #expect(try await console.entries().first?["outcome"] as? String == "notSent")
  }

  @Test("it needs --yes in a script, asks at a terminal, and shows the plan first") func asked() async throws {
    let console = try await JournalConsole(backend: Self.full, asProgram: true)
    let before = try await console.record("json/todos 3")["title"] as? String
    _ = try await console.run("update json/todos 3 title=new\n")
    let run = try await console.run("undo --all-runs\n")
    #expect(run.status == 1 && run.errors.contains("needs --yes"), "\(run.errors)")
    let terminal = try console.terminal()
    try terminal.terminal.enter("undo --all-runs")
    try terminal.terminal.expect("title: \"new\" → ")
    try terminal.terminal.expect("Undo 1 write of json at http")
    try terminal.terminal.enter("y")
    try terminal.terminal.expect("undid 1: updated todos/3: title")
    #expect(try await console.record("json/todos 3")["title"] as? String == before)
  }
}
