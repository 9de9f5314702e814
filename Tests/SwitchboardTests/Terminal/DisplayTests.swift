import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

@Suite("Results at a terminal", .serialized) struct DisplayTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("the banner stands on lines of its own, none of them broken within a word", arguments: [20, 40, 80, 120])
  func banner(columns: Int) throws {
    let lines = try ConsoleTmux(in: home, columns: columns).terminal.picture.lines
    let words = lines.flatMap { $0.split(separator: " ") }
    for word in ["Switchboard", "placeholder,", "baasic.", "quit."] { #expect(words.contains(Substring(word))) }
    if columns == 80 { #expect(lines[1] == "Type help for help, add ADDRESS to connect a service, Ctrl-D to quit.") }
  }

  @Test("a list's footer fits the window, and an ended list tells how many there are", arguments: [20, 30, 40, 80])
  func footer(columns: Int) throws {
    let console = try ConsoleTmux(in: home, columns: columns)
    let whole = try console.run("list --fields id").text.replacing("\n", with: " ")
    #expect(whole.contains(/1–6 of 6 +\([\d.]+ m?s\)/))
    let page = try console.run("list placeholder/todos -n 2 --fields id").lines
    #expect(page.contains { $0.hasPrefix("1–2 of 200,") })
    #expect(page.contains { $0.contains("more: next") })
    #expect(page.contains { $0.contains(/\([\d.]+ m?s\)$/) })
  }

  @Test("a plan is broken between words, and no change of it is cut", arguments: [40, 60])
  func plan(columns: Int) throws {
    let console = try ConsoleTmux(in: home, columns: columns)
    let lines = try console.run("update 5 title='A name for the meeting rooms' --dry-run").lines
    let text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    #expect(text.contains("intranet/announcements: 1 to update; 1 request at "), "\(lines)")
    #expect(text.contains(#"→ "A name for the meeting rooms" dry run: nothing was sent to"#), "\(lines)")
  }

  @Test("every command tells its time once, or none does, as timing is set") func timing() throws {
    let console = try ConsoleTmux(in: home)
    func times(_ command: String) throws -> Int { try console.run(command).text.matches(of: /\([\d.]+ m?s\)/).count }
    #expect(try times("count") == 0)
    #expect(try times("list -n 1") == 1)
    _ = try console.run("set timing on")
    #expect(try times("count") == 1)
    #expect(try times("list -n 1") == 1)
    _ = try console.run("set timing off")
    #expect(try times("list -n 1") == 0)
  }

  @Test("a table that cannot fit is expanded, wrapped or loses columns, as is set") func expanded() throws {
    let console = try ConsoleTmux(in: home, columns: 34, rows: 40)
    let list = "list placeholder/users -n 1"
    #expect(try console.run(list).lines.contains { $0.hasPrefix(" username ") })
    _ = try console.run("set expanded off")
    let cut = try console.run(list).lines
    #expect(cut.contains { $0.hasPrefix(" ID  NAME") })
    #expect(cut.contains { $0.hasPrefix("note: hidden columns") })
    _ = try console.run("set expanded on")
    #expect(try console.run(list + " --fields id").lines.contains(" id  1"))
    _ = try console.run("set expanded auto")
    let wrapped = try console.run("list placeholder/posts -n 1 --fields id,body --wrap").text
    #expect(!wrapped.contains("…"))
    #expect(wrapped.contains("unclear."))
    #expect(try !console.run("next").text.contains("…"))
  }

  @Test(
    "values have colors where terminal, environment and settings want them",
    arguments: [
      ([:], "", true), (["NO_COLOR": "1"], "", false), (["TERM": "dumb"], "", false), (["CLICOLOR": "0"], "", false),
      (["NO_COLOR": "1"], "always", true), ([:], "never", false),
    ] as [([String: String], String, Bool)])
  func color(environment: [String: String], setting: String, colors: Bool) throws {
    // Without an editor, as on a dumb terminal, nothing can be typed: the commands are given.
    let command = setting.isEmpty ? [] : ["-c", "set color \(setting)"]
    let terminal = try ConsoleTmux.open(
      ["--config", ConsoleTerminal.config] + command + ["-c", "get 3"], in: home, environment: environment)
    try terminal.waitForExit()
    let picture = try terminal.picture
    #expect(picture.lines.contains { $0.hasPrefix(" id     3") })
    #expect(picture.styled.contains { $0.contains("\u{1B}[1m") } == colors)
  }

  @Test("the theme is the setting's, else that of the background") func theme() throws {
    let light = try ConsoleTmux(in: home, environment: ["COLORFGBG": "0;15"], rows: 40)
    #expect(try light.run("get 3").hasStyle("34", "title"))
    _ = try light.run("set theme dark")
    #expect(try light.run("get 3").hasStyle("96", "title"))
    _ = try light.run("set theme mono")
    let mono = try light.run("get 3")
    #expect(!mono.hasStyle("96", "title"))
    #expect(mono.hasStyle("1", "title"))
  }

  private var mark: String { home.folder.path + "/opened" }

  /// The console with a browser that leaves the output of a command.
  private func browsing(_ command: String) throws -> ConsoleTmux {
    let browser = try home.writeProgram(
      "#!/bin/sh\n\(command) >'\(mark).new'; mv '\(mark).new' '\(mark)'\n", to: "browser")
    return try ConsoleTmux(in: home, environment: ["BROWSER": browser, "PAGER": "cat"], columns: 120, rows: 40)
  }

  @Test("a link of the record shown last is handed to the desktop, as one word and to no shell") func open() throws {
    let console = try browsing("printf '%s|' \"$#\" \"$@\"")
    #expect(try console.run("open 1").lines.contains { $0.hasPrefix("error: no record with links was shown") })
    _ = try console.run("get 3")
    #expect(try console.run("open 9").lines.contains("error: there is no link 9"))
    #expect(try console.run("open title").lines.contains { $0.contains("cannot be opened") })
    #expect(try console.run("open 2").lines.contains("opened https://print.example.org/formats"))
    try console.terminal.wait("the browser") { _ in FileManager.default.fileExists(atPath: mark) }
    #expect(try String(contentsOfFile: mark, encoding: .utf8) == "1|https://print.example.org/formats|")
    _ = try console.run("list")
    #expect(try console.run("open 1").lines.contains { $0.hasPrefix("error: the last command showed several records") })
  }

  @Test("HTML is opened as a private page, which goes with the session") func page() throws {
    let console = try browsing("printf '%s' \"$1\"")
    _ = try console.run("list -n 1")
    #expect(try console.run("open body").text.contains("is not loaded"))
    _ = try console.run("get 3")
    #expect(try console.run("open body").text.contains("opened body as a page: no scripts"))
    try console.terminal.wait("the browser") { _ in FileManager.default.fileExists(atPath: mark) }
    let address = try String(contentsOfFile: mark, encoding: .utf8)
    let url = try #require(URL(string: address))
    #expect(url.isFileURL && url.path.contains("/switchboard/pages/page-"), "\(address)")
    let folder = url.deletingLastPathComponent().path
    for (path, mode) in [(url.path, 0o600), (folder, 0o700)] {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(
      text.contains("<iframe sandbox srcdoc=\"&lt;!DOCTYPE html&gt;&lt;div class=&quot;notice&quot;&gt;"), "\(text)")
    try console.terminal.press("C-d")
    try console.terminal.wait("the end") { _ in !FileManager.default.fileExists(atPath: url.path) }
  }

  @Test("a field of HTML is shown as its source where that is asked for") func raw() throws {
    let console = try ConsoleTmux(in: home, columns: 120, rows: 60)
    #expect(try !console.run("get 3").text.contains("<p>"))
    #expect(try console.run("get 3 --raw").text.contains("<p>"))
    #expect(try console.run("again --raw").text.contains("<p>"))
  }
}
