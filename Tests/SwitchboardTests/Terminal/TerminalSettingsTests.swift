import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// An operator's own settings at a terminal.
@Suite("Settings at a terminal", .serialized) struct TerminalSettingsTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// Writes the file that is run at each start.
  private func writeInit(_ text: String, mode: Int = 0o600) throws -> String {
    try home.writeOwn(text, to: "init")
    let path = home.folder.path + "/config/switchboard/init"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test("the file init is run at the start; a failure in it ends nothing but the file") func initFile() throws {
    let path = try writeInit("set perPage 2\nuse todolist\nlst\nset perPage 3\n")
    let console = try ConsoleTmux(in: home, columns: 120)
    try console.terminal.expect("\(path):3: error: unknown command \"lst\"")
    try console.terminal.expectCursorLine("todolist/todos>")
    #expect(try console.run("show perPage").lines.contains("2"))
  }

  @Test("a file init that others may write to is not run") func foreignInit() throws {
    let path = try writeInit("set perPage 2\n", mode: 0o666)
    let console = try ConsoleTmux(in: home, columns: 150)
    try console.terminal.expect("\(path) is not run: it is writable by others (mode 0666)")
    #expect(try console.run("show perPage").lines.contains("20"))
  }

  @Test("--no-init leaves it out, and a script never runs it") func noInit() async throws {
    _ = try writeInit("set perPage 2\n")
    let terminal = try ConsoleTmux.open(["--config", ConsoleTerminal.config, "--no-init"], in: home)
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    try terminal.enter("show perPage")
    try terminal.wait("the setting") { $0.lines.contains("20") }
    let script = try await home.runShipped(input: "show perPage\n")
    #expect((script.status, script.output) == (0, "20\n"))
  }

  @Test("a production backend is marked in red and asks before every write, whose change it shows")
  func production() throws {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "live", "backends": {"live": {"plugin": "grails", "url": "demo:grails",
          "resource": "announcements", "label": "production"}}}
        """)
    let console = try ConsoleTmux(in: home, config: home.config, columns: 120)
    let picture = try console.terminal.expectCursorLine("live/announcements 2.0 [production]>")
    #expect(picture.styled.contains { $0.contains("\u{1B}[31m") && $0.contains("[production]") })
    try console.terminal.enter("update 3 title=x")
    try console.terminal.wait("the question") { $0.cursorLine.hasSuffix("? [y/N]") }
    let asked = try console.terminal.expect("Update live/announcements/3 (production) at ")
    #expect(asked.lines.contains { $0.contains("update announcements/3  title: \"") && $0.hasSuffix("→ \"x\"") })
    try console.terminal.enter("n")
    try console.terminal.expect("nothing was changed")
    #expect(try console.run("count title=x").lines.contains("0"))
  }

  @Test("without colors the mark is there all the same") func plainMark() throws {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "old", "backends": {"old": {"plugin": "grails", "url": "demo:grails",
          "resource": "announcements", "label": "production", "readOnly": true}}}
        """)
    let console = try ConsoleTmux(in: home, config: home.config, environment: ["NO_COLOR": "1"], columns: 120)
    let picture = try console.terminal.expectCursorLine("old/announcements 2.0 [production] [read only]>")
    #expect(!picture.styled.contains { $0.contains("\u{1B}[31m") })
  }

  @Test("the prompt is the operator's own") func prompt() throws {
    let console = try ConsoleTmux(in: home)
    _ = try console.run("set prompt \"%b (%v) %% >\"")
    try console.terminal.expectCursorLine("intranet (2.0) % >")
    #expect(try console.run("set prompt \"%q >\"").text.contains("unknown prompt sequence \"%q\""))
  }

  @Test("what psql has is taken at a terminal, and not in a script") func aliases() async throws {
    let console = try ConsoleTmux(in: home, columns: 100, rows: 60)
    _ = try console.run("\\x")
    #expect(try console.run("show expanded").lines.contains("on"))
    _ = try console.run("\\x")
    #expect(try console.run("show expanded").lines.contains("off"))
    #expect(try console.run("\\d").text.contains("identifier"))
    #expect(try console.run("\\nope").text.contains("unknown command \\nope"))
    try console.terminal.enter("\\q")
    #expect(try console.terminal.waitForExit() == .exited(0))
    let script = try await ConsoleRun.run([], input: "\\q\n", in: home)
    #expect(script.status == 2)
  }
}
