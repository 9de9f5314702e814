import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Obstacles to writing the journal, and the properties its file may not have.
@Suite("The journal's file") struct JournalFileTests {
  private static let write = "update json/todos 3 title=new\nupdate json/todos 4 title=new\n"

  /// Makes the journal unusable; the words that say why.
  enum Obstacle: String, CaseIterable, Sendable {
    case noFolder, foreignFolder, link, newer, damaged, noHome

    var words: String {
      switch self {
      case .noFolder: "Not a directory"
      case .foreignFolder: "is accessible to others"
      case .link: "it is a link"
      case .newer: "it has version 99, and this console reads versions up to 4"
      case .damaged: "file is not a database"
      case .noHome: "set HOME or XDG_STATE_HOME"
      }
    }
  }

  private func prepare(_ obstacle: Obstacle, _ console: JournalConsole) async throws {
    let files = FileManager.default
    let state = console.home.folder.path + "/state/switchboard"
    switch obstacle {
    case .noFolder:
      try files.createDirectory(atPath: state, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: console.folder))
    case .foreignFolder:
      try files.createDirectory(atPath: console.folder, withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: console.folder)
    case .link:
      try files.createDirectory(
        atPath: console.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try files.createSymbolicLink(
        atPath: console.file, withDestinationPath: console.home.folder.path + "/elsewhere.db")
    case .newer:
      _ = try await console.run("update json/todos 1 title=old --yes\n")
      try console.sql("PRAGMA user_version = 99")
    case .damaged:
      try files.createDirectory(
        atPath: console.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: console.file))
    case .noHome: break
    }
  }

  private func variables(_ obstacle: Obstacle) -> [String: String] {
    obstacle == .noHome ? ["HOME": "", "XDG_STATE_HOME": ""] : [:]
  }

  @Test("where it cannot be written there is one warning, and the writes go on", arguments: Obstacle.allCases)
  func warning(_ obstacle: Obstacle) async throws {
    let console = try await JournalConsole()
    try await prepare(obstacle, console)
    let run = try await console.run(Self.write, variables: variables(obstacle))
    #expect(run.status == 0)
    #expect(run.errors.contains("cannot be written: "), "\(run.errors)")
    #expect(run.errors.contains(obstacle.words), "\(run.errors)")
    #expect(run.errors.components(separatedBy: "writes continue without it").count == 2, "\(run.errors)")
    #expect(try await console.demo.send("GET", "/jsonplaceholder/todos/4").object()["title"] as? String == "new")
    #expect(!FileManager.default.fileExists(atPath: console.home.folder.path + "/elsewhere.db"))
  }

  @Test("where it is required nothing is sent, and the status is 3", arguments: Obstacle.allCases)
  func required(_ obstacle: Obstacle) async throws {
    for backend in ["\"journal\": \"required\"", "\"label\": \"production\""] {
      let console = try await JournalConsole(backend: backend)
      try await prepare(obstacle, console)
      let before = try await console.demo.send("GET", "/jsonplaceholder/todos/3").object()["title"] as? String
      let run = try await console.run("update json/todos 3 title=new --yes\n", variables: variables(obstacle))
      #expect(run.status == 3)
      #expect(run.errors.contains("nothing was sent"), "\(run.errors)")
      #expect(run.errors.contains(obstacle.words), "\(run.errors)")
      let after = try await console.demo.send("GET", "/jsonplaceholder/todos/3").object()["title"] as? String
      #expect(after == before)
    }
  }

  @Test("of several rows none is sent where the journal is required, and the first says why")
  func requiredRows() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"required\"")
    try await prepare(.link, console)
    let run = try await console.run("delete json/todos 1 2 3 --yes\n")
    #expect(run.status == 3)
    #expect(run.errors.components(separatedBy: "it is a link").count == 2, "\(run.errors)")
    #expect(try await console.demo.send("GET", "/jsonplaceholder/todos/1").status == 200)
  }

  @Test("what is old is deleted, but never a write whose outcome is unknown") func retention() async throws {
    let console = try await JournalConsole(whole: "\"journalKeep\": {\"days\": 10, \"megabytes\": 1}")
    _ = try await console.run((0..<4).map { "create json/todos title=t\($0)\n" }.joined())
    try console.sql(
      "UPDATE entry SET began = 1000 WHERE number < 3; UPDATE entry SET outcome = 'unknown' WHERE number = 2")
    _ = try await console.run("create json/todos title=later\n")
    let kept = try await console.entries().compactMap { $0["number"] as? Int }
    #expect(kept == [5, 4, 3, 2])
    _ = try await console.run((0..<110).map { "create json/todos title=t\($0)\n" }.joined())
    try console.sql("UPDATE entry SET sent = '{\"fields\":{\"t\":\"' || hex(zeroblob(10000)) || '\"}}'")
    _ = try await console.run("create json/todos title=last\n")
    let rest = try await console.entries().compactMap { $0["number"] as? Int }
    #expect(rest.count == 102 && rest.last == 2, "\(rest): the oldest go first where the file is too large")
  }

  @Test(
    "a configuration that says something else of the journal is refused with its place",
    arguments: [
      ("\"journal\": \"sometimes\"", "it is off, on, full, required"), ("\"journal\": \"off, full\"", "it is off"),
      ("\"journal\": true", "expected text"),
    ])
  func configuration(text: String, sentence: String) async throws {
    let console = try await JournalConsole(backend: text)
    let run = try await console.run("list\n")
    #expect(run.status == 3 && run.errors.contains(sentence), "\(run.errors)")
  }
}
