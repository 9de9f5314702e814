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
    /// Loads the completion, and puts a command that keeps its words in the console's place; then the shell is ready.
    var setUp: String
    /// The characters at the end of a word that is still open because more may follow, within quotes, too.
    var openEnds = ""
  }

  private static let posix =
    #"switchboard() { case $1 in --complete) command switchboard "$@";; *) printf '%s\0' "$@" . > "$HOME/reported";; esac; }; PS1='rea''dy> '"#

  static let shells = [
    Shell(
      testDescription: "bash", start: ["/bin/bash", "--norc", "--noprofile", "-i"],
      setUp: "source <(switchboard completion bash); \(posix)"),
    Shell(
      testDescription: "zsh", start: ["/usr/bin/zsh", "-f", "-i"],
      setUp: "autoload -Uz compinit; compinit -D -u; source <(switchboard completion zsh); \(posix)",
      openEnds: "=/,~<>:"),
    Shell(
      testDescription: "fish", start: ["/usr/bin/fish", "--no-config", "-i"],
      setUp:
        #"switchboard completion fish | source; function switchboard; if test "$argv[1]" = --complete; command switchboard $argv; else; printf '%s\0' $argv . > $HOME/reported; end; end; function fish_prompt; echo -n 'rea''dy> '; end"#,
      openEnds: "/=@:.,-"),
  ]

  static let known = [
    "a`id>P`b.sb", "x;id>P;y.sb", "$(id>P).sb", "${IFS}a.sb", "a&id>P&.sb", "a|id>P.sb", "a>P.sb", "a'b.sb", "a\"b.sb",
    "a b.sb", "a\\b.sb", "!!.sb", "a!b.sb", "~root.sb", "*.sb", "[a].sb", "{a,b}.sb", "#a.sb", "a=b.sb", "a:b.sb",
    "(id>P).sb", "a\nid>P\nb.sb", "äöü.sb", "-x.sb", "--x.sb", "a%sb.sb", "a^b.sb", "?.sb", "a,b.sb", "a!", "a'", "a\"",
    "'", "\"", "!", "a\\", "~", "~root", "-", "--", "-f x", "\u{3000}a", "\u{2028}--x", "a\u{3000}--x", "a ", " a", "?",
    ">", ">>", "\n^a^b", "a\n",
  ].map { Array($0.utf8) }

  static let cases: [(Int, String)] = shells.indices.flatMap { shell in ["", "\"", "'"].map { (shell, $0) } }

  @Test("the word is the file's name, and nothing of it is run", arguments: cases)
  func names(shell place: Int, quote: String) async throws {
    let shell = Self.shells[place]
    guard FileManager.default.isExecutableFile(atPath: shell.start[0]) else { return }
    let home = try ConsoleRun.Home()
    try await blocking {
      let folder = try OneFileFolder(home.folder.path + "/work")
      let reported = home.folder.appending(path: "reported")
      let terminal = try Self.start(shell, home, folder.path)
      let row = Self.cases.firstIndex { $0 == (place, quote) } ?? 0
      for name in Self.known + HostileNames.names(40, row: row) {
        // fish takes what stands before a tab for the whole name, where it completes names of files by itself.
        if shell.testDescription == "fish", String(validating: name, as: UTF8.self) == nil, name.contains(9) {
          continue
        }
        let words = Self.words(shell, quote, name, in: folder.path)
        try folder.hold(name)
        try? FileManager.default.removeItem(at: reported)
        // The whole line at once: a shell takes one key after the other.
        terminal.send("switchboard -f \(quote)\t\(words.isOpen ? quote : "")\r")
        let place =
          "seed \(HostileNames.seed), \(String(decoding: name, as: UTF8.self).debugDescription), quote \(quote)"
        // A dot stands at their end: a shell may write them one by one.
        let end = Data([0, 0x2E, 0])
        try terminal.wait("the words; \(place)") { _ in (try? Data(contentsOf: reported))?.suffix(3) == end }
        let given = try Data(contentsOf: reported).dropLast(3).split(separator: 0, omittingEmptySubsequences: false)
        #expect(words.wanted.contains(given.dropFirst().map { Array($0) }), "\(given.map { Array($0) }); \(place)")
        #expect(folder.names == [name], "\(place)")
      }
    }
  }

  /// Returns the words that the command may be given after `-f`, and whether the quotes are still open.
  private static func words(
    _ shell: Shell, _ quote: String, _ name: HostileNames.Name, in folder: String
  ) -> (wanted: [[HostileNames.Name]], isOpen: Bool) {
    let nothing: [[HostileNames.Name]] = [quote.isEmpty ? [] : [[]]]
    let whole = [Array("./".utf8) + name, Array("\(folder)/".utf8) + name]
    guard let text = String(validating: name, as: UTF8.self) else {
      // The console offers no such name. The shell does, but zsh within quotes writes another one.
      let isLeft = shell.testDescription == "zsh" && !quote.isEmpty
      return (isLeft ? nothing : (whole + [name]).map { [$0] }, isLeft)
    }
    // fish is reported a name a line, up to a tab.
    let isUntold = shell.testDescription == "fish" && text.utf8.contains { $0 == 9 || $0 == 10 }
    if isUntold { return (nothing, true) }
    // One that begins like an option would be one.
    let isOption = text.hasPrefix("-")
    return (
      (isOption ? whole : whole + [name]).map { [$0] },
      text.unicodeScalars.last.map { shell.openEnds.unicodeScalars.contains($0) } ?? false
    )
  }

  private static func start(_ shell: Shell, _ home: ConsoleRun.Home, _ folder: String) throws -> PseudoTerminal {
    var variables = home.variables
    variables["PATH"] = "\(ConsoleRun.products.path):/usr/bin:/bin"
    variables["HISTFILE"] = ""
    let terminal = try PseudoTerminal(
      shell.start[0], arguments: Array(shell.start.dropFirst()), environment: variables, directory: folder,
      columns: 200, rows: 50)
    terminal.send(shell.setUp + "\r")
    try terminal.expect("ready>")
    return terminal
  }
}
