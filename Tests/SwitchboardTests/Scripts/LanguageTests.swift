import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// The parts of the script language other than commands, run.
@Suite("The script language") struct LanguageTests {
  private func run(_ script: String, _ options: String..., switches: [String] = []) async throws -> ConsoleRun {
    let server = ["--memory", "--seed", "6"] + switches.flatMap { ["--set", $0] }
    // A response that is cut needs a socket.
    let demo: any RunningDemo =
      if switches.contains("fault=hangup") { try await DemoProcess.start(server) } else {
        try await Demo.start(server)
      }
    let home = try ConsoleRun.Home(
      configuration: #"{"default": "k", "backends": {"k": {"plugin": "kitura", "url": "\#(demo.base("kitura"))"}}}"#)
    return try await home.run(script, options)
  }

  @Test(
    "statements do what they say",
    arguments: [
      ("if 1 = 2\nshow perPage\nelse if 2 = 2\ncount\nelse\nlist\nend", "6\n"),
      ("if 1 = 2\nlist\nelse if 1 = 3\nlist\nelse if 1 = 4\nlist\nelse\ncount\nend\ncount", "6\n6\n"),
      ("if 1 = 2\nif 1 = 1\nlist\nend\nelse if 1 = 1\nif 1 = 1\ncount\nend\nend", "6\n"),
      ("if 1 = 1 and 2 = 2\ncount\nend", "6\n"),
      ("if 1 = 2 or 1 = 1 and not 1 = 3\ncount\nend", "6\n"),
      ("if count order<3 > 1 and (list order<3) = 2 or error\ncount\nend", "6\n"),
      ("set @a yes\nif $a and $a is text\ncount\nend", "6\n"),
      ("for x in a \"b c\" 3\nshow @x\nend", "a\nb c\n3\n"),
      ("capture all = list order<3 --sort order\nfor t in $all last\nshow @t.title\nend", nil),
      ("set @n 2\nset @n $n + 3 * 4 - 10 / 3 % 2\nshow @n", "12.666666666666666667\n"),
      ("set @n -7\nset @n $n / 2\nshow @n", "-3.5\n"),
      ("for x in 1 2 3 4\nif $x = 2\ncontinue\nend\nif $x = 4\nbreak\nend\nshow @x\nend", "1\n3\n"),
      ("set @a $1 ?? \"Milk\"\nshow @a", "Milk\n"),
      ("if lower(ABC) = abc and date(2026-01-31) + 1mo < now\ncount\nend", "6\n"),
      ("expect round(2 / 3, 2) = 0.67\nset @d day(\"2026-03-29T23:30Z\", \"+01:00\")\nshow @d", "2026-03-30\n"),
      ("set @x before\nfor x in 1 2\nshow @x\nend\nshow @x", "1\n2\nbefore\n"),
    ])
  func statements(script: String, says: String?) async throws {
    let run = try await run(script + "\n")
    if let says {
      #expect(run.status == 0 && run.output == says, "\(run.output)\(run.errors)")
    } else {
      // The elements of the list, and then a text without parts.
      #expect(run.status != 0 && run.output.split(separator: "\n").count == 2, "\(run.output)\(run.errors)")
    }
  }

  @Test("a capture that fails leaves nothing of the one before") func failedCapture() async throws {
    let run = try await run("capture r = count\ntry\ncapture r = get 99\nend\nset @s $r ?? none\nshow @s\n")
    #expect((run.status, run.output) == (0, "none\n"), "\(run.errors)")
  }

  @Test(
    "a write that was made is not made again for what failed after it",
    arguments: ["| false", "--to /dev/full"])
  func madeOnce(after: String) async throws {
    let create = "create title=once user=ana order=1 \(after)"
    let script = "try\nretry 3 every 0\n\(create)\nend\nelse\nshow @error.effect\nend\ncount title=once\n"
    try await run(script, "--allow-shell").succeeded(printing: "applied\n1\n")
  }

  @Test("all rows are written where nobody reads what comes of them") func unread() async throws {
    let run = try await run(
      "update --where \"order < 100\" order=9 --yes --jobs 1 | true\ncount order=9\n", "--allow-shell")
    #expect((run.status, run.output) == (0, "6\n"), "\(run.errors)")
  }

  @Test(
    "what is wrong is reported before anything is sent",
    arguments: [
      ("else if 1 = 1\nend", "else without if or try"),
      ("if 1 = 1\nelse\nelse if 2 = 2\nend", "else without if or try"),
      ("if 1 = 1\nelse if\nend", "else needs a condition"),
      ("if 1 = 1 and\ncount\nend", "if needs a condition"),
      ("if 1 = 1 as name\ncount\nend", "unexpected words after the condition"),
      ("expect 1 = 1 as", "as needs a name"),
      ("expect 1 = 1 as a b", "as takes one name"),
      ("for x in\nend", "for x in needs a command in parentheses, or values"),
      ("retry\nend", "retry needs a number"),
      ("retry 0\nend", "retry takes a number from 1 to 100000"),
      ("retry 3 every\nend", "every needs a number of seconds"),
      ("retry 3 every x\nend", "every takes seconds from 0 to 86400"),
      ("set @n 1 +", "expected a value, found the end"),
      ("break", "break outside of a for"),
      ("for x in 1 2\nbreak now\nend", "break must be alone on its line"),
      ("set @n lower(a, b)", "lower(…) takes 1 value, not 2"),
      ("set @n 1 plus 2", "set @n takes one value"),
      ("for x in a\nend\nshow @x", "x is not set"),
      ("capture x = !", "! needs a command"),
    ])
  func mistakes(script: String, says: String) async throws {
    let run = try await run(script + "\n")
    #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(says), "\(run.errors)")
  }

  @Test(
    "arithmetic that has no number fails",
    arguments: ["1 / 0", "1 % 0", "99999999999999999999999999999999999999 * 10", "1 + a", "now + 9999y"])
  func arithmetic(sum: String) async throws {
    let run = try await run("set @n \(sum)\nshow @n\n")
    #expect(run.status != 0 && run.output.isEmpty, "\(run.output)")
  }

  @Test("a retry runs again what failed, and no write whose outcome is unknown") func retry() async throws {
    let busy = ["fault=toomany", "fault.on=writes", "fault.count=2"]
    let done = try await run(
      "retry 5 every 0\ncreate title=Once user=a order=1\nend\ncount title=Once\n", switches: busy)
    #expect(done.status == 0 && done.output.hasSuffix("\n1\n"), "\(done.output)\(done.errors)")
    #expect(done.errors.contains("attempt 2 of 5 failed; the next one in"))
    let few = try await run("retry 2 every 0\ncreate title=Once user=a order=1\nend\n", switches: busy)
    #expect(few.status == 4, "\(few.errors)")
    let lost = ["fault=hangup", "fault.on=writes", "fault.count=1"]
    let unknown = try await run("retry 5 every 0\ncreate title=Once user=a order=1\nend\n", switches: lost)
    #expect(unknown.status == 6 && !unknown.errors.contains("attempt"), "\(unknown.errors)")
    try await run(
      "set @n 0\nretry 9 every 0\nset @n $n + 1\nexpect $n = 4\nend\nshow @n\n"
    ).succeeded(printing: "4\n")
    try await run("retry 2 every 0\nexpect 1 = 2\nend\n").failed(1, saying: "expected \"1\" = \"2\"")
  }

  @Test("an expectation has the name that as gives it") func names() async throws {
    let run = try await run("for t in 1 2\nexpect $t = 1 as \"todo $t\"\nend\n", "--report", "tap")
    #expect(
      run.status == 1 && run.output.contains("ok 1 - stdin:2: todo 1\n")
        && run.output.contains("not ok 2 - stdin:2: todo 2"),
      "\(run.output)")
    #expect(run.errors.contains("todo 2: expected"), "\(run.errors)")
  }

  @Test("capture takes what a shell command writes, where the shell is permitted") func shell() async throws {
    let script = "capture x = !printf 'a\\nb\\n'; echo seen >&2\nshow @x\ncapture y = !exit 3\nshow @y\n"
    let run = try await run(script, "--allow-shell")
    #expect(run.status == 1 && run.output == "a\\nb\n", "\(run.output)\(run.errors)")
    #expect(run.errors.contains("seen") && run.errors.contains("the shell command ended with status 3"))
    let refused = try await self.run(script)
    #expect(refused.status == 2 && refused.output.isEmpty, "\(refused.errors)")
    try await self.run("capture x = !yes\n", "--allow-shell").failed(1, saying: "wrote more than 16 MiB")
  }

  @Test("every script in a guide passes the check") func guides() async throws {
    let folder = ConsoleRun.root.appending(path: "docs/guide")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    let blocks = try pages.sorted().flatMap { page in
      try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        .matches(of: #/(?m)^```sb\n((?:.*\n)*?)```/#).map { String($0.1) }
    }
    #expect(blocks.count > 10)
    for block in blocks {
      let home = try ConsoleRun.Home(configuration: String(contentsOfFile: ConsoleTerminal.config, encoding: .utf8))
      let run = try await home.run(block, ["--allow-shell", "--check"])
      // Files that are to be read are not there, and neither is a terminal.
      let isWrong = run.status != 0 && !run.errors.contains(/No such file|does not exist|needs a terminal/)
      #expect(!isWrong, "\(block)\(run.errors)")
    }
  }
}
