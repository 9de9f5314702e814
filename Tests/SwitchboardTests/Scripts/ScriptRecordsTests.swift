import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// Scripts over more records than are kept in memory: whole programs where their memory and files count.
@Suite("Scripts over many records") struct ScriptRecordsTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(
    _ script: String, on demo: DemoProcess, _ arguments: String..., variables: [String: String] = [:]
  ) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["--config", try demo.configuration(in: home)] + arguments, input: script + "\n", in: home,
      variables: variables)
  }

  @Test("a for over 2,500 records deletes each of them once, though the others move between the pages")
  func loop() async throws {
    let world = try await World(.grails, seed: 2500)
    let run = try await world.run("for row in (list --all)\n  delete $row.id\nend\ncount")
    #expect((run.status, run.errors) == (0, ""))
    let lines = (1...2500).map { "deleted announcements/\($0)" } + ["0"]
    #expect(run.output == lines.map { $0 + "\n" }.joined())
    // 25 pages of 100 and the one after them, each deletion, and the count.
    let requests = try await world.requests()
    #expect((2500 + 25 + 1...2500 + 26 + 1).contains(requests), "\(requests)")
  }

  @Test("a capture keeps all records") func capture() async throws {
    let world = try await World(.grails, seed: 2500)
    let script = """
      update 2500 title="the last" -o id
      capture rows = list --all
      expect $rows.count = 2500
      expect $rows[999].id = 1000
      expect $rows[1000].id = 1001
      expect $rows[2499].title = "the last"
      expect $rows[2500] is missing
      capture some = list --all --limit 1700
      expect $some.count = 1700
      """
    try await world.run(script).succeeded(printing: "2500\n")
  }

  @Test("same compares each of many records, and names the first that differs") func same() async throws {
    let world = try await World(.grails, seed: 2500)
    let equal = try await world.run("expect same (list --all) (list --all --per-page 70)")
    #expect((equal.status, equal.errors) == (0, ""))
    let different = try await world.run(
      "expect same (list --all --fields id) (list --all --fields id --where 'id != 2001')")
    #expect(different.status == 1)
    #expect(different.errors.contains("expected record 2001 with {\"id\":2001}, found {\"id\":2002}\n"))
    let shorter = try await world.run("expect same (list --all --fields id) (list --limit 2400 --fields id)")
    #expect(shorter.status == 1)
    #expect(shorter.errors.contains("expected record 2401 with {\"id\":2401}, found nothing\n"))
  }

  @Test("the records beyond the first thousand wait in a file that has no name") func file() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "1100"])
    let folder = home.folder.appending(path: "tmp")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let script = """
      for row in (list --all)
        !ls -A "$TMPDIR"; ls -l /proc/$PPID/fd | grep -o "$TMPDIR.*"
        exit
      end
      """
    let run = try await run(script, on: demo, "--allow-shell", variables: ["TMPDIR": folder.path])
    let lines = run.output.split(separator: "\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(lines.count == 1, "\(run.output)")
    #expect(lines.first?.hasPrefix("\(folder.path)/switchboard-") == true)
    #expect(lines.first?.hasSuffix(" (deleted)") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("where they cannot be kept nothing is done with any of them") func nowhere() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "1100"])
    let run = try await run(
      "for row in (list --all)\n  delete $row.id\nend", on: demo, variables: ["TMPDIR": "/nonexistent"])
    #expect((run.status, run.output) == (1, ""))
    #expect(
      run.errors
        == "stdin:1: error: the records of the list cannot be kept in a temporary file: No such file or directory\nhint: nothing was done with the records; --limit asks for fewer\n"
    )
    #expect(try await self.run("count", on: demo).output == "1100\n")
    try await self.run(
      "for row in (list --limit 1000)\n  set @x $row.id\nend\nshow @x", on: demo,
      variables: ["TMPDIR": "/nonexistent"]
    ).succeeded(printing: "1000\n")
  }

  @Test("ten times the records need no more memory") func memory() async throws {
    func peak(_ count: Int) async throws -> Int {
      let demo = try await DemoProcess.start(["--memory", "--seed", "\(count)"])
      let run = try await run(
        """
        for row in (list --all)
          set @id $row.id
        end
        expect $id = \(count)
        !grep VmHWM /proc/$PPID/status
        """, on: demo, "--allow-shell"
      ).succeeded()
      return try #require(Int(run.output.filter(\.isNumber)))
    }
    let few = try await peak(1200)
    #expect(try await peak(12000) < few + 4096)
  }

  @Test("ten times the failures need no more memory and no more descriptors, whatever fails")
  func failures() async throws {
    func left(_ count: Int) async throws -> (memory: Int, descriptors: Int) {
      let demo = try await DemoProcess.start(["--memory"])
      let failing = "get x\nlist nope=1\ndelete 1 2\nexpect 1 = 2\nget 999\n"
      let run = try await run(
        String(repeating: failing, count: count) + "!grep VmHWM /proc/$PPID/status; ls /proc/$PPID/fd | wc -l",
        on: demo, "--stream", "--on-error", "continue", "--allow-shell")
      let numbers = run.output.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
      #expect(run.errors.split(separator: "\n").count >= 5 * count)
      return (try #require(numbers.first), try #require(numbers.last))
    }
    // Each kept failure took some 430 bytes: 18,000 more of them are 7 MiB.
    let few = try await left(400)
    let many = try await left(4000)
    #expect(many.memory < few.memory + 3072, "\(few.memory) became \(many.memory) KiB")
    // Connections left idle close on the clock's time, so a few come and go; a leak would be one of each failure.
    #expect(many.descriptors < few.descriptors + 16, "\(few.descriptors) became \(many.descriptors) descriptors")
  }
}
