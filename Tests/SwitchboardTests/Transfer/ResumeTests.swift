import BackendKit
import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// Imports that were killed, and the input that they are continued with.
@Suite("An import that was killed, and its input") struct ResumeTests {
  let service: UndecidedService

  init() async throws { service = try await UndecidedService() }

  /// Kills an import of four rows: two are written, the third is sent and not answered.
  private func kill(_ command: String, input: String = "") async throws {
    try service.set("hold", after: 2)
    try await service.kill(command, after: 3, input: input)
    try service.set("answer")
    try service.emptyLog()
  }

  private static let other = #"{"title":"row 0","rank":0}"# + "\n" + #"{"title":"other","rank":9}"# + "\n"

  /// Kills an import, and puts another file with a row in common in the place of its input; returns the command.
  private func replaced() async throws -> String {
    let path = try service.rows(4)
    let command = "import it \(path) --jobs 1 --settle 0"
    try await kill(command)
    _ = try service.home.write(Self.other, to: "rows.ndjson")
    return command
  }

  @Test("a temporary file that a killed run has left is deleted a day later") func spill() async throws {
    let command = "import it \(try service.rows(4)) --jobs 1 --settle 0"
    try await kill(command)
    let folder = service.home.folder.path + "/state/switchboard/transfers"
    for (name, age) in [("1.spill", 90_000.0), ("2.spill", 60)] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(folder)/\(name)")
    }
    try await service.run(command).succeeded()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["2.spill"])
  }

  @Test("a row whose outcome is unknown has a line that says so") func unknown() async throws {
    try service.set("drop", after: 1)
    let run = try await service.run("import it \(try service.rows(2)) --jobs 1 --settle 0")
    #expect(run.status == 6, "\(run.errors)")
    let folder = service.home.folder.path + "/state/switchboard/transfers"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let texts = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    let lines = texts.flatMap { $0.split(separator: "\n") }
    #expect(lines.count { $0.hasPrefix("done\t") } == 1 && lines.count { $0.hasPrefix("unknown\t") } == 1, "\(lines)")
  }

  @Test("a row that the service may create later is not sent again") func accepted() async throws {
    try service.set("later", after: 1)
    let command = "import it \(try service.rows(2)) --jobs 1 --settle 0"
    #expect(try await service.run(command).status == 6)
    try service.set("answer")
    try service.emptyLog()
    try await service.run(command).failed(6, saying: "may still create it")
    let check = try await service.run("journal check")
    #expect(check.status == 6 && check.output.contains("may still carry it out"), "\(check.output)")
    #expect(try service.requests().allSatisfy { !$0.hasPrefix("POST") })
  }

  @Test("rows with the present time are those of the run before") func passing() async throws {
    try service.set("refuse", after: 1)
    let command = "import it \(try service.rows(3)) hint=now --map \"name='x' + day(now)\" --jobs 1 --settle 0"
    let first = try await service.run(command)
    #expect(first.status == 5, "\(first.errors)")
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 2", "row 1"])
  }

  @Test(
    "a console that is killed behind an import has not told that it was done: the same command creates nothing twice")
  func killedBehind() async throws {
    let command = "import it \(try service.rows(3)) --jobs 1 --settle 0"
    _ = try await service.home.runProgram("", ["--allow-shell", "-c", command, "-c", "!kill -9 $PPID"])
    let again = try await service.run(command)
    #expect(again.status == 0 && again.errors.contains("3 records were written by an earlier run"), "\(again.errors)")
    #expect(try service.titles().count == 3)
    // Whoever was told may want them again, in this process or another one.
    try await service.run(command, command).succeeded()
    #expect(try service.titles().count == 9)
  }

  static let signals: [(name: String, status: Int)] = [("INT", 130), ("TERM", 143), ("HUP", 129)]

  @Test("a run that ends with the status of a signal has not told that it was done, either", arguments: signals)
  func signaled(signal: (name: String, status: Int)) async throws {
    let command = "import it \(try service.rows(3)) --jobs 1 --settle 0"
    let run = try await service.home.runProgram(
      "", ["--allow-shell", "-c", command, "-c", "!kill -\(signal.name) $PPID", "-c", "show output"])
    #expect(run.status == signal.status && run.output.contains("3 created"), "\(run.output)\(run.errors)")
    let again = try await service.run(command)
    #expect(again.status == 0 && again.errors.contains("3 records were written by an earlier run"), "\(again.errors)")
    #expect(try service.titles().count == 3)
    try await service.run(command).succeeded()
    #expect(try service.titles().count == 6)
  }

  @Test("nor has one that goes on with another input, whose rows stay as well", arguments: signals)
  func signaledContinuing(signal: (name: String, status: Int)) async throws {
    let command = try await replaced()
    let run = try await service.home.runProgram(
      "", ["--allow-shell", "-c", command + " --continue", "-c", "!kill -\(signal.name) $PPID", "-c", "show output"])
    #expect(run.status == signal.status, "\(run.output)\(run.errors)")
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other"])
    try await service.run(command + " --continue").succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other"])
    // That was told, and forgot no other row of the first file.
    _ = try service.rows(4)
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other", "row 3"])
  }

  @Test("nor has one whose output could not be written") func untold() async throws {
    let command = "import it \(try service.rows(3)) --jobs 1 --settle 0 -o ndjson"
    let run = try await service.home.shell(
      "\"$0\" --config \"$1\" -c \"$2\" > /dev/full; echo $?", try #require(service.home.config), command)
    #expect(run.output == "1\n", "\(run.errors)")
    try await service.run(command).succeeded()
    #expect(try service.titles().count == 3)
  }

  @Test("a record that has the identifier of an earlier one, since the service numbers anew, is not taken for that one")
  func reused() async throws {
    let command = "import it \(try service.rows(4)) --jobs 1 --settle 0"
    #expect(try await service.run(command).status == 0)
    try service.forget()
    try service.emptyLog()
    try await kill(command)
    try await service.run(command).failed(6, saying: "rows.ndjson:3: an earlier run may have created it")
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 3"])
    try await service.run(command + " --accept-undecided").succeeded()
    #expect(try service.titles().count == 4)
  }

  @Test("rows that were undone are created again by the same command") func undone() async throws {
    try service.set("refuse", after: 1)
    let command = "import it \(try service.rows(3)) --jobs 1 --settle 0"
    #expect(try await service.run(command).status == 5)
    try await service.run("undo --all-runs --yes").succeeded()
    #expect(try service.titles() == [])
    // A run that creates them again and ends early, and one that goes on from there.
    try service.set("refuse", after: 1)
    #expect(try await service.run(command).status == 5)
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 2", "row 1"])
  }

  @Test("another file of the same name ends a script with 2 before anything is sent") func refused() async throws {
    let command = try await replaced()
    let run = try await service.run(command)
    #expect(run.status == 2, "\(run.output) \(run.errors)")
    #expect(
      run.errors.contains(
        "rows.ndjson differs from the input of an earlier import, whose progress is saved (2 rows written, 1"),
      "\(run.errors)")
    #expect(run.errors.contains("--continue") && run.errors.contains("--restart"), "\(run.errors)")
    #expect(try service.requests() == [])
    // The question has changed nothing.
    _ = try service.rows(4)
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 3"])
  }

  @Test("--continue skips the row that both have, and its success forgets no other row of the first file")
  func continued() async throws {
    let command = try await replaced()
    try await service.run(command + " --continue").succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other"])
    _ = try service.rows(4)
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other", "row 3"])
  }

  @Test("a row of the first file that another one has created is not created again") func settledByAnother()
    async throws
  {
    let path = try service.rows(4)
    let command = "import it \(path) --jobs 1 --settle 0"
    try service.set("drop", after: 2)
    #expect(try await service.run(command + " --max-failures 1").status != 0)
    try service.set("answer")
    _ = try service.home.write(#"{"title":"row 2","rank":2}"# + "\n", to: "rows.ndjson")
    try await service.run(command + " --continue").succeeded()
    _ = try service.rows(4)
    try await service.run(command).succeeded()
    #expect(try service.titles().sorted() == ["row 0", "row 1", "row 2", "row 3"])
  }

  @Test("a file that has grown is continued with --continue, and then nothing is left of the first run")
  func grown() async throws {
    let path = try service.rows(4)
    let command = "import it \(path) --jobs 1 --settle 0"
    try await kill(command)
    _ = try service.rows(6)
    #expect(try await service.run(command).status == 2)
    try await service.run(command + " --continue").succeeded()
    let titles = (0..<6).map { "row \($0)" }
    #expect(try service.titles() == titles)
    _ = try service.home.write(Self.other, to: "rows.ndjson")
    try await service.run(command).succeeded()
    #expect(try service.titles() == titles + ["row 0", "other"])
  }

  @Test("--restart forgets the earlier run") func restarted() async throws {
    let command = try await replaced()
    try await service.run(command + " --restart").succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 0", "other"])
    let both = try await service.run(command + " --restart --continue")
    #expect(both.status == 2 && both.errors.contains("--restart and --continue cannot be combined"), "\(both.errors)")
  }

  @Test("a run of a version in which the order of the fields counted is continued") func earlierMarks() async throws {
    let command = "import it \(try service.rows(4)) --jobs 1 --settle 0"
    try await kill(command)
    let folder = service.home.folder.path + "/state/switchboard/transfers"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".tsv") })
    let file = URL(filePath: "\(folder)/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    var earlier = text
    for row in 0..<4 {
      let (now, before) = (#"{"rank":\#(row),"title":"row \#(row)"}"#, #"{"title":"row \#(row)","rank":\#(row)}"#)
      earlier = earlier.replacing(
        SHA256.hex(Array(now.utf8)).prefix(32), with: SHA256.hex(Array(before.utf8)).prefix(32))
    }
    #expect(earlier != text)
    try Data(earlier.utf8).write(to: file)
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 3"])
  }

  @Test("standard input counts by its content") func standardInput() async throws {
    let rows = try String(contentsOfFile: service.rows(4), encoding: .utf8)
    let command = "import it - --jobs 1 --settle 0"
    try await kill(command, input: rows)
    try await service.run(command, input: Self.other).failed(2, saying: "--continue")
    #expect(try service.requests() == [])
    try await service.run(command, input: rows).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 3"])
  }

  @Test("with a key nothing is asked: rows are matched with the records that are there") func keyed() async throws {
    let path = try service.rows(4)
    let command = "import it \(path) --key title --jobs 1 --settle 0"
    try await kill(command)
    _ = try service.home.write(Self.other, to: "rows.ndjson")
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other"])
  }

  @Test("a plan of rows that another run has sent is refused, and a dry run notes them") func planned() async throws {
    let command = "import it \(try service.rows(4)) --jobs 1 --settle 0"
    try await kill(command)
    let dry = try await service.run(command + " --dry-run").succeeded()
    #expect(dry.errors.contains("remembered (2 rows written, 1 with an unknown outcome)"), "\(dry.errors)")
    let plan = try await service.run("plan --to a.plan " + command)
    #expect(plan.status == 1 && plan.errors.contains("a plan would create them again"), "\(plan.errors)")
    #expect(plan.errors.contains("--restart"), "\(plan.errors)")
    try await service.run("plan --to a.plan " + command + " --restart").succeeded()
    #expect(try service.requests().allSatisfy { $0.hasPrefix("GET ") })
    // Neither has changed what the import knows.
    try await service.run(command).succeeded()
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "row 3"])
  }

  @Test("a terminal asks") func asks() async throws {
    _ = try await replaced()
    let console = try service.terminal()
    let terminal = console.terminal
    let command = "import it rows.ndjson --jobs 1 --settle 0"
    try terminal.enter(command, expecting: "[c/r/N]")
    try terminal.enter("", expecting: "nothing was sent")
    #expect(try service.requests().allSatisfy { $0.hasPrefix("GET ") })
    try console.clear()
    try terminal.enter(command, expecting: "[c/r/N]")
    try terminal.enter("c", expecting: "1 created")
    #expect(try service.titles() == ["row 0", "row 1", "row 2", "other"])
  }
}
