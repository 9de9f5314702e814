import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The help, and what is made from the same tables.
@Suite("Help") struct HelpTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private static func reference() async throws -> String {
    let home = try ConsoleRun.Home()
    return try await home.run(commands: "help --as markdown").output
  }

  @Test("docs/reference/commands.md is what the console says") func reference() async throws {
    let page = try String(contentsOf: ConsoleRun.root.appending(path: "docs/reference/commands.md"), encoding: .utf8)
    #expect(
      page == (try await Self.reference()),
      "write it anew: switchboard help --as markdown --to docs/reference/commands.md")
  }

  /// The commands to run before an example makes sense.
  private static let preparations = [
    "page 3": "list placeholder/todos", "again json": "list", "again --wrap": "list",
    "source nightly.sb": "count", "config trust": "count",
    "undo --yes": "create title=a body=b", "undo --writes 1 --yes": "create title=a body=b",
    "undo --entry 1 --yes": "create title=a body=b", "undo --all-runs --dry-run": "create title=a body=b",
    "get todolist 0 2 -o json": "create todolist title=a\ncreate todolist title=b\ncreate todolist title=c",
  ]
  /// Those that need somebody at a terminal, and say so.
  private static let atTerminal = ["open 2", "open body", "history todolist", "history clear"]

  /// Those of services that are not there.
  private static let elsewhere = [
    "add http://127.0.0.1:8000/api/", "add https://desk.example.org/api desk", "copy old new --resources ",
  ]

  @Test("each example of the help does what it is an example of") func examples() async throws {
    let lines = try await Self.reference().matches(of: #/(?m)^- `(.+)`: /#).map { String($0.1) }
    #expect(lines.count > 40)
    #expect(Set(Self.preparations.keys).union(Self.atTerminal).isSubset(of: lines))
    for line in lines where !Self.elsewhere.contains(where: line.hasPrefix) {
      let home = try ConsoleRun.Home()
      _ = try home.write("count\n", to: "nightly.sb")
      _ = try home.write("create todolist title=Milk\n", to: "move.sb")
      _ = try home.write("title,user,order\nMilk,ana,1\n", to: "todos.csv")
      // The password of the demo's user.
      _ = try home.write("correct horse\n", to: "secret.txt")
      let config = try home.write(
        try String(contentsOf: ConsoleRun.root.appending(path: "config.json"), encoding: .utf8), to: "config.json")
      let script = (Self.preparations[line].map { $0 + "\n" } ?? "") + line + "\n"
      let words = ["--config", config]
      // A login needs a server with a socket.
      let run =
        if script.contains("login ") {
          try await ConsoleRun.runProgram(words, input: script, in: home)
        } else { try await ConsoleRun.run(words, input: script, in: home) }
      if Self.atTerminal.contains(line) {
        #expect(run.status == 2 && run.errors.contains("terminal"), "\(line): \(run.errors)")
      } else {
        #expect(run.status == 0, "\(line): \(run.errors)")
      }
    }
  }

  @Test func `The page for assistants is short, and names every command that works on records`() async throws {
    let page = try await home.run(commands: "help --as skill").output
    #expect(page.hasPrefix("---\nname: switchboard\n") && page.utf8.count <= 6 << 10)
    for name in ["list", "sql", "update", "apply", "import", "login"] { #expect(page.contains("\n- `\(name)`: ")) }
    for line in page.split(separator: "\n") { #expect(!line.hasPrefix("- `source`"), "\(line)") }
  }

  @Test("the manual page names every command and every option") func manual() async throws {
    let page = try await home.run(commands: "help --as man").output
    let help = try await home.run(commands: "help").output
    #expect(page.hasPrefix(".TH SWITCHBOARD 1 "))
    let names = help.split(separator: "\n").compactMap { $0.firstMatch(of: /^  ([a-z]+)  +\S/)?.1 }
    #expect(names.count > 30)
    for name in names { #expect(page.contains("\n.SS \(name)")) }
    // A line that begins with a dot or an apostrophe is a request to the formatter: only those meant as one.
    let requests = Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".") || $0.hasPrefix("'") }.map { $0.prefix { $0 != " " } })
    #expect(requests.isSubset(of: [".TH", ".SH", ".SS", ".TP", ".B", ".BR", ".PP", ".br"]))
    let sections = page.matches(of: /(?m)^\.SH (.+)$/).map { String($0.1) }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "TOPICS", "EXIT STATUS", "ENVIRONMENT", "FILES",
        "EXAMPLES", "SEE ALSO",
      ])
  }

  @Test("paragraphs of a topic are shown line by line", arguments: ["exit", "targets", "scripts", "variables"])
  func paragraphs(_ topic: String) async throws {
    let run = try await ConsoleRun.run(["help", topic], in: home)
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 130 }, "\(run.output)")
  }

  @Test("a topic that is not there suggests the nearest") func unknown() async throws {
    let run = try await home.run(commands: "help predicate")
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains("did you mean predicates?"))
  }

  @Test("? lists what can follow, and sends nothing") func following() async throws {
    let run = try await home.runShipped("-c", "update 3 ?")
    #expect((run.status, run.errors) == (0, ""))
    #expect(run.output.hasPrefix("usage: update [OPTION ...] [TARGET] ID ... FIELD=VALUE ...\n   or: update "))
    for text in ["  title=  ", "  body=  ", "  --unset  "] { #expect(run.output.contains(text)) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).isEmpty)
  }
}

/// Completion of the console's command line in a shell.
@Suite("Shell completion") struct ShellCompletionTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// Returns the words with which bash would replace the word at the end of a line; the words are as bash splits them.
  private func bash(_ words: [String]) throws -> [String] {
    let line = words.joined(separator: " ").replacing(" = ", with: "=")
    let script = try home.write(
      """
      PATH="\(ConsoleRun.products.path):$PATH"
      source <(switchboard completion bash)
      COMP_LINE='\(line)' COMP_POINT=\(line.count) COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      compopt() { :; }
      _switchboard
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "complete.bash")
    return try Program.run("bash", script).split(separator: "\n").map(String.init)
  }

  /// Expects what bash puts in place of the word. It is asked again: the console says what it has found out in a moment, and
  /// a busy machine has found out less.
  private func bash(
    _ words: String..., gives wanted: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var found = try bash(words)
    for _ in 0..<100 where found != wanted { found = try bash(words) }
    #expect(found == wanted, sourceLocation: sourceLocation)
  }

  @Test("bash completes commands, targets, fields and values") func completions() throws {
    let config = ConsoleTerminal.config
    try bash("switchboard", "li", gives: ["list"])
    try bash("switchboard", "--config", config, "list", "todol", gives: ["todolist"])
    try bash("switchboard", "--config", config, "list", "todolist", "compl", gives: ["completed"])
    try bash("switchboard", "--config", config, "list", "todolist", "completed", "=", "t", gives: ["true"])
    try bash("switchboard", "--on-error", "", gives: ["stop", "continue"])
    try bash("switchboard", "--plug", gives: ["--plugin-path"])
    try bash("switchboard", "mc", gives: ["mcp"])
    try bash("switchboard", "--config", config, "mcp", "--backend", "todol", gives: ["todolist"])
    try bash("switchboard", "mcp", "--backend", "todolist", "--pl", gives: ["--plans"])
  }

  @Test("a shell offers files where a file can stand, and none in place of an identifier") func files() async throws {
    func answer(_ line: String) async throws -> String {
      let line = "switchboard --config \(ConsoleTerminal.config) \(line)"
      return try await ConsoleRun.run(["--complete", line], in: home).output
    }
    #expect(try await answer("get todolist zz") == "zz\0\0")
    #expect(try await answer("journal show zz") == "zz\0\0")
    #expect(try await answer("list todolist --fields zz") == "zz\0\0")
    #expect(try await answer("import todolist zz") == "zz")
    #expect(try await answer("-f zz") == "zz")
    let script = try home.write(
      """
      PATH="\(ConsoleRun.products.path):$PATH"
      source <(switchboard completion bash)
      compopt() { echo "compopt $*"; }
      for COMP_LINE in 'switchboard get todolist zz' 'switchboard -f zz'; do
        COMP_POINT=${#COMP_LINE} COMP_WORDS=($COMP_LINE)
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _switchboard
        echo "${#COMPREPLY[@]}"
      done
      """, to: "files.bash")
    #expect(try Program.run("bash", script) == "compopt +o default\n0\n0\n")
  }

  @Test(
    "a shell is not warned of a folder that is not trusted",
    arguments: [["completion", "bash"], ["--complete", "x "]])
  func warning(words: [String]) async throws {
    _ = try home.write(#"{"switchboard": 1, "default": "none"}"#, to: "config.json")
    let warned = try await ConsoleRun.run(["show", "perPage"], in: home, directory: home.folder.path)
    #expect(warned.errors.contains("config.json"))
    let run = try await ConsoleRun.run(words, in: home, directory: home.folder.path)
    #expect((run.status, run.errors) == (0, ""))
  }

  @Test("the scripts are good for their shells, where those are installed", arguments: ["bash", "zsh", "fish"])
  func syntax(shell: String) async throws {
    let run = try await home.run(commands: "completion \(shell)")
    #expect(run.status == 0)
    let script = try home.write(run.output, to: "script")
    guard (try? Program.run("which", shell)) != nil else { return }
    try Program.run(shell, "-n", script)
  }
}
