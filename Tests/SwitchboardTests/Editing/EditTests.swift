import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Records in an editor: a shell script that is given the file, as an editor is.
@Suite("Records in an editor") struct EditTests {
  static let backends = ["todo/todos", "json/todos"]

  let console: JournalConsole

  init() async throws { console = try await JournalConsole(asProgram: true) }

  private func editor(_ script: String) throws -> String {
    let path = try console.home.writeProgram("#!/bin/sh\n\(script)\n", to: "editor")
    return path
  }

  private func edit(_ command: String, with script: String) async throws -> ConsoleRun {
    try await console.run(command + "\n", variables: ["EDITOR": try editor(script)])
  }

  /// The files that edits have left.
  private var kept: [String] {
    let folder = console.home.folder.path + "/state/switchboard/edits"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
  }

  private func sent() async throws -> [String] {
    let writes = try await console.demo.send("GET", "/_demo/writes").json() as? [[String: String]] ?? []
    return writes.map { "\($0["method"] ?? "") \($0["path"] ?? "") \($0["body"] ?? "")" }
  }

  @Test(
    "what is written without quotes in the place of a text stays a text as it is written",
    arguments: ["008", "true", "1.50"])
  func kind(written: String) async throws {
    let run = try await edit("edit json/todos 1", with: "sed -i 's/^title: .*/title: \(written)  # code/' \"$1\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await console.record("json/todos 1")["title"] as? String == written)
  }

  @Test(
    "only what was changed is sent, what was and what is to be is shown, and the file is private and deleted",
    arguments: backends)
  func change(target: String) async throws {
    let before = try await console.record("\(target) 1")
    let run = try await edit(
      "edit \(target) 1",
      with:
        "ls -l \"$1\" > mode; ls -ld \"$(dirname \"$1\")\" >> mode; cp \"$1\" seen; sed -i 's/^title: .*/title: new/' \"$1\""
    )
    #expect((run.status, run.output) == (0, "updated todos/1: title\n"), "\(run.errors)")
    #expect(run.errors.contains("update todos/1  title: \"") && run.errors.contains("→ \"new\""), "\(run.errors)")
    #expect(try await sent().count == 1)
    #expect(try await sent()[0].hasSuffix("{\"title\":\"new\"}"))
    #expect(kept.isEmpty)
    let mode = try String(contentsOf: console.home.folder.appending(path: "mode"), encoding: .utf8)
    #expect(mode.hasPrefix("-rw-------") && mode.contains("\ndrwx------"), "\(mode)")
    let seen = try String(contentsOf: console.home.folder.appending(path: "seen"), encoding: .utf8)
    #expect(seen.contains("\n# id: 1\n") && !seen.contains("\nid:"), "\(seen)")
    // The journal knows what was there without reading it once more.
    #expect(try await console.run("undo --all-runs --yes\n").status == 0)
    #expect(NSDictionary(dictionary: try await console.record("\(target) 1")) == NSDictionary(dictionary: before))
  }

  @Test("a text is not touched by being shown, whatever it looks like")
  func untouched() async throws {
    let texts = [
      "true", "12", "null", "~", "", " a", "a ", "a\nb", "a\nb\n", "a\n\n", "\nb", "\n", " a\n b", "\ta\nb", "a\n\tb",
      "# a", "--- a",
      "a\n--- # todo/todos/1\nb", "...", "- a", "a: b", "a\u{2028}b\nc", "a\u{85}b\nc", "é\n中", "'", "\"\n'", "{", "|",
      ">-\n", "%", "@",
      "0x1F", "1e3", "2026-01-01", "a\r\nb", "\u{FEFF}a\nb", "  \n  a\n", "a\n  \nb", "yes", "=", "<<", "a #b\nc", "&a",
      "*a", "!a\nb",
    ]
    var script = ""
    for text in texts {
      let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      script += "create json/posts title=x userId=1 body:='\(json.replacingOccurrences(of: "'", with: "’"))'\n"
    }
    let made = try await console.run(script)
    #expect(made.status == 0, "\(made.errors)")
    let ids = try await console.entries().compactMap { $0["id"] as? String }
    #expect(ids.count == texts.count)
    let same = try await edit("edit json/posts \(ids.joined(separator: " "))", with: "true")
    #expect((same.status, same.errors.contains("nothing was changed")) == (0, true), "\(same.errors)")
    _ = try await console.demo.send("DELETE", "/_demo/requests")
    let run = try await edit(
      "edit json/posts \(ids.joined(separator: " "))", with: "sed -i 's/^userId: 1$/userId: 2/' \"$1\"")
    #expect(run.status == 0, "\(run.errors)")
    let sent = try await sent()
    #expect(sent.count == texts.count && sent.allSatisfy { $0.hasSuffix("{\"userId\":2}") }, "\(sent)")
  }

  @Test("one field alone is its text, without the line end that editors add") func field() async throws {
    let run = try await edit(
      "edit intranet 1 --field body", with: "cp \"$1\" seen; echo \"$1\" > name; printf 'a\\nb\\n' > \"$1\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await console.record("intranet 1")["body"] as? String == "a\nb")
    #expect(try String(contentsOf: console.home.folder.appending(path: "name"), encoding: .utf8).hasSuffix(".html\n"))
    let same = try await edit("edit intranet 1 --field body", with: "echo >> \"$1\"")
    #expect(same.errors.contains("nothing was changed"), "\(same.errors)")
    for (words, says) in [
      ("todo 1 --field id", "is read-only"), ("todo 1 --field order", "is not text"),
      ("todo 1 2 --field title", "takes one record"),
      ("json/posts 1 --field nothing", "unknown field"),
    ] {
      let refused = try await edit("edit \(words)", with: "true")
      #expect(refused.status != 0 && refused.errors.contains(says), "\(refused.errors)")
    }
  }

  @Test("a field that was taken out is cleared, one that is new is set, and others stay") func cleared() async throws {
    let run = try await edit("edit todo 1", with: "sed -i '/^order/d; s/^user: .*/user: \"007\"/' \"$1\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("order: 2 → absent"), "\(run.errors)")
    let record = try await console.record("todo 1")
    #expect(record["order"] == nil && record["user"] as? String == "007")
    // Of a text every value that YAML reads as another kind is the text as it stands there.
    #expect(try await edit("edit todo 1", with: "sed -i 's/^title: .*/title: 008/' \"$1\"").status == 0)
    #expect(try await console.record("todo 1")["title"] as? String == "008")
    #expect(try await edit("edit todo 1", with: "echo 'order: 9' >> \"$1\"").status == 0)
    #expect(try await console.record("todo 1")["order"] as? Int == 9)
  }

  @Test(
    "what is wrong is reported with its line, sends nothing, and the text is kept",
    arguments: [
      ("s/^order: .*/order: x/", "update todo/todos 1: order must be"),
      ("s/^title: .*/title: [/", "this is not YAML"),
      ("s/^user/id: 7\\nuser/", ":7: update todo/todos 1: id of todos is read-only"),
      ("s/^user/title: x\\nuser/", "duplicate key"),
      ("s/^---.*/--- # todo\\/todos\\/9/", "unknown record marker"),
      ("1s/.*/title: x/", "this comes before the first record"), ("4,$d", "this is not a record"),
    ])
  func mistake(script: String, says: String) async throws {
    let run = try await edit("edit todo 1", with: "sed -i '\(script)' \"$1\"")
    #expect(run.status == 1 && run.errors.contains(says), "\(run.errors)")
    #expect(kept.count == 1 && run.errors.contains("/edits/\(kept[0])"), "\(run.errors)")
    #expect(try await sent().isEmpty)
  }

  @Test("an editor that fails, and none without a terminal, change nothing") func noEditor() async throws {
    let failed = try await edit("edit todo 1", with: "echo title: x >> \"$1\"; exit 1")
    #expect(failed.status == 1 && failed.errors.contains("failed; nothing was changed"), "\(failed.errors)")
    let none = try await console.run("edit todo 1\n")
    #expect(none.status == 1 && none.errors.contains("no editor is set"), "\(none.errors)")
    #expect(kept.count == 1)
    #expect(try await sent().isEmpty)
  }

  @Test(
    "a record that somebody has changed meanwhile is left, with what it was, is, and was to be", arguments: backends)
  func conflict(target: String) async throws {
    let theirs = "\(ConsoleRun.executable.path) --config \(console.config) -c 'update \(target) 1 title=theirs'"
    let script = "sed -i 's/^title: .*/title: mine/' \"$1\"; env -u EDITOR HOME=/nowhere \(theirs) > /dev/null"
    let run = try await edit("edit \(target) 1", with: script)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("is now \"theirs\", was to be \"mine\""), "\(run.errors)")
    #expect(try await console.record("\(target) 1")["title"] as? String == "theirs")
    #expect(kept.count == 1)
    #expect(try await edit("edit \(target) 1 --force", with: script).status == 0)
    #expect(try await console.record("\(target) 1")["title"] as? String == "mine")
  }

  @Test("several records are changed at once, and those that stay are not sent") func several() async throws {
    let run = try await edit("edit todo 1 2 3", with: "sed -i '/todos\\/3/,$s/^title: .*/title: third/' \"$1\"")
    #expect((run.status, run.output) == (0, "updated todos/3: title\n"), "\(run.errors)")
    #expect(try await sent().count == 1)
  }

  @Test("a dry run and a plan send nothing") func dryRun() async throws {
    let script = "sed -i 's/^title: .*/title: new/' \"$1\""
    let run = try await edit("edit todo 1 --dry-run", with: script)
    #expect((run.status, run.output) == (0, "PATCH /1 {\"title\":\"new\"}\n"), "\(run.errors)")
    let plan = console.home.folder.path + "/a.plan"
    #expect(try await edit("plan --to \(plan) edit todo 1", with: script).status == 0)
    #expect(try await sent().isEmpty)
    #expect(try await console.run("apply \(plan) --yes\n").status == 0)
    #expect(try await sent() == ["PATCH /1 {\"title\":\"new\"}"])
    #expect(kept.isEmpty)
  }

  @Test("secrets are not written into the file, and stay as they are") func secret() async throws {
    _ = try await console.run("create json/users name=a password=hunter22 --new-fields\n")
    let id = try #require(try await console.entries()[0]["id"] as? String)
    let run = try await edit("edit json/users \(id)", with: "cp \"$1\" seen; sed -i 's/^name: .*/name: b/' \"$1\"")
    #expect(run.status == 0, "\(run.errors)")
    let seen = try String(contentsOf: console.home.folder.appending(path: "seen"), encoding: .utf8)
    #expect(!seen.contains("hunter22") && seen.contains("# password: a secret, which is not shown"), "\(seen)")
    #expect(try await console.record("json/users \(id)")["password"] as? String == "hunter22")
  }

  @Test("at a terminal a mistake is a question, and the edit goes on with the same text") func question() async throws {
    let script = try editor(
      "if grep -q '^order: x' \"$1\"; then sed -i 's/^order: .*/order: 7/' \"$1\"; else sed -i 's/^order: .*/order: x/' \"$1\"; fi"
    )
    let terminal = try console.terminal(["EDITOR": script])
    try terminal.terminal.enter("edit todo 1")
    try terminal.terminal.expect("Edit it again? [Y/n]")
    try terminal.terminal.press("Enter")
    try terminal.terminal.expect("updated todos/1: order")
    #expect(try await console.record("todo 1")["order"] as? Int == 7)
  }
}
