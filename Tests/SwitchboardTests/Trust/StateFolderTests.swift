import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The files that the console keeps for itself and those it is told to read: their owners, and the absence of expected
/// ones.
@Suite("The state folder and files that are read") struct StateFolderTests {
  private static var files: FileManager { .default }

  /// The title of a record, as the demo has it.
  private func title(_ console: JournalConsole) async throws -> String? {
    try await console.demo.send("GET", "/jsonplaceholder/todos/3").object()["title"] as? String
  }

  // MARK: The journal

  @Test(
    "how much is journaled does not make the journal of a production system dispensable",
    arguments: [
      ("", "\"journal\": \"full\""), ("", "\"journal\": \"on\""), (", \"journal\": \"full\"", ""),
      (", \"journal\": \"full\"", "\"journal\": \"on\""),
    ])
  func required(backend: String, whole: String) async throws {
    let console = try await JournalConsole(backend: "\"label\": \"production\"\(backend)", whole: whole)
    try Self.files.createDirectory(atPath: console.folder, withIntermediateDirectories: true)
    try Self.files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: console.folder)
    let before = try await title(console)
    let run = try await console.run("update json/todos 3 title=new --yes\n")
    #expect((run.status, try await title(console)) == (3, before), "\(run.errors)")
    #expect(run.errors.contains("nothing was sent") && run.errors.contains("is accessible to others"), "\(run.errors)")
  }

  @Test(
    "a production system is written to without a journal if its own entry says on or off",
    arguments: ["on", "off"])
  func dispensable(policy: String) async throws {
    let console = try await JournalConsole(backend: "\"label\": \"production\", \"journal\": \"\(policy)\"")
    try Self.files.createDirectory(atPath: console.folder, withIntermediateDirectories: true)
    try Self.files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: console.folder)
    let run = try await console.run("update json/todos 3 title=new --yes\n")
    #expect((run.status, try await title(console)) == (0, "new"), "\(run.errors)")
  }

  @Test("an empty file in the place of a history is reported, and none is begun in its place")
  func empty() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"required\"")
    #expect(try await console.run("update json/todos 3 title=first\n").status == 0)
    try Data().write(to: URL(filePath: console.file))
    for suffix in ["-wal", "-shm"] where Self.files.fileExists(atPath: console.file + suffix) {
      try Self.files.removeItem(atPath: console.file + suffix)
    }
    let run = try await console.run("update json/todos 3 title=second\n")
    #expect((run.status, try await title(console)) == (3, "first"))
    #expect(run.errors.contains("it is empty: its entries are gone"), "\(run.errors)")
    let shown = try await console.run("journal\n")
    #expect(shown.status != 0 && shown.errors.contains("it is empty"), "\(shown.errors)")
    #expect(try Data(contentsOf: URL(filePath: console.file)).isEmpty)
    try Self.files.removeItem(atPath: console.file)
    #expect(try await console.run("update json/todos 3 title=third\n").status == 0)
    #expect(try await console.entries().count == 1)
  }

  @Test("a history that is missing next to its log is reported") func missing() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"required\"")
    #expect(try await console.run("update json/todos 3 title=first\n").status == 0)
    try Self.files.removeItem(atPath: console.file)
    try Data("log".utf8).write(to: URL(filePath: console.file + "-wal"))
    let run = try await console.run("update json/todos 3 title=second\n")
    #expect((run.status, try await title(console)) == (3, "first"))
    #expect(run.errors.contains("it is missing, but its file journal.db-wal"), "\(run.errors)")
    #expect(!Self.files.fileExists(atPath: console.file))
  }

  @Test("consoles that begin the journal at the same time all write to it") func together() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"required\"", asProgram: true)
    try await withThrowingTaskGroup(of: ConsoleRun.self) { group in
      for number in 1...5 {
        group.addTask { try await console.run("update json/todos \(number) title=new\n") }
      }
      for try await run in group { #expect(run.status == 0, "\(run.errors)") }
    }
    #expect(try await console.entries().count == 5)
  }

  // MARK: Folders

  @Test("the state folder and that of plans are judged before a plan is applied", arguments: ["", "/plans"])
  func folders(folder: String) async throws {
    let console = try await JournalConsole()
    let plan = console.home.folder.path + "/a.plan"
    #expect(try await console.run("plan --to \(plan) update json/todos 3 title=new\n").status == 0)
    let path = console.home.folder.path + "/state/switchboard" + folder
    try Self.files.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.files.createDirectory(
      atPath: console.home.folder.path + "/state/switchboard/plans", withIntermediateDirectories: true)
    try Self.files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    let before = try await title(console)
    let refused = try await console.run("apply \(plan) --yes\n")
    #expect((refused.status, try await title(console)) == (2, before), "\(refused.errors)")
    #expect(refused.errors.contains("\(path) is accessible to others (mode 0777)"), "\(refused.errors)")
    try Self.files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let applied = try await console.run("apply \(plan) --yes\n")
    #expect((applied.status, try await title(console)) == (0, "new"), "\(applied.errors)")
    #expect(try Self.files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
  }

  // Only root can give links away.
  @Test("a folder of the state that is a link of another user is not used", .enabled(if: geteuid() == 0))
  func linkedFolder() async throws {
    let console = try await JournalConsole()
    let plan = console.home.folder.path + "/a.plan"
    #expect(try await console.run("plan --to \(plan) update json/todos 3 title=new\n").status == 0)
    let (state, other) = (console.home.folder.path + "/state/switchboard", console.home.folder.path + "/other")
    for folder in [state, other] {
      try Self.files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try Self.files.createSymbolicLink(atPath: state + "/plans", withDestinationPath: other)
    try #require(lchown(state + "/plans", 65_534, 65_534) == 0)
    let before = try await title(console)
    let run = try await console.run("apply \(plan) --yes\n")
    #expect((run.status, try await title(console)) == (2, before), "\(run.errors)")
    #expect(run.errors.contains("plans is a symbolic link owned by another user (65534)"), "\(run.errors)")
    #expect(try Self.files.contentsOfDirectory(atPath: other).isEmpty)
  }

  // MARK: Files

  @Test(
    "what is reached through a link of another user is not read", .enabled(if: geteuid() == 0),
    arguments: ["description", "configuration", "plan", "secret"])
  func linkedFile(kind: String) async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer(SocketServer.json(200, "[]"))
    func link(_ name: String) throws {
      try Self.files.moveItem(atPath: home.folder.path + "/" + name, toPath: home.folder.path + "/own-" + name)
      try Self.files.createSymbolicLink(
        atPath: home.folder.path + "/" + name, withDestinationPath: home.folder.path + "/own-" + name)
      try #require(lchown(home.folder.path + "/" + name, 65_534, 65_534) == 0)
    }
    _ = try home.write("resources: {items: {page: {style: none}}}\n", to: "items.yaml")
    _ = try home.write("none\n", to: "secret")
    let more = kind == "secret" ? #", "headers": {"X-Key": {"file": "secret"}}"# : ""
    _ = try home.write(
      """
      {"switchboard": 1, "backends": {"it": {"plugin": "rest", "url": "\(server.address)",
        "description": "items.yaml"\(more)}}}
      """, to: "own.json")
    _ = try home.write(
      #"{"switchboardPlan":1,"id":"a","backend":"it","origin":"\#(server.address)","prefix":"","command":"x","time":1}"#
        + "\n{\"writes\":0}\n", to: "a.plan")
    let names = ["description": "items.yaml", "configuration": "own.json", "plan": "a.plan"]
    let name = names[kind] ?? "secret"
    try link(name)
    let command = kind == "plan" ? "apply a.plan --yes\n" : "list it/items\n"
    let run = try await ConsoleRun.run(["--config", "own.json"], input: command, in: home)
    #expect(
      run.status != 0 && run.errors.contains("\(name) is a symbolic link owned by another user (65534)"),
      "\(run.errors)")
    #expect(server.requests.isEmpty)
    // One's own link is nobody else's.
    try #require(lchown(home.folder.path + "/" + name, geteuid(), getegid()) == 0)
    let own = try await ConsoleRun.run(["--config", "own.json"], input: command, in: home)
    #expect(!own.errors.contains("is a link of"), "\(own.errors)")
  }
}
