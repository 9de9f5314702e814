import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Commands over many records that are killed amid their work, over a network with faults: nothing is done twice, what was said and
/// what the journal says is what the server's file holds, and what nobody knew is found out afterwards.
///
/// `SWITCHBOARD_TEST_KILLS` repeats that so many times on every backend, with ten times the records.
@Suite("Many records, and a kill") struct KilledBulkTests {
  static let rounds = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_KILLS"].flatMap { Int($0) } ?? 0
  static let count = rounds == 0 ? 200 : 2_000

  enum Work: String, CaseIterable, Sendable {
    case create, update, delete, undo
  }

  struct Kill: Sendable, CustomTestStringConvertible {
    let work: Work
    let backend: KilledBackend
    let round: Int
    var testDescription: String { "\(work) on \(backend.plugin), \(round)" }
  }

  static let kills = (0..<max(1, rounds)).flatMap { round in
    (rounds == 0 ? [KilledBackend.kitura] : KilledBackend.all).flatMap { backend in
      Work.allCases.map { Kill(work: $0, backend: backend, round: round) }
    }
  }

  @Test("nothing is done twice, and what was said is so", arguments: kills) func kill(_ kill: Kill) async throws {
    var numbers = HostileNames(row: kill.round * 10 + (Work.allCases.firstIndex(of: kill.work) ?? 0))
    let console = try await KilledConsole(kill.backend, records: kill.work == .create ? 0 : Self.count)
    let before = try console.stored()
    if kill.work == .undo {
      // What a fault has kept from being written is written by the next.
      while try console.stored().contains(where: { $0.title != "changed" }) {
        _ = try await console.run(console.line(.update, Self.count))
        try await console.settle()
      }
    }
    // A read of the list, and for an undo one of each record.
    let reads = kill.work == .undo ? Self.count : 0
    let place = reads + Int.random(in: 1...Self.count, using: &numbers)
    let output = try await console.killed(console.line(kill.work, Self.count), after: place)
    try await console.settle()
    let stored = try console.stored()
    let titles = stored.map(\.title)
    let comment = Comment(rawValue: "killed after \(place) requests, seed \(HostileNames.seed)")
    switch kill.work {
    case .create:
      #expect(Set(titles).count == titles.count, comment)
      #expect(console.told("created", in: output).allSatisfy { id in stored.contains { $0.id == id } }, comment)
    case .update:
      #expect(stored.count == before.count, comment)
      #expect(
        console.told("updated", in: output).allSatisfy { id in stored.contains { $0.id == id && $0.title == "changed" }
        },
        comment)
    case .delete:
      #expect(console.told("deleted", in: output).allSatisfy { id in !stored.contains { $0.id == id } }, comment)
    case .undo:
      #expect(stored.count == before.count, comment)
      let undone = console.told("updated", in: output)
      #expect(
        undone.allSatisfy { id in
          stored.first { $0.id == id }?.title == before.first { $0.id == id }?.title
        }, comment)
    }
    try await console.expectJournal(of: kill.work, stored, before)
    guard kill.work == .undo else { return }
    // What is left is taken back by the same command; what was taken back is not touched again.
    for _ in 0..<20 where try console.stored() != before {
      _ = try await console.run("undo \(Self.count) --yes")
      try await console.settle()
    }
    #expect(try console.stored() == before, comment)
  }
}

/// A kind of server whose records are written and killed.
struct KilledBackend: Sendable {
  let plugin: String
  let resource: String
  /// The fields that a new record needs beside its title.
  let fields: String

  static let kitura = KilledBackend(plugin: "kitura", resource: "todos", fields: #""user":"ana","order":7"#)
  static let all = [
    kitura, KilledBackend(plugin: "grails", resource: "announcements", fields: #""body":"text""#),
    KilledBackend(plugin: "jsonplaceholder", resource: "todos", fields: #""userId":1,"completed":false"#),
    KilledBackend(plugin: "baasic", resource: "todo", fields: #""completed":false"#),
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
  private let backend: KilledBackend
  private let config: String
  private let file: String

  init(_ backend: KilledBackend, records: Int) async throws {
    self.backend = backend
    home = try ConsoleRun.Home()
    file = home.folder.appending(path: "demo.sqlite").path
    // Two of a hundred writes meet each of the seven faults.
    demo = try await DemoProcess.start([
      "--data", file, "--seed", "\(records)", "--set", "jsonplaceholder.profile=json-server", "--set", "fault=mixed",
      "--set", "fault.every=7", "--set", "fault.on=writes",
    ])
    config = try home.write(
      """
      {"switchboard": 1, "default": "it", "backends": {
        "it": {"plugin": "\(backend.plugin)", "url": "\(demo.base(backend.plugin))", "resource": "\(backend.resource)"}}}
      """, to: "config.json")
  }

  func line(_ work: KilledBulkTests.Work, _ count: Int) throws -> String {
    let retry = "--jobs 4 --retry 5"
    switch work {
    case .create:
      let rows = (0..<count).map { "{\"title\":\"made \($0)\",\(backend.fields)}\n" }.joined()
      return "create --from \(try home.write(rows, to: "rows.ndjson")) \(retry)"
    case .update: return "update title=changed --where 'title is not null' --yes \(retry)"
    case .delete: return "delete --where 'title is not null' --yes \(retry)"
    case .undo: return "undo \(count) --yes"
    }
  }

  func run(_ line: String) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config, "-c", line], in: home)
  }

  /// What a command has said until it was killed, once the server had seen so many requests.
  func killed(_ line: String, after place: Int) async throws -> String {
    _ = try await demo.send("DELETE", "/_demo/requests")
    let output = home.folder.appending(path: "output").path
    // A pipe that nobody reads from would hold up the console.
    let console = try ConsoleRun.start(
      ["-c", "exec \"$0\" \"$@\" > \(output)", ConsoleRun.executable.path, "--config", config, "-c", line], in: home,
      executable: "/bin/sh")
    while try await demo.send("GET", "/_demo/requests").object()["total"] as? Int ?? 0 < place {
      let state = try String(contentsOfFile: "/proc/\(console.id)/stat", encoding: .utf8)
      if state.contains(") Z ") { break }
    }
    _ = try await console.end(by: SIGKILL)
    return try String(contentsOfFile: output, encoding: .utf8)
  }

  /// The identifiers that a command has told with a word, without a line that was cut.
  func told(_ word: String, in output: String) -> [String] {
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
        "SELECT id, json FROM documents WHERE dialect = ? AND collection IN (?, 'resources/' || ?) ORDER BY position", sys.argv[2:])
      print(json.dumps([{"id": i, "title": json.loads(j).get("title")} for i, j in rows]))
      """, file, backend.plugin, backend.resource, backend.resource)
    let rows = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    return rows.map { Stored(id: $0["id"] as? String ?? "", title: $0["title"] as? String ?? "") }
  }

  /// Holds the entries of the journal against what is stored.
  func expectJournal(of work: KilledBulkTests.Work, _ stored: [Stored], _ before: [Stored]) async throws {
    let run = try await run("journal --all -o ndjson")
    #expect(run.status == 0)
    let titles = Dictionary(stored.map { ($0.id, $0.title) }) { first, _ in first }
    let old = Dictionary(before.map { ($0.id, $0.title) }) { first, _ in first }
    let made = Set(stored.map(\.title))
    var entries: [(name: String, isDone: Bool, isSo: Bool, line: Substring)] = []
    for line in run.output.split(separator: "\n") {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
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
