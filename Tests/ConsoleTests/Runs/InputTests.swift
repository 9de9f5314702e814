import ConsoleSupport
import Foundation
import Testing

@Suite("Input") struct InputTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test(
    "what is not a regular file on standard input, or closed, is not an empty script", arguments: ["$SB </", "$SB <&-"])
  func unreadable(line: String) async throws {
    let run = try await console.shell("timeout 180 \(line)")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("stdin: error: cannot be read: "))
  }

  @Test("a word of several lines is so many commands") func lines() async throws {
    let run = try await console.run("-c", "count\n# nothing\nget 3 \\\n -o id\n", "-c", "count", "-c", "get 99\nb=1")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.hasPrefix("-c:3:1: error: unknown command \"b=1\"\n"))
    let sound = try await console.run(
      "-c", "count\n# nothing\nget 3 \\\n -o id\n", "-c", "count", "-c", "get 99\ncount")
    #expect((sound.status, sound.output) == (1, "6\n3\n6\n"))
    #expect(sound.errors.hasPrefix("-c:3: error: get intranet/announcements 99: "))
  }

  @Test(
    "what other programs call it is answered with the command of this one",
    arguments: [
      ("rm 3", "unknown command \"rm\"", "delete removes records"),
      ("SELECT 1", "unknown command \"SELECT\"", "write sql SELECT …"),
      ("list -n3", "unknown option -n3", "write -n 3"),
      ("count --by title", "unknown option --by", "list --count-by FIELD counts by value"),
      ("request intranet GET announcements max==1", "\"max==1\" has two equals signs", "write max=1, or quote it"),
      ("request intranet POST title=x", "request needs an address before title", "request POST ADDRESS title=x"),
      ("import intranet/announcements", "import needs a file", "import intranet/announcements FILE"),
    ])
  func habits(command: String, message: String, hint: String) async throws {
    let run = try await console.run("-c", command)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("error: \(message)") && run.errors.contains("hint: \(hint)"), "\(run.errors)")
  }

  @Test("words and files run in the order given, - being standard input") func order() async throws {
    let file = try console.home.write("get 2 -o id\n", to: "a.sb")
    let run = try await console.run(
      "-f", file, "-c", "get 1 -o id", "-f", "-", "-f", file, input: "get 5 -o id\nget 99")
    #expect((run.status, run.output) == (1, "2\n1\n5\n"))
    #expect(run.errors.hasPrefix("stdin:2: error: get intranet/announcements 99: "))
  }

  @Test("quit ends the run, whatever is still to come") func quit() async throws {
    let file = try console.home.write("count\nquit\ncount\n", to: "a.sb")
    let run = try await console.run("-f", file, "-f", file, "-c", "count")
    #expect((run.status, run.output, run.errors) == (0, "6\n", ""))
  }

  @Test("onError goes on between files, too, wherever it is set") func goingOn() async throws {
    let one = try console.home.write("set onError continue\nget 99\n", to: "one.sb")
    let two = try console.home.write("count\n", to: "two.sb")
    let run = try await console.run("-f", one, "-f", two)
    #expect((run.status, run.output) == (1, "6\n"))
    #expect(run.errors.hasPrefix("\(one):2: error: get intranet/announcements 99: "))
    let missing = try await console.run("-f", one, "-f", "/nonexistent", "-f", two)
    #expect((missing.status, missing.output) == (2, ""))
    #expect(missing.errors == "error: cannot read /nonexistent: No such file or directory\n")
  }

  @Test("a file that runs itself is reported once for each file") func recursion() async throws {
    let file = try console.home.write("source again.sb\n", to: "self.sb")
    _ = try console.home.write("source ../\(console.home.folder.lastPathComponent)/self.sb\n", to: "again.sb")
    let run = try await console.run("-c", "source self.sb")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("again.sb:1: error: ../"))
    #expect(run.errors.contains("/self.sb is running already\nhint: a file that runs itself would never end\n"))
    #expect(run.errors.split(separator: "\n").count == 4)
    let sound = try await console.run("-c", "source \(file.replacing("self.sb", with: "once.sb"))", "-c", "count")
    #expect(sound.status == 2)
  }

  @Test("a file may run twice, one time after the other") func twice() async throws {
    _ = try console.home.write("count\n", to: "a.sb")
    let run = try await console.run("-c", "source a.sb", "-c", "source a.sb")
    #expect((run.status, run.output, run.errors) == (0, "6\n6\n", ""))
  }
}
