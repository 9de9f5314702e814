import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Transfers that are cut off, that meet faults, and that go where questions are asked.
@Suite("Transfers that are cut off") struct TransferEndTests {
  /// The rows of a table whose title begins so.
  private func rows(_ servers: TransferServers, of backend: String = "kempty") async throws -> [String] {
    let run = try await servers.run(["export \(backend) --fields title --sort title -o csv --no-header"]).succeeded()
    return run.output.split(separator: "\n").map(String.init)
  }

  /// A file of so many rows, and what their titles are.
  private func file(_ count: Int, _ servers: TransferServers) throws -> (path: String, titles: [String]) {
    let titles = (0..<count).map { "row \(1000 + $0)" }
    let text = "title,user,order\n" + titles.map { "\($0),ana,1\n" }.joined()
    return (try servers.home.write(text, to: "rows.csv"), titles)
  }

  /// Kills a console once the server has had so many requests that write.
  private func kill(_ arguments: [String], at count: Int, _ servers: TransferServers) async throws {
    let console = try ConsoleRun.start(["--config", servers.config] + arguments, in: servers.home)
    try await servers.empty.waitForRequests(of: "kitura", atLeast: count)
    _ = try await console.end(by: SIGKILL)
  }

  @Test("killed at any point, with a key, the same command loses and doubles nothing", arguments: [3, 60, 150])
  func keyed(point: Int) async throws {
    let servers = try await TransferServers(onSockets: true)
    let (path, titles) = try file(200, servers)
    let command = "import kempty \(path) --key title --jobs 4 --settle 1"
    try await kill(["-c", command], at: point, servers)
    try await servers.run([command]).succeeded()
    #expect(try await rows(servers) == titles)
  }

  @Test(
    "killed at any point, without a key, nothing is doubled, and each undecided row is named", arguments: [3, 60, 150])
  func unkeyed(point: Int) async throws {
    let servers = try await TransferServers(onSockets: true)
    let (path, titles) = try file(200, servers)
    let command = "import kempty \(path) --jobs 4 --settle 1"
    try await kill(["-c", command], at: point, servers)
    let again = try await servers.run([command])
    #expect(again.status == 0 || again.status == 6, "\(again.errors)")
    let there = try await rows(servers)
    #expect(there.count == Set(there).count)
    let lost = Set(titles).subtracting(there)
    let named = lost.filter { title in
      let line = (Int(title.dropFirst(4)) ?? 0) - 1000 + 2
      return again.errors.contains("rows.csv:\(line)")
    }
    #expect(lost == named, "\(again.errors)")
    // An undecided row stays so, and nothing else is done.
    let third = try await servers.run([command])
    #expect(third.status == again.status || again.status == 0)
    if again.status != 0 { #expect(try await rows(servers) == there) }
  }

  @Test("sync under faults ends equal after some runs, and says what failed") func faults() async throws {
    let servers = try await TransferServers(seed: 60)
    var statuses: [Int] = []
    for fault in ["hangup", "drop", "badgateway", "truncate", "unavailable", "hangup"] {
      // Some of the writes get no response, or an error; some of those were carried out.
      let faulty = try await servers.another("fault=\(fault)", "fault.on=writes", "fault.count=5")
      let run = try await servers.run(["sync k kitura:\(faulty.base("kitura")) --key title --jobs 4 --max-failures 5"])
      statuses.append(Int(run.status))
      faulty.stop()
    }
    #expect(statuses.contains { $0 != 0 }, "no fault was met")
    let last = try await servers.run(["sync k kempty --key title --settle 0", "diff k kempty --key title -o ndjson"])
    #expect(last.status == 0 && !last.output.contains("{"), "\(statuses) \(last.errors)")
    let titles = try await rows(servers)
    #expect(titles.count == 60 && Set(titles).count == 60)
  }

  @Test("deletions that fail do not hide the changes before them") func failedDeletions() async throws {
    let servers = try await TransferServers()
    try await servers.run(["copy k kempty --key title", "update kempty --where order=1 user=other --yes"]).succeeded()
    let faulty = try await servers.another("fault=badgateway", "fault.on=writes", "fault.every=2")
    let sync = "sync k kitura:\(faulty.base("kitura")) --key title --where order<3 --delete --max-delete 100% --yes"
    let run = try await servers.run([sync + " --max-failures 1 --jobs 1"])
    #expect(run.status == 6 || run.status == 5, "\(run.errors)")
    #expect(run.errors.contains("; before that, 1 record was created or updated"), "\(run.output)\(run.errors)")
  }

  @Test("into production the number of writes is the answer, and out of it a yes") func labels() async throws {
    let first = try await TransferServers()
    let servers = try await TransferServers(more: [
      "prod": ["plugin": "kitura", "url": first.empty.base("kitura"), "label": "production"],
      "live": ["plugin": "kitura", "url": first.full.base("kitura"), "label": "production"],
    ])
    let plain = try await servers.run(["copy k prod --key title --yes"])
    #expect(plain.status != 0 && plain.errors.contains("needs --yes=20"), "\(plain.errors)")
    #expect(plain.errors.contains("\nprod/todos (production): 20 to create; 20 requests at "))
    try await servers.run(["copy k prod --key title --yes=19"]).failed(saying: "the plan is for 20")
    let right = try await servers.run(["copy k prod --key title --yes=20", "count prod"])
    #expect(right.output == "20 created\n20\n", "\(right.errors)")
    let out = try await servers.run(["copy live kempty --key title"])
    #expect(out.status != 0 && out.errors.contains("copy live/todos (production) to kempty/todos"), "\(out.errors)")
    #expect(try await servers.run(["copy live kempty --key title --yes", "count kempty"]).output == "20 created\n20\n")
  }

  @Test("a value that the server stores otherwise is reported once and not sent again") func notKeptAsSent()
    async throws
  {
    let servers = try await TransferServers()
    // The service trims what it is sent.
    let file = try servers.home.write("title,body\nspaced,\" x \"\n", to: "spaced.csv")
    let first = try await servers.run(["import g \(file) --key title"]).succeeded()
    #expect(first.errors.contains("g does not store body as sent"), "\(first.errors)")
    try await servers.run(["import g \(file) --key title"]).succeeded(printing: "g/announcements: 1 unchanged\n")
    // A comparison shows it all the same.
    let compared = try await servers.run(["diff --from \(file) g --key title -o ndjson"])
    #expect(compared.output.contains(#"spaced.csv":" x ","g/announcements":"x""#), "\(compared.output)")
    #expect(compared.errors.contains("1 difference made by g/announcements"), "\(compared.errors)")
    let changed = try await servers.run([
      "update g --where title=spaced body=other --yes", "import g \(file) --key title",
    ])
    #expect(changed.output.contains("1 updated"), "\(changed.output) \(changed.errors)")
  }

  @Test("the log counts updates and deletions of one command together") func logged() async throws {
    let servers = try await TransferServers()
    try await servers.run([
      "copy k kempty", "update kempty 0 1 order=99", "create kempty title=extra order=1 user=ana",
    ]).succeeded()
    let log = servers.home.folder.path + "/sync.log"
    try await servers.run(["sync k kempty --key title --delete --yes"], ["--log", log]).succeeded()
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains(#""records":3"#))
  }

  @Test("a file of rejects whose name says another format is refused", arguments: ["csv", "tsv", "yaml"])
  func rejectsName(format: String) async throws {
    let servers = try await TransferServers()
    let left = servers.home.folder.path + "/left.\(format)"
    let run = try await servers.run(["copy k kempty --rejects \(left)"])
    #expect(run.status == 1 && run.errors.contains("--rejects writes ndjson here"), "\(run.errors)")
    #expect(try await servers.run(["count kempty"]).output == "0\n")
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test("several resources keep their references") func references() async throws {
    let servers = try await TransferServers()
    func backend(_ name: String, _ demo: any RunningDemo) -> String {
      #""\#(name)": {"plugin": "jsonplaceholder", "url": "\#(demo.base("jsonplaceholder"))"}"#
    }
    let home = try ConsoleRun.Home(
      configuration:
        #"{"default": "a", "backends": {\#(backend("a", servers.full)), \#(backend("z", servers.empty))}}"#)
    let dry = try await home.run(commands: "copy a z --resources users,todos --new-fields --dry-run")
    #expect(dry.errors.contains("the requests show placeholders for userId of a/todos/"), "\(dry.errors)")
    let run = try await home.run(
      commands: "create z/users name=first", "copy a z --resources users,todos --new-fields",
      "list z/todos --with userId --limit 5 -o ndjson", "list a/todos --with userId --limit 5 -o ndjson"
    ).succeeded()
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("{") }
    #expect(lines.count == 10, "\(run.output.prefix(2000))")
    func names(_ line: Substring) throws -> [String] {
      let object: [String: Any] = try line.json()
      let user = object.values.compactMap { $0 as? [String: Any] }.first
      return [object["title"], user?["name"]].map { "\($0 ?? "")" }
    }
    #expect(try lines.prefix(5).map(names) == lines.suffix(5).map(names))
  }
}
