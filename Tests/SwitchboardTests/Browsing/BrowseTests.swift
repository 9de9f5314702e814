import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// `browse` at a terminal, over a service with pages whose thing 5 cannot be changed.
@Suite(.serialized) struct BrowseTests {
  private static let (up, down, right) = ("\u{1B}[A", "\u{1B}[B", "\u{1B}[C")
  private static let (pageDown, end) = ("\u{1B}[6~", "\u{1B}[F")

  private let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("../Server/browse.py", ["500"])
    self.server = server
    home = try ConsoleRun.Home(
      ["it", "fixed", "live"].map { name in
        let more = ["fixed": #", "readOnly": true"#, "live": #", "label": "production""#][name] ?? ""
        return DescribedBackend(name, server.address, by: "things", more: #", "resource": "things""# + more)
      }, default: "it",
      describing: [
        "things": """
        records: {listPath: items}
        page: {style: offset, parameter: offset}
        size: {parameter: limit, default: 20, maximum: 50}
        total: {member: total}
        create: {}
        update: {method: PATCH}
        delete: {}
        identifier: {type: integer}
        resources:
          things:
            fields: {id: {type: integer, readOnly: true}, name: text, done: boolean}
          parts:
            paths: {collection: things, item: "things/{id}"}
            lists: {omit: [note]}
            fields: {id: {type: integer, readOnly: true, reference: parts}, name: text, note: text}
        """
      ])
  }

  /// A terminal on which a command shows things.
  private func start(
    _ command: String = "browse", columns: Int = 80, rows: Int = 24, editor: String = "false"
  ) throws -> PseudoTerminal {
    let terminal = try ConsoleTerminal.start(
      in: home, config: home.config, environment: ["VISUAL": editor], columns: columns, rows: rows,
      prompt: "it/things>")
    terminal.send(command + "\r")
    try terminal.wait("the records") { $0.modes.contains(1049) && $0.text.contains("thing 1") }
    return terminal
  }

  /// Edits the name under the cursor.
  private func name(_ text: String, on terminal: PseudoTerminal) throws {
    terminal.send("e")
    try terminal.wait("the line") { $0.cursorLine.contains(": thing") }
    terminal.send("\u{15}\(text)\r")
    try terminal.wait("the edit") { !$0.text.contains(": \(text)") && $0.text.contains("edit") }
  }

  /// Looks at the part under the cursor, which is read after all that was asked for before.
  private func look(_ number: Int, on terminal: PseudoTerminal) throws {
    terminal.send("\r")
    try terminal.wait("the part") { $0.row(0) == "it/parts/\(number)" }
    terminal.send("q")
    try terminal.wait("the records") { $0.row(0).hasPrefix("it/parts  ") }
  }

  /// Leaves the screen, and waits for the prompt on the terminal as it was before.
  private func leave(_ terminal: PseudoTerminal, _ keys: String = "q") throws {
    terminal.send(keys)
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix("it/things>") && !$0.modes.contains(1049) }
  }

  @Test func `records are read as one scrolls, and to the end by End`() throws {
    let terminal = try start()
    try terminal.expect("it/things  1 of ")
    #expect(try !server.read("log").contains("offset=400"))
    terminal.send(Self.pageDown)
    try terminal.expect("it/things  21 of ")
    terminal.send(Self.end)
    try terminal.expect("it/things  500 of 500")
    try terminal.expect("500 records")
    terminal.send(Self.up)
    try terminal.expect("it/things  499 of 500")
    try leave(terminal)
    #expect(terminal.screen.text.contains("list it/things\n"))
  }

  @Test(arguments: [(40, 10), (200, 60)]) func `the screen fits its window`(columns: Int, rows: Int) throws {
    let terminal = try start(columns: columns, rows: rows)
    try terminal.wait("all of it") { screen in
      screen.lines.count == rows && screen.row(rows - 1) == "? keys, q leaves"
        && screen.row(rows - 3).contains("thing \(rows - 4)")
    }
    #expect(terminal.screen.row(1).contains("ID  NAME"))
    terminal.resize(columns: 60, rows: 12)
    try terminal.wait("the new size") { $0.lines.count == 12 && $0.row(11) == "? keys, q leaves" }
    try leave(terminal)
  }

  @Test func `a condition filters while it is typed, and stands in the line that is printed`() throws {
    let terminal = try start()
    terminal.send("/name~")
    try terminal.expect("a value is missing")
    terminal.send("\u{15}name~49 id>400")
    try terminal.wait("the filter") { $0.text.contains("thing 449") && !$0.text.contains("thing 1 ") }
    terminal.send("\r")
    try terminal.expect("filtered locally")
    try leave(terminal)
    #expect(terminal.screen.text.contains("list it/things name~49 id>400\n"))
  }

  @Test func `no key edits the previous records while those of a condition are read`() throws {
    let terminal = try start()
    server.program.signal(SIGSTOP)
    terminal.send("/name~49\r")
    try terminal.wait("the rows") { $0.row(0) == "it/things  /name~49" && $0.row(23) == "? keys, q leaves" }
    try terminal.expect("reading …; these are the previous records")
    terminal.send("*dowev ?")
    try terminal.expect("sort by the column")
    terminal.send("q")
    try terminal.expect("reading …; these are the previous records")
    #expect(terminal.screen.row(23) == "? keys, q leaves")
    server.program.signal(SIGCONT)
    try terminal.wait("the filter") { $0.text.contains("thing 449") && !$0.text.contains("thing 1 ") }
    terminal.send("d")
    try terminal.expect("1 edit (1 to delete)")
    try leave(terminal, "qd")
  }

  @Test func `a record that was read to be copied is not copied into another list`() throws {
    let terminal = try start("browse parts")
    server.program.signal(SIGSTOP)
    terminal.send("o")
    try terminal.wait("the request") { $0.row(22) == "reading …" }
    terminal.send("/name~49\r")
    try terminal.expect("reading …; these are the previous records")
    server.program.signal(SIGCONT)
    try terminal.wait("the filter") { $0.row(2).contains("thing 49") }
    #expect(try server.read("log").contains("GET /things/1\n"))
    try look(49, on: terminal)
    // It would ask about a new record.
    try leave(terminal)
  }

  @Test func `a record that was read to be copied is not copied once its list was left`() throws {
    let terminal = try start("browse parts")
    terminal.send("\t")
    try terminal.wait("the record") { $0.row(0).hasPrefix("it/parts  /id=1  1 of 1") }
    server.program.signal(SIGSTOP)
    terminal.send("o")
    try terminal.wait("the request") { $0.row(22) == "reading …" }
    terminal.send("\u{7F}")
    try terminal.wait("the first list") { $0.row(0).hasPrefix("it/parts  1 of ") }
    server.program.signal(SIGCONT)
    try look(1, on: terminal)
    #expect(try server.read("log").split(separator: "\n").count { $0 == "GET /things/1" } == 2)
    try leave(terminal)
  }

  @Test func `b after a list shows the same records, and the line that is printed can be recalled`() throws {
    let terminal = try ConsoleTerminal.start(in: home, config: home.config, prompt: "it/things>")
    try terminal.run("list name~49 id>400 --sort -id -n 3", prompt: "it/things>")
    terminal.send("b\r")
    try terminal.wait("the records") { $0.modes.contains(1049) && $0.row(2).contains("thing 499") }
    terminal.send("s")
    try terminal.expect("sorted by id")
    try leave(terminal)
    #expect(terminal.screen.text.contains("list it/things name~49 id>400 --per-page 3 --sort id\n"))
    terminal.send("\u{10}")
    try terminal.wait("the line") { $0.cursorLine == "it/things> list it/things name~49 id>400 --per-page 3 --sort id" }
  }

  @Test func `the third s shows the order of the service, and takes the order from the line that is printed`() throws {
    let terminal = try start("browse id<30 --sort -id --server-order")
    try terminal.wait("the order of the command") { $0.row(2).contains("thing 29") }
    terminal.send("s")
    try terminal.expect("sorted by id")
    terminal.send("s")
    try terminal.expect("sorted by -id")
    try terminal.wait("the last first") { $0.row(2).contains("thing 29") }
    terminal.send("s")
    try terminal.expect("in the order of the service")
    try terminal.wait("the first first") { $0.row(2).contains("thing 1 ") && !$0.row(0).contains("sorted") }
    try leave(terminal)
    #expect(terminal.screen.text.contains("list it/things id<30\n"))
  }

  @Test func `edits of marked records are sent after a question, read again, and undone`() throws {
    let terminal = try start()
    terminal.send("  \(Self.right)")
    try name("new", on: terminal)
    try terminal.expect("2 edits (2 to update)")
    #expect(try !server.read("log").contains("PATCH"))
    terminal.send("w")
    try terminal.expect("Send 2 edits of it/things at \(server.address)? [y/N]")
    terminal.send("y\r")
    try terminal.expect("2 updated")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("the new names") { screen in
      screen.modes.contains(1049) && screen.lines.count { $0.contains(" new ") } == 2 && !screen.text.contains("edit")
    }
    #expect(try server.read("things/1").contains("new") && server.read("things/2").contains("new"))
    terminal.send("u")
    try terminal.expect("Undo 2 writes of it")
    terminal.send("y\r")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("the old names") { $0.modes.contains(1049) && $0.text.contains("thing 2 ") }
    #expect(try server.read("things/2").contains("thing 2"))
    try leave(terminal)
  }

  @Test func `an answer that is no keeps the edits, and sends nothing`() throws {
    let terminal = try start()
    terminal.send(Self.right)
    try name("new", on: terminal)
    terminal.send("w")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("n\r")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.expect("1 edit (1 to update)")
    #expect(try !server.read("log").contains("PATCH"))
    try leave(terminal, "qd")
  }

  @Test func `production asks for the number of writes`() throws {
    let terminal = try start("browse live", columns: 120)
    try terminal.expect("live/things (production)")
    terminal.send("  d")
    try terminal.expect("2 edits (2 to delete)")
    terminal.send("w")
    try terminal.expect("Type 2 to continue:")
    terminal.send("2\r")
    try terminal.expect("2 deleted")
    terminal.send("\r")
    try terminal.wait("the rest") { $0.modes.contains(1049) && !$0.text.contains("thing 2 ") }
    try leave(terminal)
  }

  @Test func `a record that somebody else has changed is not written, and both values are shown`() throws {
    let terminal = try start(columns: 120)
    terminal.send(Self.right)
    try name("mine", on: terminal)
    _ = try server.read("change/1", "")
    terminal.send("w")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("y\r")
    try terminal.expect("the record was changed after it was edited")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("the edit") { screen in
      screen.modes.contains(1049) && screen.row(2).hasPrefix(" !") && screen.row(2).contains("other → mine")
    }
    #expect(try server.read("things/1").contains("other"))
    // The edit is now one of what was just seen.
    terminal.send("w")
    try terminal.wait("the second question") {
      $0.cursorLine.hasSuffix("[y/N]") && $0.text.contains("\"other\" → \"mine\"")
    }
    terminal.send("y\r")
    try terminal.expect("updated things/1")
    terminal.send("\r")
    try terminal.wait("the record") { $0.modes.contains(1049) && $0.row(2).contains(" mine ") }
    #expect(try server.read("things/1").contains("mine"))
    try leave(terminal)
  }

  @Test func `the editor opens a record with its edits`() throws {
    let terminal = try start(columns: 120, editor: "sed -i s/mine/yours/")
    terminal.send(Self.right)
    try name("mine", on: terminal)
    terminal.send("E")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("the edit") { $0.row(2).contains("thing 1 → yours") }
    try leave(terminal, "qd")
  }

  @Test func `what the service refuses in the middle stays an edit, and the rest is done`() throws {
    let terminal = try start(columns: 120)
    terminal.send("\(Self.down)\(Self.down)\(Self.down)   \(Self.right)\(Self.right)")
    try terminal.expect("3 marked")
    terminal.send("e")
    try terminal.expect("3 edits (3 to update)")
    terminal.send("w")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("y\r")
    try terminal.expect("2 updated, 1 failed")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("what is left") { $0.modes.contains(1049) && $0.text.contains("1 edit (1 to update)") }
    try terminal.wait("its sign") { $0.row(6).hasPrefix(" !") && $0.row(5).contains("true") }
    terminal.send("\u{1B}[H\(Self.down)\(Self.down)\(Self.down)\(Self.down)\r")
    try terminal.wait("the reason") { $0.row(0) == "it/things/5" && $0.row(1).hasPrefix("!  ") }
    terminal.send("q")
    try terminal.wait("the records") { $0.row(6).hasPrefix(" !") }
    #expect(try server.read("things/6").contains("true") && server.read("things/5").contains("false"))
    try leave(terminal, "qd")
  }

  @Test func `a new record that may have been created says so, and no plan file creates it again`() throws {
    let terminal = try start(columns: 160)
    terminal.send("\(Self.right)o")
    try name("lost", on: terminal)
    terminal.send("w")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("y\r")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r\u{1B}[H")
    try terminal.wait("the new record") { $0.modes.contains(1049) && $0.row(2).hasPrefix(" !") }
    try terminal.expect("it may exist: ")
    terminal.send("\r")
    try terminal.wait("the reason") { $0.row(0) == "new record" && $0.row(1).contains("it may exist") }
    terminal.send("qw")
    try terminal.expect("error: the new records may exist")
    try terminal.expect("hint: journal check looks for them; x takes one back")
    terminal.send("\r")
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.row(2).hasPrefix(" !") }
    terminal.send("qk")
    try terminal.expect("plan file:")
    terminal.send("again.plan\r")
    try terminal.wait("the refusal") { $0.text.components(separatedBy: "new records may exist").count == 3 }
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.expect("1 edit (1 to create)")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(143))
    #expect(terminal.screen.fullText.contains("warning: 1 new record may exist: journal check looks for it"))
    #expect(try server.read("log").components(separatedBy: "POST /things").count == 2)
  }

  @Test func `leaving with edits asks; they are kept as a plan that apply sends`() throws {
    let terminal = try start()
    terminal.send(Self.right)
    try name("planned", on: terminal)
    terminal.send("q")
    try terminal.expect("s send  k keep  d drop  Escape stay: 1 edit not sent")
    terminal.send("k")
    try terminal.expect("plan file:")
    // Nothing is replaced.
    terminal.send("config.json\r")
    try terminal.expect("config.json exists")
    try terminal.expect("Enter goes back to the records")
    terminal.send("\r")
    try terminal.wait("the edit") { $0.modes.contains(1049) && $0.text.contains("1 edit (1 to update)") }
    terminal.send("qk")
    try terminal.expect("plan file:")
    try leave(terminal, "mine.plan\r")
    #expect(terminal.screen.text.contains("kept 1 edit in mine.plan; apply mine.plan sends them"))
    #expect(try !server.read("log").contains("PATCH"))
    terminal.send("apply mine.plan --yes\r")
    try terminal.wait("the end of apply") { $0.cursorLine == "it/things>" && $0.text.contains("updated things/1") }
    #expect(try server.read("things/1").contains("planned"))
  }

  @Test(arguments: [(number: SIGTERM, status: Int32(143)), (number: SIGHUP, status: Int32(129))])
  func `edits that were not sent when a signal ends the console are kept as a plan, even without the service`(
    signal: (number: Int32, status: Int32)
  ) async throws {
    let log = home.folder.appending(path: "log").path
    let terminal = try ConsoleTerminal.open(["--config", try #require(home.config), "--log", log], in: home)
    try terminal.expectPrompt("it/things>")
    terminal.send("browse\r")
    try terminal.wait("the records") { $0.modes.contains(1049) && $0.text.contains("thing 1") }
    terminal.send(Self.right)
    try name("kept", on: terminal)
    terminal.send("\(Self.down)d")
    try terminal.expect("2 edits (1 to update, 1 to delete)")
    server.program.signal(SIGSTOP)
    terminal.signal(signal.number)
    #expect(try terminal.waitForExit() == .exited(signal.status))
    server.program.signal(SIGCONT)
    #expect(terminal.screen.fullText.contains("warning: 2 edits not sent; apply"))
    let edits = home.folder.appending(path: "state/switchboard/edits").path
    let kept = try FileManager.default.contentsOfDirectory(atPath: edits)
    #expect(kept.count == 1)
    let plan = "\(edits)/\(kept.first ?? "")"
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains(#""edits":2,"plan":"\#(plan)""#))
    #expect(try !server.read("log").contains("PATCH"))
    let next = try ConsoleTerminal.open(["--config", try #require(home.config)], in: home)
    try next.expectPrompt("it/things>")
    #expect(next.screen.fullText.contains("note: edits of an earlier run were not sent: apply"))
    let applied = try await home.run(commands: "apply \(plan) --yes")
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: edits) == [])
    #expect(try server.read("things/1").contains("kept") && !server.read("things").contains("thing 2\""))
  }

  @Test func `the plan shows the requests, and sends nothing`() throws {
    let terminal = try start(columns: 120)
    terminal.send(Self.right)
    try name("new", on: terminal)
    terminal.send("p")
    try terminal.expect(#"PATCH /things/1 {"name":"new"}"#)
    try terminal.expect("dry run: nothing was sent")
    terminal.send("\r")
    try terminal.expect("1 edit (1 to update)")
    #expect(try !server.read("log").contains("PATCH"))
    try leave(terminal, "qd")
  }

  @Test func `a record is shown whole, and Escape goes back`() throws {
    let terminal = try start()
    terminal.send("\(Self.down)\r")
    try terminal.expect("it/things/2")
    try terminal.expect(" name  thing 2")
    terminal.send("q")
    try terminal.expect("it/things  2 of ")
    try leave(terminal)
  }

  @Test func `a record is shown with its edits, and the cursor stays on what was copied once the copy was sent`() throws
  {
    let terminal = try start()
    terminal.send("\(Self.down)\(Self.down)\(Self.right)")
    try name("new", on: terminal)
    terminal.send("\r")
    try terminal.expect(" name  thing 3 → new")
    terminal.send("q")
    try terminal.expect("it/things  3 of ")
    terminal.send("xo")
    try terminal.expect("1 edit (1 to create)")
    terminal.send("w")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send("y\r")
    try terminal.expect("Enter goes back to the records")
    #expect(try server.read("things/501").contains("thing 3"))
    terminal.send("\r")
    try terminal.wait("the record") { $0.modes.contains(1049) && $0.text.contains("it/things  3 of ") }
    try leave(terminal)
  }

  @Test func `a backend that is read only has no keys that edit`() throws {
    let terminal = try start("browse fixed")
    terminal.send("ed w?")
    try terminal.expect("sort by the column")
    #expect(!terminal.screen.text.contains("edit"))
    terminal.send("q")
    try terminal.expect("fixed/things  read only  1 of ")
    try leave(terminal)
    #expect(terminal.screen.text.contains("list fixed/things\n"))
  }

  @Test func `without a terminal, and on one that cannot show it, browse lists`() async throws {
    let words = "it/things id<4 --sort -id"
    let list = try await home.run(commands: "list \(words)")
    let browse = try await home.run(commands: "browse \(words)")
    #expect((browse.status, browse.output, browse.errors) == (list.status, list.output, list.errors))
    let restricted = try await home.run("", ["--restricted", "-c", "browse \(words)"])
    #expect((restricted.status, restricted.output) == (list.status, list.output))
    let terminal = try ConsoleTerminal.start(in: home, config: home.config, prompt: "it/things>")
    terminal.send("set trace on\r")
    try terminal.wait("the prompt") { $0.cursorLine == "it/things>" && $0.text.contains("trace") }
    terminal.send("browse \(words)\r")
    try terminal.expect("thing 3")
    #expect(!terminal.screen.modes.contains(1049))
  }
}
