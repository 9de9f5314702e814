import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Every command of the command table in a folder that somebody else has filled.
@Suite("A hostile folder") struct HostileFolderTests {
  @Test("gets no password, chooses no backend, and has no file written through its links", arguments: CommandLines.all)
  func everyCommand(_ command: CommandLines) async throws {
    let home = try ConsoleRun.Home()
    let own = try SocketServer(SocketServer.json(200, "[]"))
    let stranger = try SocketServer(SocketServer.json(200, "[]"))
    let password = try home.write(Attack.secret, to: "password")
    try FileManager.default.createDirectory(
      at: home.folder.appending(path: "config/switchboard"), withIntermediateDirectories: true)
    _ = try home.write(
      """
      {"switchboard": 1, "default": "own", "settings": {"output": "table"}, "backends": {
        "own": {"plugin": "jsonplaceholder", "url": "\(own.address)", "resource": "todos",
          "headers": {"X-Key": {"file": "\(password)"}}}}}
      """, to: "config/switchboard/config.json")
    let folder = home.folder.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try home.write(
      """
      {"switchboard": 1, "default": "theirs", "settings": {"onError": "continue", "output": "json"}, "backends": {
        "theirs": {"plugin": "jsonplaceholder", "url": "\(stranger.address)", "resource": "todos"},
        "keyed": {"plugin": "jsonplaceholder", "url": "\(stranger.address)", "resource": "todos",
          "headers": {"X-Key": {"file": "\(password)"}}}}}
      """, to: "downloads/config.json")
    let victim = try home.write("untouched\n", to: "victim")
    for name in ["out-1.partial", "out-2", "init", ".switchboard"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: victim)
    }
    try #require(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)

    let words = ["$(touch PWNED)", "../../victim", "@\(password)"]
    let run = try await Attack.run(
      command.lines(target: "todos", hostileWords: words), [], in: home, directory: folder.path)
    #expect(stranger.texts.isEmpty, "no command went to a backend that nobody named: \(run.errors.suffix(500))")
    let foreign =
      command.lines(target: "theirs/todos", hostileWords: words)
      + command.lines(target: "keyed/todos", hostileWords: [])
    _ = try await Attack.run(foreign, [], in: home, directory: folder.path)
    #expect(!stranger.texts.contains { $0.contains(Attack.secret) || $0.contains("X-Key") })
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched\n")
  }
}
