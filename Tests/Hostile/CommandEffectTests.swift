import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLanguage
@testable import Console

/// The effects that the command table claims, checked against what the commands do.
@Suite("Effects of commands") struct CommandEffectTests {
  /// Commands with words and options as their rows name them, without those that only carry others.
  private static let commands = CommandLines.all.filter {
    StatementKeyword(rawValue: $0.name).map { $0 == .set } ?? true
  }

  @Test("a command that writes records takes --dry-run") func dryRun() {
    // These ask before they write records of their own, or need --try-writes.
    let own: Set = ["add", "backends", "conformance"]
    for lines in Self.commands where lines.command.effects.contains(.writesRecords) && !own.contains(lines.name) {
      #expect(lines.command.options.contains { $0.name == "dry-run" }, "\(lines.name)")
    }
  }

  @Test("a command does nothing that its row does not say", arguments: commands)
  func unsaid(_ lines: CommandLines) async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer { request in
      SocketServer.json(
        200, request.hasPrefix("GET /todos ") || request.hasPrefix("GET /todos?") ? "[]" : "{\"id\": 1}")
    }
    let config = try home.write(
      """
      {"switchboard": 1, "default": "it", "backends": {
        "it": {"plugin": "jsonplaceholder", "url": "\(server.address)", "resource": "todos"}}}
      """, to: "config.json")
    _ = try home.write("show perPage\n", to: "out-1")
    // Whatever writes has an entry in the journal.
    let isJournaled = !lines.command.effects.isDisjoint(with: [.writesRecords, .runsActions])
    func contents() throws -> [String: Data] {
      try home.contents().filter { !isJournaled || !$0.key.hasPrefix("state") }
    }
    let before = try contents()
    let options = ["--config", config, "--stream", "--on-error", "continue"]
    let shown = try await ConsoleRun.run(options, input: "show\n", in: home).output
    let command = lines.command
    let effects = command.effects
    for line in lines.harmless("it/todos") {
      let words = try LineLexer.words(in: line)
      let writesFiles = CommandReading(words.dropFirst(), of: command).bound { _, _ in true }.files.contains {
        $0.use == .written
      }
      if effects.isDisjoint(with: [.makesFolders, .changesConfiguration, .changesLogin]), !writesFiles {
        let run = try await ConsoleRun.run(options, input: "\(line)\nshow\n", in: home)
        #expect(try contents() == before, "\(line) changes a file")
        if !effects.contains(.changesSettings), command.name != Command.quit.name {
          #expect(run.output.hasSuffix(shown), "\(line) changes a setting")
        }
      }
      _ = try await ConsoleRun.run(["--config", config, "--check", "-c", line], in: home)
      if !writesFiles { #expect(try contents() == before, "the check of \(line) changes a file") }
    }
    if effects.isDisjoint(with: [.readsRecords, .writesRecords, .runsActions, .changesLogin]) {
      #expect(server.requests.isEmpty, "\(server.requests)")
    }
    if effects.isDisjoint(with: [.writesRecords, .runsActions, .changesLogin]) {
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") }, "\(server.requests)")
    }
  }

  @Test("only a command that reads and does nothing else asks while a result is being printed") func overlapping() {
    for command in CommandTable.commands where command.overlaps {
      #expect(command.effects.subtracting(.writesContent) == .readsRecords)
    }
  }

  @Test(
    "with words that make it read only, a command is not one that writes",
    arguments: [
      ("request DELETE get", true), ("request GET DELETE a", true), ("request GET a", false),
      ("request it head a", false), ("request POST a", true), ("request it patch a", true),
      ("conformance --read-only", false), ("conformance --list", false), ("conformance --sandbox", true),
      ("create a=b", true), ("list", false),
      // A value of an option is no option, and options before the method do not hide it.
      ("conformance todolist --only '--read-only'", true), ("request --yes it GET a", false),
      ("backends check add", false), ("backends check it --try-writes", true), ("backends check it --update", true),
      ("backends add it", true),
    ])
  func readingForms(line: String, writes: Bool) throws {
    let words = try LineLexer.words(in: line)
    let (command, reading) = try #require(CommandTable.reading(words[...]))
    #expect(command.effects(of: reading).contains(.writesRecords) == writes)
  }

  @Test("a check counts on the folders that a command before makes") func folders() async throws {
    let home = try ConsoleRun.Home()
    func check(_ commands: String...) async throws -> Int {
      try await ConsoleRun.run(["--check"] + commands.flatMap { ["-c", $0] }, in: home).status
    }
    #expect(try await check("help --to switchboard-notes/help.txt") == 2)
    #expect(try await check("plugin new notes", "help --to switchboard-notes/help.txt") == 0)
  }
}

extension ConsoleRun.Home {
  /// The files in it with their contents.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      contents[name] = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
    }
    return contents
  }
}
