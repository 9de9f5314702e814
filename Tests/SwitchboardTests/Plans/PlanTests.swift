import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The changes that a command would make, in a file that another command carries out.
@Suite("Plan files") struct PlanTests {
  static let backends = ["todo/todos", "json/todos"]

  let console: JournalConsole
  let plan: String

  init() async throws {
    console = try await JournalConsole()
    plan = console.home.folder.path + "/a.plan"
  }

  private func writes() async throws -> [String] {
    let writes = try await console.demo.send("GET", "/_demo/writes").json() as? [[String: String]] ?? []
    return writes.map { write in
      let body = write["body"] ?? ""
      return "\(write["method"] ?? "") \(write["path"] ?? "")\(body.isEmpty ? "" : " ")\(body)"
    }
  }

  @Test(
    "what a dry run and a plan say is what is then sent",
    arguments: [
      "update TARGET completed=true title=\"a b\" --where 'id >= 2'", "update TARGET 1 2 completed=!",
      "delete TARGET 1 3 --yes", "create TARGET title=new", "delete TARGET --where 'id <= 2' --yes",
    ], backends)
  func said(command: String, target: String) async throws {
    let command = command.replacingOccurrences(of: "TARGET", with: target)
    let planned = try await console.run("plan --to \(plan) \(command)\n")
    #expect(planned.status == 0, "\(planned.errors)")
    let said = try await console.run("apply \(plan) --dry-run --as curl\n")
    var requests: String?
    // Whatever depends on what is there is written out in a plan.
    if !command.contains("=!") {
      #expect(try await console.run("\(command) --dry-run --as curl\n").output == said.output)
      requests = try await console.run("\(command) --dry-run\n").output
    }
    #expect(try await writes().isEmpty)
    let run = try await console.run("apply \(plan) --yes\n")
    #expect(run.status == 0, "\(run.errors)")
    let sent = try await writes()
    #expect(!sent.isEmpty && sent.count == said.output.split(separator: "\n").count)
    if let requests { #expect(sent.map { $0 + "\n" }.joined() == requests) }
    let entries = try await console.entries()
    #expect(entries.count == sent.count)
    #expect(entries.allSatisfy { ($0["command"] as? String)?.hasPrefix("apply ") == true })
  }

  @Test("a dry run compares the plan with the records as they are, and sends nothing", arguments: backends)
  func compared(target: String) async throws {
    _ = try await console.run("plan --to \(plan) update \(target) 1 2 3 title=new\n")
    _ = try await console.run("plan --to \(plan).2 create \(target) title=new\n")
    func compare(_ plan: String) async throws -> ConsoleRun {
      try await console.run("apply \(plan) --dry-run -o csv\n")
    }
    let same = try await compare(plan)
    #expect(same.status == 0 && same.errors.contains("dry run: nothing was sent to "), "\(same.errors)")
    #expect(
      same.output == """
        verb,resource,id,state,field,planned,now
        update,todos,1,unchanged,,,
        update,todos,2,unchanged,,,
        update,todos,3,unchanged,,,

        """, "\(same.output)")
    #expect(try await compare("\(plan).2").output.hasSuffix("create,todos,,new,,,\n"))
    let title = try #require(try await console.record("\(target) 2")["title"] as? String)
    try await console.runElsewhere("update \(target) 2 title=theirs\ndelete \(target) 3\n")
    let before = try await writes().count
    let changed = try await compare(plan)
    #expect(changed.status == 1 && changed.errors.contains("2 writes cannot be made as planned"), "\(changed.errors)")
    let rows = changed.output.split(separator: "\n")
    #expect(rows.count == 4 && rows[3] == "update,todos,3,gone,,,", "\(changed.output)")
    #expect(rows[2].hasPrefix("update,todos,2,changed,title,") && rows[2].hasSuffix(",theirs"), "\(changed.output)")
    #expect(rows[2].contains(title) && changed.errors.contains(": 1 to update; "), "\(changed.errors)")
    #expect(try await writes().count == before)
  }

  @Test("a plan is for its owner alone, and another one's is refused") func owner() async throws {
    _ = try await console.run("plan --to \(plan) update 1 title=new\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: plan)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: plan)
    let run = try await console.run("apply \(plan) --yes\n")
    #expect((run.status, try await writes().isEmpty) == (2, true))
    #expect(run.errors.contains("is not used: it is writable by others"), "\(run.errors)")
  }

  @Test(
    "another origin, path, user or backend is refused, and so is what is not a whole plan",
    arguments: [
      ("\"origin\":\"http://127.0.0.1", "\"origin\":\"http://127.0.0.2", "it was made for http://127.0.0.2"),
      ("\"prefix\":\"/kitura", "\"prefix\":\"/kitura/x", "it was made for http"),
      ("\"command\"", "\"user\":\"ana\",\"command\"", "it was made as ana"),
      ("\"backend\":\"todo\"", "\"backend\":\"other\"", "the backend \"other\" is not configured"),
      ("\"switchboardPlan\":1", "\"switchboardPlan\":3", "it has version 3, and this console reads versions 1 to 2"),
      ("{\"writes\":2}\n", "", "is incomplete: its last line is missing"),
      ("{\"writes\":2}", "{\"writes\":3}", "is incomplete: it has 2 writes, and its last line says 3"),
      ("\"verb\":\"update\"", "\"verb\":\"destroy\"", "a.plan:2: \"verb\" is not create, update or delete"),
      ("\"before\"", "\"after\"", "a.plan:2: \"after\" is unknown"),
      ("\"set\":{\"title\"", "\"set\":{\"url\"", "url of todos is read-only"),
      ("{\"verb\"", "{{", "a.plan:2: this is not JSON"),
    ])
  func refused(text: String, by other: String, says: String) async throws {
    _ = try await console.run("plan --to \(plan) update 1 2 title=new\n")
    var content = try String(contentsOfFile: plan, encoding: .utf8)
    let range = try #require(content.range(of: text))
    content.replaceSubrange(range, with: other)
    _ = try console.home.write(content, to: "a.plan")
    let run = try await console.run("apply \(plan) --yes\n")
    #expect((run.status, try await writes().isEmpty) == (2, true), "\(run.errors)")
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test(
    "the first record that has changed since is shown field by field, and nothing after it is done", arguments: backends
  )
  func changed(target: String) async throws {
    _ = try await console.run("plan --to \(plan) update \(target) 1 2 3 completed=true\n")
    try await console.runElsewhere("update \(target) 2 title=theirs\n")
    let before = try await writes().count
    let run = try await console.run("apply \(plan) --yes\n")
    #expect(run.status == 5)
    #expect(run.errors.contains("a.plan:3: update \(target) 2: the record has changed since the plan"))
    #expect(run.errors.contains("title: was \""), "\(run.errors)")
    #expect(run.errors.contains("is now \"theirs\"") && run.errors.contains("not tried: line 4"), "\(run.errors)")
    #expect(try await writes().count == before + 1)
    try await console.runElsewhere("delete \(target) 3\n")
    _ = try await console.run("plan --to \(plan) delete \(target) 1 2 --yes\n")
    try await console.runElsewhere("delete \(target) 1\n")
    let gone = try await console.run("apply \(plan) --yes\n")
    #expect(gone.errors.contains("the record no longer exists"), "\(gone.errors)")
  }

  @Test("a plan that was applied is not applied twice, and one that was stopped is gone on with")
  func again() async throws {
    let count = try await console.run("count json/todos\n").output
    _ = try await console.run("plan --to \(plan) create json/todos title=once\n")
    #expect(try await console.run("apply \(plan) --yes\n").status == 0)
    let second = try await console.run("apply \(plan) --yes\n")
    #expect((second.status, second.output) == (0, "0 applied, 1 done before\n"), "\(second.errors)")
    #expect(try await console.run("count json/todos\n").output == "\((Int(count.dropLast()) ?? 0) + 1)\n")
    _ = try await console.run("plan --to \(plan) update json/todos 1 2 3 title=same\n")
    try await console.runElsewhere("update json/todos 2 completed=!\n")
    #expect(try await console.run("apply \(plan) --yes\n").status == 5)
    try await console.runElsewhere("update json/todos 2 completed=!\n")
    let rest = try await console.run("apply \(plan) --yes\n")
    #expect((rest.status, rest.output.hasSuffix("2 applied, 1 done before\n")) == (0, true), "\(rest.errors)")
    // Writes that were undone are applied again.
    #expect(try await console.run("undo --all-runs --yes\n").status == 0)
    let anew = try await console.run("apply \(plan) --yes\n")
    #expect((anew.status, anew.output.hasSuffix("2 applied, 1 done before\n")) == (0, true), "\(anew.errors)")
  }

  /// The file with the progress of a plan.
  private func progress(of file: String, _ console: JournalConsole) throws -> URL {
    let head = try #require(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").first)
    let header = try #require(try JSONSerialization.jsonObject(with: Data(head.utf8)) as? [String: Any])
    let id = try #require(header["id"] as? String)
    return console.home.folder.appending(path: "state/switchboard/plans/\(id)")
  }

  @Test("what was sent and has no known outcome is looked at before a plan goes on") func killed() async throws {
    _ = try await console.run("plan --to \(plan) update json/todos 1 title=new\n")
    _ = try await console.run("plan --to \(plan).2 create json/todos title=new\n")
    for file in [plan, "\(plan).2"] {
      #expect(try await console.run("apply \(file) --yes\n").status == 0)
      // As without a journal, and killed before the response.
      let path = try progress(of: file, console)
      let begun = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("b ") }
      let mark = try #require(begun.first).split(separator: " ").prefix(2).joined(separator: " ")
      try Data("\(mark)\n".utf8).write(to: path)
    }
    let update = try await console.run("apply \(plan) --yes\n")
    #expect((update.status, update.output) == (0, "0 applied, 1 done before\n"), "\(update.errors)")
    let creation = try await console.run("apply \(plan).2 --yes\n")
    #expect(creation.status == 6)
    #expect(creation.errors.contains("an earlier run may have created this record"), "\(creation.errors)")
  }

  @Test("a plan goes on past a creation without a response as soon as the journal knows its outcome")
  func settled() async throws {
    let console = try await JournalConsole(demo: ["fault=hangup", "fault.on=writes", "fault.count=1"], asProgram: true)
    let rows = try console.home.write("{\"title\": \"first\"}\n{\"title\": \"second\"}\n", to: "rows.ndjson")
    let plan = console.home.folder.path + "/a.plan"
    #expect(try await console.run("plan --to \(plan) create json/todos --from \(rows)\n").status == 0)
    #expect(try await console.run("apply \(plan) --yes\n").status == 6)
    let early = try await console.run("apply \(plan) --yes\n")
    #expect(early.status == 6 && early.errors.contains("run journal check, then apply again"), "\(early.errors)")
    #expect(try await console.run("journal check\n").status == 0)
    let late = try await console.run("apply \(plan) --yes\n")
    #expect((late.status, late.output.hasSuffix("1 applied, 1 done before\n")) == (0, true), "\(late.errors)")
    let found = try await console.run(
      "expect count json/todos title=first = 1\nexpect count json/todos title=second = 1\n")
    #expect(found.status == 0, "\(found.errors)")
    // Of what was found not done the creation is sent.
    try console.sql("UPDATE entry SET outcome = 'unknown' WHERE number = 1")
    let path = try progress(of: plan, console)
    let begun = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("b ") }
    try Data((begun.joined(separator: "\n") + "\n").utf8).write(to: path)
    #expect(try await console.run("apply \(plan) --yes\n").status == 6)
    try console.sql("UPDATE entry SET outcome = 'failed' WHERE number = 1")
    let again = try await console.run("apply \(plan) --yes\n")
    #expect((again.status, again.output.hasSuffix("1 applied, 1 done before\n")) == (0, true), "\(again.errors)")
  }

  @Test("the marks of a plan are those of its writes, wherever they stand after an edit") func edited() async throws {
    let rows = try console.home.write("{\"title\": \"same\"}\n{\"title\": \"same\"}\n", to: "rows.ndjson")
    _ = try await console.run("plan --to \(plan).2 create json/todos --from \(rows)\n")
    _ = try await console.run("plan --to \(plan) update json/todos 1 2 3 4 title=new\n")
    try await console.runElsewhere("update json/todos 3 title=theirs\n")
    #expect(try await console.run("apply \(plan) --yes\n").status == 5)
    #expect(try await console.run("apply \(plan).2 --yes\n").status == 0)
    func keep(_ wanted: ClosedRange<Int>, of file: String) throws {
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      // Other spellings are the same writes.
      let kept = lines[wanted].map { $0.replacingOccurrences(of: "\",\"", with: "\" , \"") }
      let text = ([String(lines[0])] + kept + ["{\"writes\":\(wanted.count)}"]).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
    try keep(4...4, of: plan)
    let rest = try await console.run("apply \(plan) --yes\n")
    #expect((rest.status, rest.output.contains("done before")) == (0, false), "\(rest.output) \(rest.errors)")
    #expect(try await console.record("json/todos 4")["title"] as? String == "new")
    for wanted in [1...2, 2...2] {
      try keep(wanted, of: "\(plan).2")
      let again = try await console.run("apply \(plan).2 --yes\n")
      #expect((again.status, again.output) == (0, "0 applied, \(wanted.count) done before\n"), "\(again.errors)")
    }
  }

  @Test("a plan whose progress an earlier version noted by lines is refused") func counted() async throws {
    _ = try await console.run("plan --to \(plan) update json/todos 1 title=new\n")
    let path = try progress(of: plan, console)
    try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("d 2\n".utf8).write(to: path)
    let run = try await console.run("apply \(plan) --yes\n")
    #expect((run.status, try await writes().isEmpty) == (2, true), "\(run.output)")
    #expect(run.errors.contains("is of an earlier version, which counted lines"), "\(run.errors)")
  }

  @Test(
    "what has no place in a plan is refused, and leaves no file",
    arguments: [
      ("list todo", "hint: these commands can: sql, create, update, edit, delete"),
      ("delete todo --all", "a plan lists individual records, which --all does not identify"),
      ("delete todo 1 --to x", "a planned command has no result to write"),
      ("update todo 99 title=x", "99: not found"), ("update todo 1 nothing", "nothing"),
    ])
  func unplanned(command: String, says: String) async throws {
    let run = try await console.run("plan --to \(plan) \(command)\n")
    #expect(run.status != 0 && run.errors.contains(says), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: plan))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: console.home.folder.path).allSatisfy {
        !$0.hasSuffix(".partial")
      })
    #expect(try await writes().isEmpty)
  }

  @Test("secret values are not written to a plan") func secret() async throws {
    let run = try await console.run("plan --to \(plan) create json/users name=a password=hunter22 --new-fields\n")
    #expect(run.status == 2 && run.errors.contains("is secret, and secrets are not stored in a plan"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: plan))
  }

  @Test("in production the number of writes is the answer") func production() async throws {
    let console = try await JournalConsole(backend: "\"label\": \"production\"")
    let plan = console.home.folder.path + "/p.plan"
    #expect(try await console.run("plan --to \(plan) delete 1 2\n").status == 0)
    let bare = try await console.run("apply \(plan) --yes\n")
    #expect(bare.errors.contains("needs --yes=2") && bare.errors.contains("todo (production)"), "\(bare.errors)")
    #expect(
      try await console.run("apply \(plan) --yes=3\n").errors.contains("--yes=3 does not match: the plan is for 2"))
    #expect(try await console.run("apply \(plan) --yes=2\n").status == 0)
  }
}
