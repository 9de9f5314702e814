import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// A kind of server whose records are written and killed.
struct KilledBackend: Sendable {
  let plugin: String
  let resource: String
  /// The fields that a new record needs beside its title.
  let fields: String

  static let kitura = KilledBackend(plugin: "kitura", resource: "todos", fields: #""user":"ana","order":7"#)
  static let all = [
    kitura, KilledBackend(plugin: "grails", resource: "announcements", fields: #""body":"text""#),
    KilledBackend(plugin: "jsonplaceholder", resource: "todos", fields: #""completed":false"#),
    KilledBackend(plugin: "baasic", resource: "todo", fields: #""isComplete":false"#),
  ]
}

/// The console on a demo server with a file and faults.
struct KilledConsole {
  /// A record as the server's file has it.
  struct Stored: Hashable {
    let id: String
    let title: String
  }

  let home: ConsoleRun.Home
  let demo: DemoProcess
  let backend: KilledBackend
  private let config: String
  private let file: String
  /// The source of copy and sync, without faults; it has no records at first.
  private let source: DemoProcess

  init(_ backend: KilledBackend, records: Int) async throws {
    self.backend = backend
    home = try ConsoleRun.Home()
    file = home.folder.appending(path: "demo.sqlite").path
    // Two of a hundred writes meet each of the seven faults.
    demo = try await DemoProcess.start([
      "--data", file, "--seed", "\(records)", "--set", "jsonplaceholder.profile=json-server", "--set", "fault=mixed",
      "--set", "fault.every=7", "--set", "fault.on=writes",
    ])
    source = try await DemoProcess.start([
      "--memory", "--seed", "0", "--set", "jsonplaceholder.profile=json-server",
    ])
    let stanza = "\"plugin\": \"\(backend.plugin)\", \"resource\": \"\(backend.resource)\""
    config = try home.write(
      """
      {"switchboard": 1, "default": "it", "backends": {
        "it": {"url": "\(demo.base(backend.plugin))", \(stanza)},
        "source": {"url": "\(source.base(backend.plugin))", \(stanza)}}}
      """, to: "config.json")
  }

  /// A file of records with titles of their own.
  func rows(_ numbers: Range<Int>, in name: String = "rows.ndjson") throws -> String {
    try home.write(numbers.map { "{\"title\":\"made \($0)\",\(backend.fields)}\n" }.joined(), to: name)
  }

  func line(_ work: KilledBulkTests.Work, _ count: Int) throws -> String {
    let retry = "--jobs 4 --retry 5"
    switch work {
    case .create: return "create --from \(try rows(0..<count)) \(retry)"
    case .update: return "update title=changed --where 'title is not null' --yes \(retry)"
    case .delete: return "delete --where 'title is not null' --yes \(retry)"
    case .undo: return "undo --all-runs --writes \(count) --yes"
    }
  }

  func run(_ line: String) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config, "-c", line], in: home)
  }

  /// Returns the output of a command that is killed once the server has received so many requests.
  func killed(_ line: String, after place: Int) async throws -> String {
    _ = try await demo.send("DELETE", "/_demo/requests")
    let output = home.folder.appending(path: "output").path
    // Pipes that nobody reads from would hold up the console.
    let program = ConsoleRun.executable.path
    let console = try ConsoleRun.start(
      ["-c", "exec \"$0\" \"$@\" > \(output) 2> \(output).errors", program, "--config", config, "-c", line], in: home,
      executable: "/bin/sh")
    while try await demo.send("GET", "/_demo/requests").object()["total"] as? Int ?? 0 < place {
      let state = try String(contentsOfFile: "/proc/\(console.id)/stat", encoding: .utf8)
      if state.contains(") Z ") { break }
    }
    _ = try await console.end(by: SIGKILL)
    return try String(contentsOfFile: output, encoding: .utf8)
  }

  /// The identifiers that a command has told with a word, without a line that was cut.
  func reported(_ word: String, in output: String) -> [String] {
    let whole = output[..<(output.lastIndex(of: "\n") ?? output.startIndex)]
    return whole.split(separator: "\n").compactMap { line in
      guard let range = line.range(of: "\(word) \(backend.resource)/") else { return nil }
      return String(line[range.upperBound...].prefix { $0 != ":" && $0 != " " })
    }
  }

  /// Has the outcome of every write found out.
  func settle() async throws {
    let deadline = ContinuousClock.now + .seconds(180)
    var run: ConsoleRun
    repeat { run = try await self.run("journal check") } while run.status == 6 && ContinuousClock.now < deadline
    #expect(run.status == 0, "\(run.output) \(run.errors)")
  }

  /// The records as the server's file has them.
  func stored() throws -> [Stored] {
    let text = try Program.run(
      "python3", "-c",
      """
      import json, sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute(
        "SELECT id, json FROM documents WHERE dialect = ? AND collection IN (?, 'resource/' || ?) ORDER BY position", sys.argv[2:])
      print(json.dumps([{"id": i, "title": json.loads(j).get("title")} for i, j in rows]))
      """, file, backend.plugin, backend.resource, backend.resource)
    let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    return rows.map { Stored(id: $0["id"] as? String ?? "", title: $0["title"] as? String ?? "") }
  }

  /// The lines of the journal, and what they say.
  private func journal() async throws -> [(Substring, [String: Any])] {
    let run = try await run("journal --all -o ndjson")
    #expect(run.status == 0)
    return try run.output.split(separator: "\n").map {
      ($0, try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:])
    }
  }

  /// Holds the creations of records that are to stay, and the deletions, that the journal says were done against what is stored.
  func expectJournal(_ stored: [Stored], before: [Stored], staying: Set<String>) async throws {
    let old = Dictionary(before.map { ($0.id, $0.title) }) { first, _ in first }
    let titles = Set(stored.map(\.title))
    for (line, entry) in try await journal() {
      guard entry["outcome"] as? String == "done" else { continue }
      if entry["verb"] as? String == "create", let sent = (entry["sent"] as? [String: Any])?["title"] as? String {
        let isThere = titles.contains(sent)
        #expect(isThere || !staying.contains(sent), "\(line)")
      }
      if entry["verb"] as? String == "delete", let title = old[entry["id"] as? String ?? ""] {
        let isThere = titles.contains(title)
        #expect(!isThere, "\(line)")
      }
    }
  }

  /// Holds the entries of the journal against what is stored.
  func expectJournal(of work: KilledBulkTests.Work, _ stored: [Stored], _ before: [Stored]) async throws {
    let titles = Dictionary(stored.map { ($0.id, $0.title) }) { first, _ in first }
    let old = Dictionary(before.map { ($0.id, $0.title) }) { first, _ in first }
    let made = Set(stored.map(\.title))
    var entries: [(name: String, isDone: Bool, isSo: Bool, line: Substring)] = []
    for (line, entry) in try await journal() {
      if work == .undo, entry["undoes"] == nil { continue }
      let id = entry["id"] as? String ?? ""
      let sent = (entry["sent"] as? [String: Any])?["title"] as? String ?? ""
      let isSo =
        switch work {
        case .create: made.contains(sent) && (id.isEmpty || titles[id] == sent)
        case .update: titles[id] == "changed"
        case .delete: titles[id] == nil
        case .undo: titles[id] == old[id]
        }
      entries.append((work == .create ? sent : id, entry["outcome"] as? String == "done", isSo, line))
    }
    // One that failed may have been tried again, and done.
    let done = Set(entries.filter(\.isDone).map(\.name))
    let wrong = entries.filter { $0.isDone != $0.isSo && ($0.isDone || !done.contains($0.name)) }.map(\.line)
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }
}
