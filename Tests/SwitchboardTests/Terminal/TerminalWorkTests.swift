import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Work that takes a while at a terminal, and results that follow a server.
@Suite("Work in progress", .serialized) struct TerminalWorkTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("what is awaited is shown after a moment, and gone when it is over") func spinner() async throws {
    let demo = try await DemoProcess.late("fault.count=1")
    let console = try ConsoleTmux(in: home, config: try demo.configuration(in: home))
    try console.clear()
    try console.terminal.enter("get 3")
    try console.terminal.wait("the mark to turn") { picture in
      picture.cursorLine.wholeMatch(of: /[-|\/\\] get 3: [0-9]+ s/) != nil
    }
    try console.terminal.press("C-c")
    let picture = try console.terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    #expect(!picture.text.contains("get 3: "))
    #expect(picture.text.contains("stopped; "))
  }

  @Test("a command over many records shows how far it is; Ctrl-C says what was not tried") func bulk() async throws {
    let demo = try await DemoProcess.late("fault.on=writes")
    let console = try ConsoleTmux(in: home, config: try demo.configuration(in: home), columns: 120)
    try console.clear()
    try console.terminal.enter("delete 1 2 3 4 --yes")
    try console.terminal.expect("delete intranet/announcements: [....................] 0 of 4")
    try console.terminal.press("C-c")
    try console.terminal.expect("interrupted after 0 deleted, 1 unknown; not tried: 2, 3, 4")
    let picture = try console.terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    #expect(picture.text.contains("outcome unknown"))
    #expect(!picture.text.contains("[....."))
  }

  @Test(
    "a list with a total shows how much of it was read",
    arguments: [
      ("export s/things --to all.csv", "export s/things --to …"), ("copy s/things t/things", "copy s/things: reading"),
      ("delete s/things --where 'id > 0'", "delete s/things --where …"),
    ])
  func totals(command: String, shown: String) async throws {
    let page = SocketServer.json(200, #"{"items": [{"id": 1, "code": "a"}, {"id": 2, "code": "b"}], "total": 4}"#)
    // The second page never comes.
    let server = try SocketServer(page, [], holdsOpen: true)
    let home = try ConsoleRun.Home(
      ["s", "t"].map { DescribedBackend($0, server.address, by: "pages") },
      describing: [
        "pages": """
        records: {listPath: items}
        page: {style: offset, parameter: offset}
        size: {parameter: limit, default: 2, maximum: 2}
        total: {member: total}
        create: {}
        delete: {}
        resources: {things: {fields: {id: {type: integer, readOnly: true}, code: text}}}
        """
      ])
    let console = try ConsoleTmux(in: home, config: home.config, columns: 120)
    try console.clear()
    try console.terminal.enter(command)
    try console.terminal.expect("\(shown): [##########..........] 2 of 4")
    try console.terminal.press("C-c")
    try console.terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
  }

  /// Presses Tab until it shows them.
  private func expectTitles(_ console: ConsoleTmux) throws {
    try console.terminal.wait("the titles of the records") { picture in
      if picture.text.contains("Moving day") { return true }
      try console.terminal.press("Tab")
      return false
    }
  }

  @Test("Tab looks up identifiers that were not seen yet") func lookup() throws {
    let console = try ConsoleTmux(in: home, columns: 100)
    try console.clear()
    try console.terminal.type("get ")
    // The demo has to start first, which takes longer than anybody waits for a key.
    try expectTitles(console)
    var shown = ""
    repeat {
      try console.terminal.press("C-u")
      try console.terminal.type("list todolist compl")
      try console.terminal.press("Tab")
      try console.terminal.type("<")
      shown = try console.terminal.wait("what follows Tab") { $0.cursorLine.hasSuffix("<") }.cursorLine
    } while shown.hasSuffix("compl<")
    #expect(shown.hasSuffix("> list todolist completed<"))
  }

  @Test("what could not be looked up is looked up again after the next command") func laterLookup() async throws {
    let gone = try await DemoProcess.start(["--memory"])
    let config = try gone.configuration(in: home)
    gone.stop()
    let port = try RefusingPort(gone.port)
    let console = try ConsoleTmux(in: home, config: config, columns: 100)
    try console.clear()
    try console.terminal.type("get ")
    try console.terminal.press("Tab")
    // The targets are known without the server.
    try console.terminal.expect("grails at")
    let back = try await DemoProcess.start(["--memory", "--port", String(gone.port)])
    try console.terminal.press("C-u")
    _ = try console.run("show perPage")
    try console.terminal.type("get ")
    try expectTitles(console)
    withExtendedLifetime((back, port)) {}
  }

  @Test("a script gets neither watch nor a picture of progress") func batch() async throws {
    let run = try await home.runShipped("-c", "watch 1 list")
    #expect(
      (run.status, run.output, run.errors) == (
        2, "", "-c:1: error: watch needs a terminal\nhint: in a script, repeat the command with for or with the shell\n"
      ))
  }

  @Test("tee adds what is shown to a file, without colors") func tee() throws {
    let console = try ConsoleTmux(in: home, columns: 100)
    let file = home.folder.path + "/shown"
    _ = try console.run("tee '\(file)'")
    #expect(try console.run("tee").text.contains("results are copied to"))
    _ = try console.run("list --per-page 1")
    _ = try console.run("tee off")
    _ = try console.run("list --per-page 2")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(" ID  TITLE"))
    #expect(text.contains("  1  "))
    #expect(!text.contains("  2  "))
    #expect(!text.contains("\u{1B}"))
  }
}
