import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

/// The journal's entries for writes, whatever their outcome.
@Suite("The journal") struct JournalTests {
  private let console: JournalConsole

  init() async throws { console = try await JournalConsole() }

  @Test("every write has an entry with where it went, what was sent and what came of it; a read has none")
  func entries() async throws {
    let read = try await console.run("list\nget 0\n")
    #expect(read.status == 0, "\(read.errors)")
    #expect(!FileManager.default.fileExists(atPath: console.folder), "a read opens no journal")
    let run = try await console.run(
      "create title=Milk user=ana order=7 completed=false\nupdate json/todos 3 title=new\ndelete json/todos 4\n"
        + "update json/todos 99999 title=new\nrequest json POST todos title=raw\n", ["--on-error", "continue"])
    #expect(run.status == 1, "\(run.errors)")
    let entries = try await console.entries()
    let reported = entries.map { "\($0["verb"] ?? "") \($0["backend"] ?? "") \($0["outcome"] ?? "") \($0["id"] ?? "")" }
    #expect(
      reported.dropLast() == [
        "request json done ", "update json failed 99999", "delete json done 4", "update json done 3",
      ])
    #expect(reported.last?.hasPrefix("create todo done ") == true)
    let created = try #require(entries.last)
    #expect(created["command"] as? String == "create title=Milk user=ana order=7 completed=false")
    #expect(created["origin"] as? String == "http://127.0.0.1:\(console.demo.port)")
    #expect(created["prefix"] as? String == "/kitura")
    #expect((created["sent"] as? [String: Any])?["title"] as? String == "Milk")
    #expect((created["after"] as? [String: Any])?["title"] as? String == "Milk")
    #expect(Set(entries.compactMap { $0["run"] as? String }).count == 1)
    let filtered = try await console.entries("verb=update outcome=failed")
    #expect(filtered.count == 1 && filtered[0]["code"] as? String == "notFound")
    let file = try FileManager.default.attributesOfItem(atPath: console.file)[.posixPermissions] as? Int
    let folder = try FileManager.default.attributesOfItem(atPath: console.folder)[.posixPermissions] as? Int
    #expect((file, folder) == (0o600, 0o700))
  }

  @Test("at a terminal the times are those of the clock on the wall, and whole; programs read moments")
  func times() async throws {
    let console = try await JournalConsole(asProgram: true)
    _ = try await console.run("create title=Milk\nupdate 0 title=\"Oat milk\"\n")
    let terminal = try console.terminal(columns: 80)
    let lines = try terminal.run("journal").lines
    let rows = lines.filter { $0.contains(/^ +[12]  ([0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{2}:[0-9]{2}:[0-9]{2}  done\s/) }
    #expect(rows.count == 2, "\(lines)")
    #expect(try await console.entries().allSatisfy { ($0["time"] as? String)?.hasSuffix("Z") == true })
  }

  @Test("a check, a replayed recording and a backend with journal off write nothing to it")
  func nothing() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"off\"")
    let run = try await console.run("update json/todos 3 title=new\n", ["--record", "r.json"])
    #expect(run.status == 0, "\(run.errors)")
    _ = try await console.run("update json/todos 3 title=new\n", ["--check"])
    #expect(!FileManager.default.fileExists(atPath: console.folder))
    let config = try String(contentsOfFile: console.config, encoding: .utf8)
    let on = try console.home.write(config.replacingOccurrences(of: "\"off\"", with: "\"on\""), to: "on.json")
    let replayed = try await ConsoleRun.run(
      ["--config", on, "--replay", "r.json"], input: "update json/todos 3 title=new\n", in: console.home)
    #expect(replayed.status == 0, "\(replayed.errors)")
    #expect(!FileManager.default.fileExists(atPath: console.folder))
  }

  @Test("full has the record read before and after, as far as that is not known anyway") func full() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"full, required\"")
    let before = try await console.record("todo/todos 0")
    let run = try await console.run("update 0 title=new\ndelete 0\n")
    #expect(run.status == 0, "\(run.errors)")
    let entries = try await console.entries()
    let (deletion, update) = (entries[0], entries[1])
    #expect((update["before"] as? [String: Any])?["title"] as? String == before["title"] as? String)
    #expect((update["after"] as? [String: Any])?["title"] as? String == "new")
    #expect((deletion["before"] as? [String: Any])?["title"] as? String == "new")
    #expect(deletion["after"] == nil)
  }

  @Test("secrets are gaps: by name, by the configuration and by value, in fields, commands and what was read")
  func gaps() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"full\", \"secrets\": [\"pin\"]")
    let run = try await console.run(
      "create json/todos title=a password=Sesame4711 pin=90210x note=\"has Sesame4711 in it\" --new-fields\n"
        + "update json/todos 3 api_token=Tok3nTok3n title=b --new-fields\n"
        + "request json PATCH todos/3 token=Tok3nTok3n title=c\n")
    #expect(run.status == 0, "\(run.errors)")
    let entries = try await console.entries()
    #expect(entries.count == 3)
    let sent = try #require(entries.last?["sent"] as? [String: Any])
    #expect(sent["title"] as? String == "a")
    #expect(sent["password"] as? String == "[blanked]" && sent["pin"] as? String == "[blanked]")
    #expect(entries.last?["command"] as? String == "create [blanked]")
    var bytes = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: console.folder) {
      bytes += try Data(contentsOf: URL(filePath: console.folder + "/" + name))
    }
    for secret in ["Sesame4711", "90210x", "Tok3nTok3n"] {
      #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(secret) is in the files")
    }
  }

  @Test("two consoles write to one journal at the same time, and no entry is lost") func together() async throws {
    let console = try await JournalConsole(asProgram: true)
    let script = (0..<150).map { "create json/todos title=t\($0)\n" }.joined()
    async let first = console.run(script)
    async let second = console.run(script)
    async let third = console.run(script)
    for run in try await [first, second, third] { #expect(run.status == 0, "\(run.errors)") }
    let entries = try await console.entries("outcome=done")
    #expect(entries.count == 450)
    #expect(Set(entries.compactMap { $0["run"] as? String }).count == 3)
    #expect(Set(entries.compactMap { $0["number"] as? Int }).count == 450)
  }

  @Test("rows in flight have an entry each, written together, and completed each with its own outcome")
  func rows() async throws {
    let rows = (0...200).map { "{\"title\": \"t\($0)\"}\n" }.joined()
    let file = try console.home.write(rows, to: "rows.ndjson")
    let run = try await console.run("create json/todos --from \(file) --jobs 16 -o id\n")
    #expect(run.status == 0, "\(run.errors)")
    let entries = try await console.entries("outcome=done verb=create")
    #expect(entries.count == 201)
    for entry in entries {
      let (sent, after) = (entry["sent"] as? [String: Any], entry["after"] as? [String: Any])
      #expect(sent?["title"] as? String == after?["title"] as? String)
    }
    #expect(Set(entries.compactMap { $0["id"] as? String }) == Set(run.output.split(separator: "\n").map(String.init)))
  }

  @Test("journal lists a page, all where its result is used, and exports") func listing() async throws {
    _ = try await console.run((0..<30).map { "create json/todos title=t\($0)\n" }.joined())
    let page = try await console.run("journal\n")
    #expect(page.output.split(separator: "\n").count == 21, "\(page.output)")
    #expect(page.errors.contains("the last 20 entries; --all"))
    let run = try await console.run(
      "journal -o ndjson --to out.ndjson\njournal --limit 2 -o id\njournal show 30 -o json\n")
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOf: console.home.folder.appending(path: "out.ndjson"), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 30)
    #expect(run.output.hasPrefix("30\n29\n{"))
    let wrong = try await console.run("journal titel=x\n")
    #expect(wrong.status == 2 && wrong.errors.contains("unknown field \"titel\""))
    let since = try await console.run("journal --since 2999-01-01 -o id\njournal --since nonsense\n")
    #expect((since.status, since.output) == (2, ""))
  }

  @Test("a restricted run does not read it") func restricted() async throws {
    _ = try await console.run("create json/todos title=x\n")
    for command in ["journal", "journal show 1", "undo"] {
      let run = try await console.run("\(command)\n", ["--restricted"])
      #expect((run.status, run.output) == (2, ""), "\(run.errors)")
    }
  }
}
