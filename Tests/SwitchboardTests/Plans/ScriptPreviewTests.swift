import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Scripts whose writes are planned, and whose reads see them.
@Suite("previews of scripts") struct ScriptPreviewTests {
  static let script = """
    create kitura title=New user=ana order=77
    set @id $last.id
    expect count kitura title=New = 1
    update kitura $id title=Newer
    expect $last.title = Newer
    get kitura $id --fields title,completed -o json
    list kitura --where "order > 5" --sort -order --fields order,title -o json
    delete kitura --where "title = Newer" --yes
    expect count kitura title=Newer = 0
    for t in (list kitura completed=true --fields id)
      update kitura $t.id completed=false
    end
    expect count kitura completed=true = 0
    create grails title=Moved
    expect count grails title=Moved = 1

    """

  @Test("reads see the writes planned before them, and nothing is sent") func reads() async throws {
    let world = try await World(.kitura, .grails)
    let preview = try await world.run(Self.script, ["--dry-run"])
    #expect(preview.status == 0, "\(preview.errors)")
    #expect(preview.errors.contains("preview: 2 creations, "), "\(preview.errors)")
    #expect(try await world.writes().isEmpty)
    let run = try await world.run(Self.script)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      preview.output.replacingOccurrences(of: "new:1", with: "8").replacingOccurrences(of: "new:2", with: "7")
        == run.output)
  }

  @Test("a script's plan has its writes in order, and applying it sends what the script sends") func plan() async throws
  {
    let (world, other) = (try await World(.kitura, .grails), try await World(.kitura, .grails))
    let (file, plan) = (try world.home.write(Self.script, to: "m.sb"), world.home.folder.path + "/m.plan")
    let planned = try await world.run("plan --to \(plan) source \(file)\n")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try await world.writes().isEmpty)
    let applied = try await world.run("apply \(plan) --yes\n")
    #expect(applied.status == 0, "\(applied.errors)")
    _ = try await other.run(Self.script)
    #expect(try await world.writes() == other.writes())
    #expect(try await world.writes().count > 5)
  }

  @Test("updates are planned in the order of the records, in whatever order the server answers") func order()
    async throws
  {
    let server = try await PythonServer("../Server/rows.py")
    let backend = #""plugin": "jsonplaceholder", "url": "\#(server.address)/swapped", "options": {"writes": "kept"}"#
    let home = try ConsoleRun.Home(configuration: #"{"default": "a", "backends": {"a": {\#(backend)}}}"#)
    let script = try home.write("update posts title=x --where \"id > 0\"\n", to: "m.sb")
    for name in ["a.plan", "b.plan"] {
      let plan = home.folder.path + "/\(name)"
      try await home.run("plan --to \(plan) source \(script)\n").succeeded()
      let writes = try String(contentsOfFile: plan, encoding: .utf8).jsonLines().filter { $0["verb"] != nil }
      #expect(writes.map { $0["id"] as? String } == (1...5).map { "\($0)" })
    }
  }

  @Test(
    "a preview ends where only a run could go on, whatever the script does about failures",
    arguments: [
      ("!true", "a shell command runs only when the script does"),
      ("list | cat", "a shell command runs only when the script does"),
      ("set @t $now", "the time is not known until the script runs"),
      ("update kitura 1 title:=(text(today))", "the time is not known until the script runs"),
      ("create kitura title=a\nget kitura $last.id\nset @u $last.url", "url of $last is not known"),
      ("create kitura title=a\nlist kitura url~x", "url of record new:1 is not known"),
      ("create kitura title=a\nlist kitura --sort id", "the order of an identifier"),
      ("create kitura title=a\nlist kitura --limit 3", "the place of new records"),
      ("create kitura title=a\nset @id $last.id\ncreate kitura title=\"see $id\"", "a text is made of an identifier"),
      ("create kitura title=a\nset @id $last.id\nif $id > 5\ncreate kitura title=b\nend", "the order of an identifier"),
      ("create kitura title=a\nset @n $last.id + 1", "is computed with"),
      (
        "create kitura title=a\nsql SELECT max(id) FROM kitura.todos", "fields of records in kitura.todos are not known"
      ),
      ("delete kitura --all --yes", "a plan lists individual records"),
      ("undo", "undo uses the journal"),
      ("request POST / title=a", "request cannot be planned"),
      ("list kitura --to a.json\ncreate kitura --from a.json", "a.json comes from an earlier command"),
    ])
  func ends(statements: String, reason: String) async throws {
    let world = try await World(.kitura)
    let script =
      "on-error continue\ntry\n\(statements)\nelse\ncreate kitura title=wrong\nend\ncreate kitura title=wrong\n"
    let preview = try await world.run(script, ["--dry-run", "--allow-shell"])
    #expect(preview.errors.contains("the preview ends here: ") && preview.errors.contains(reason), "\(preview.errors)")
    #expect(!preview.errors.contains("wrong") && preview.status != 0, "\(preview.errors)")
    #expect(try await world.writes().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: world.home.folder.path + "/a.json"))
  }

  @Test("assume says what a statement returns that a preview does not run") func assumptions() async throws {
    let world = try await World(.kitura)
    let preview = try await world.run(
      """
      assume bo
      capture who = !printf chen
      assume 2026-12-01
      set @day $now
      create kitura title=$day user=$who
      list kitura user=bo title=2026-12-01 --fields title,user -o json

      """, ["--dry-run", "--allow-shell"])
    #expect(preview.status == 0, "\(preview.errors)")
    #expect(preview.output.contains(#""title": "2026-12-01""#), "\(preview.output)")
    let run = try await world.run("assume bo\ncapture who = !printf chen\nshow @who\n", ["--allow-shell"])
    #expect(run.output == "chen\n")
  }

  @Test("a service that refuses reads does not get a plan of creations") func unreachable() async throws {
    let world = try await World(["todo": .kitura], options: ["url": "http://127.0.0.1:1"])
    let preview = try await world.run("create title=a\n", ["--dry-run"])
    #expect(preview.status == 4, "\(preview.errors)")
  }

  @Test("generated scripts print in a preview what they print in a run", arguments: 0..<24)
  func generated(seed: UInt64) async throws {
    var script = GeneratedScript(seed: seed)
    let text = script.text()
    let world = try await World(.kitura, .grails, .baasic)
    let preview = try await world.run(text, ["--dry-run"])
    #expect(try await world.writes().isEmpty)
    let run = try await world.run(text)
    let ends = preview.errors.contains("the preview ends here")
    let (seen, real) = (preview.output.split(separator: "\n"), run.output.split(separator: "\n"))
    let places = ends ? 0..<max(0, seen.count - 1) : 0..<max(seen.count, real.count)
    var names: [Substring: Substring] = [:]
    for place in places {
      let (a, b) = (place < seen.count ? seen[place] : "", place < real.count ? real[place] : "")
      let parts = (a.split(separator: " "), b.split(separator: " "))
      #expect(parts.0.count == parts.1.count, "\(text)\n\(a)\n\(b)")
      for (own, other) in zip(parts.0, parts.1) where own != other {
        // The one name that a preview gives stands for one identifier of the run.
        #expect(own.contains("new:") && names[own, default: other] == other, "\(text)\n\(a)\n\(b)")
        names[own] = other
      }
    }
  }
}

/// A script of commands on records with few values, so that conditions meet them.
private struct GeneratedScript {
  private var random: SeededNumbers
  private var made = 0

  init(seed: UInt64) { random = SeededNumbers(seed) }

  private static let fields: [String: [(String, [String])]] = [
    "kitura": [
      ("title", ["Milk", "Tea", "Zebra"]), ("user", ["ana", "bo"]), ("order", ["0", "3", "9"]),
      ("completed", ["true", "false"]),
    ],
    "grails": [("title", ["Milk", "Tea", "Zebra"])],
    "baasic": [("title", ["Milk", "Tea"]), ("description", ["a", "b"]), ("isComplete", ["true", "false"])],
  ]

  mutating func text() -> String {
    var lines = ["on-error continue"]
    for _ in 0..<Int.random(in: 5...12, using: &random) { lines.append(line()) }
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func line() -> String {
    let target = ["kitura", "grails", "baasic"].randomElement(using: &random) ?? "kitura"
    let fields = Self.fields[target] ?? []
    let names = fields.map(\.0).joined(separator: ",")
    func all() -> String { fields.map { "\($0.0)=\($0.1.randomElement(using: &random) ?? "")" }.joined(separator: " ") }
    guard let (field, values) = fields.randomElement(using: &random), let value = values.randomElement(using: &random)
    else { return "" }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      made += 1
      return "create \(target) \(all())\nset @n\(made) $last.id"
    case 2: return "update \(target) \(field)=\(value) --where \"\(field) != \(value)\" --yes"
    case 3: return "delete \(target) --where \"\(field) = \(value)\" --yes"
    case 4: return "list \(target) \(field)=\(value) --all --fields \(names) -o ndjson"
    case 5: return "list \(target) --sort -\(field) --limit 4 --fields \(field) -o csv"
    case 6: return "count \(target) \(field)!=\(value)"
    case 7: return "for r in (list \(target) \(field)=\(value) --all)\n  show @r.\(field)\nend"
    default: return made > 0 ? "update kitura $n\(made) title=\(value)" : "count \(target)"
    }
  }
}

extension World {
  /// The writes that the demo received, as lines.
  fileprivate func writes() async throws -> [String] {
    let writes = try await demo.send("GET", "/_demo/writes").json() as? [[String: String]] ?? []
    return writes.map { "\($0["method"] ?? "") \($0["path"] ?? "") \($0["body"] ?? "")" }
  }
}
