import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSystem

@Suite("A line with what becomes of its result") struct CommandLineTests {
  @Test("a lone bar ends the command; what follows is the shell's as it stands") func pipeline() throws {
    let line = try CommandLine(#"list title~"a | b" | awk '{print "it'"'"'s"}' | sort"#)
    #expect(line.words.map(\.text) == ["list", "title~a | b"])
    #expect(line.pipeline == #"awk '{print "it'"'"'s"}' | sort"#)
    #expect(try CommandLine("get 'x|y' a|b").pipeline == nil)
  }

  @Test("a leading ! is a shell command as it stands") func shell() throws {
    #expect(try CommandLine("  ! echo 'a").shell == "echo 'a")
    #expect(try CommandLine("get !x").shell == nil)
  }

  @Test("nothing before or after is an error", arguments: ["| cat", "list |", "list | ", "!", "! "])
  func missing(line: String) { #expect(throws: UsageError.self) { try CommandLine(line) } }

  @Test(
    "what psql has is taken at a terminal",
    arguments: [
      ("\\q", "quit"), ("\\x", "set expanded on"), ("\\x auto", "set expanded auto"), ("\\g json", "again json"),
      ("\\d todolist", "describe todolist"), ("\\i a b", "source a b"), ("\\! ls", "!ls"),
      ("\\timing", "set timing on"), ("\\dt", "describe "), ("\\d+ todolist", "describe todolist"),
      ("\\gx", "again expanded"),
      (" \\?", "help "),
    ])
  func aliases(line: String, command: String) throws {
    #expect(try Aliases.command(for: line) { _ in "on" } == command)
  }

  @Test("what is not an alias stays, what looks like one is reported") func unknownAlias() throws {
    #expect(try Aliases.command(for: "list \\q") { _ in "on" } == nil)
    #expect(throws: UsageError.self) { try Aliases.command(for: "\\nope") { _ in "on" } }
  }

  @Test("a prompt has places that are filled") func prompt() throws {
    #expect(Prompt.filled("%b/%r%% %x") { "<\($0)>" } == "<b>/<r>% <x>")
    #expect(try Prompt.checked("%t%m> ") == "%t%m> ")
    for wrong in ["%q", "100%", "%"] { #expect(throws: UsageError.self) { try Prompt.checked(wrong) } }
  }
}
