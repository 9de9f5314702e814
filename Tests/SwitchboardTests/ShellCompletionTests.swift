import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Tab in real shells, in a folder whose file has a name that somebody else has chosen.
@Suite("File names that a shell completes") struct ShellCompletionNamesTests {
  struct Shell: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var start: [String]
    /// Loads the completion, and makes `told` a command that keeps its words; then the shell says that it is ready.
    var setUp: String
  }

  static let shells = [
    Shell(
      testDescription: "bash", start: ["/bin/bash", "--norc", "--noprofile", "-i"],
      setUp: #"source <(switchboard completion bash); told() { printf '%s\0' "$@" > "$HOME/told"; }; PS1='rea''dy> '"#),
    Shell(
      testDescription: "zsh", start: ["/usr/bin/zsh", "-f", "-i"],
      setUp:
        #"autoload -Uz compinit; compinit -D -u; source <(switchboard completion zsh); told() { printf '%s\0' "$@" > "$HOME/told" }; PS1='rea''dy> '"#
    ),
    Shell(
      testDescription: "fish", start: ["/usr/bin/fish", "--no-config", "-i"],
      setUp:
        #"switchboard completion fish | source; function told; printf '%s\0' $argv > "$HOME/told"; end; function fish_prompt; echo -n 'rea''dy> '; end"#
    ),
  ]

  static let names = [
    "a`id>P`b.sb", "x;id>P;y.sb", "$(id>P).sb", "${IFS}a.sb", "a&id>P&.sb", "a|id>P.sb", "a>P.sb", "a'b.sb", "a\"b.sb",
    "a b.sb", "a\\b.sb", "!!.sb", "a!b.sb", "~root.sb", "*.sb", "[a].sb", "{a,b}.sb", "#a.sb", "a=b.sb", "a:b.sb",
    "(id>P).sb", "a\nid>P\nb.sb", "äöü.sb", "-x.sb", "--x.sb", "a%sb.sb", "a^b.sb", "?.sb", "a,b.sb",
  ]

  static let cases: [(Int, String)] = shells.indices.flatMap { shell in
    ["", "\"", "'"].map { (shell, $0) }
  }

  @Test("the word is the file's name, and nothing of it is run", arguments: cases)
  func names(shell place: Int, quote: String) async throws {
    let shell = Self.shells[place]
    guard FileManager.default.isExecutableFile(atPath: shell.start[0]) else { return }
    let home = try ConsoleRun.Home()
    try await blocking {
      let folder = home.folder.appending(path: "work")
      let terminal = try Self.start(shell, home, folder)
      for name in Self.names {
        // fish reads what a command prints by lines, and offers names of files by itself, too; in zsh a row of a word in quotes
        // is a row of its own to the key that goes to the beginning.
        if shell.testDescription == "fish", name.contains("\n") || name.hasPrefix("-") { continue }
        if shell.testDescription == "zsh", !quote.isEmpty, name.contains("\n") { continue }
        // The folder stays: the shell stands in it.
        for old in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          try FileManager.default.removeItem(at: folder.appending(path: old))
        }
        let file = folder.appending(path: name)
        try Data().write(to: file)
        let told = home.folder.appending(path: "told")
        try? FileManager.default.removeItem(at: told)
        // The whole line at once: a shell takes one key after the other. In place of the console another command gets it.
        terminal.send("switchboard -f \(quote)\t\u{1}told \r")
        try terminal.wait("the words after \(name.debugDescription)") { _ in
          FileManager.default.fileExists(atPath: told.path)
            && (try? Data(contentsOf: told))?.last == 0
        }
        let words = try Data(contentsOf: told).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let wanted = name.hasPrefix("-") ? "./" + name : name
        #expect(words == ["switchboard", "-f", wanted], "\(shell.testDescription) \(quote)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        try terminal.expect("ready>")
      }
    }
  }

  private static func start(_ shell: Shell, _ home: ConsoleRun.Home, _ folder: URL) throws -> PseudoTerminal {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var variables = home.variables
    variables["PATH"] = "\(ConsoleRun.products.path):/usr/bin:/bin"
    variables["HISTFILE"] = ""
    let terminal = try PseudoTerminal(
      shell.start[0], arguments: Array(shell.start.dropFirst()), environment: variables, directory: folder.path,
      columns: 200, rows: 50)
    terminal.send(shell.setUp + "\r")
    try terminal.expect("ready>")
    return terminal
  }
}
