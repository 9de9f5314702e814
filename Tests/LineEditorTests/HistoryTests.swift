import Foundation
import TerminalSupport
import TestSupport
import Testing

@testable import LineEditor

@Suite struct `The history` {
  @Test func `lines of one session are there in the next, readable by the owner alone`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("state/probe/history")
    let first = try Probe.start(["--history", file])
    first.send("get 公告\rlist\rlist\r secret\rquit\r")
    #expect(try first.waitForExit() == .exited(0))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "get 公告\nlist\n")
    #expect(try permissions(file) == 0o600)
    #expect(try permissions(folder.file("state/probe")) == 0o700)
    #expect(try permissions(folder.file("state")) == 0o700)

    let second = try Probe.start(["--history", file])
    second.send(Key.up)
    try second.expectCursorLine("probe> list", column: 11)
    second.send(Key.up)
    try second.expectCursorLine("probe> get 公告", column: 15)
    second.send("\r")
    try second.expect("read [get 公告]")
  }

  @Test func `Up goes through the lines that begin alike, Down comes back to the draft`() throws {
    let terminal = try Probe.start()
    terminal.send("get 1\rlist\rget 2\rge")
    try terminal.expectCursorLine("probe> get 2", column: 9)
    terminal.send(Key.up)
    try terminal.expectCursorLine("probe> get 2", column: 12)
    terminal.send(Key.up)
    try terminal.expectCursorLine("probe> get 1", column: 12)
    terminal.send(Key.down)
    try terminal.expectCursorLine("probe> get 2")
    terminal.send(Key.down)
    try terminal.expectCursorLine("probe> get 2", column: 9)
  }

  @Test func `Up on an empty line and Down come back to an empty line`() throws {
    let terminal = try Probe.start()
    terminal.send("one\r")
    try terminal.expect("read [one]")
    try terminal.expectPrompt()
    terminal.send(Key.up)
    try terminal.expectCursorLine("probe> one")
    terminal.send(Key.down)
    try terminal.expectCursorLine("probe>", column: 7)
  }

  @Test func `Control-R finds a line while the pattern is typed`() throws {
    let terminal = try Probe.start()
    terminal.send("get 公告\rlist 公告\rupdate 5\rdraft")
    try terminal.expectCursorLine("probe> draft")
    terminal.send("\(Key.search)公")
    try terminal.expectCursorLine("search '公': list 公告", column: 18)
    terminal.send(Key.search)
    try terminal.expectCursorLine("search '公': get 公告", column: 17)
    terminal.send("x")
    try terminal.expectCursorLine("no line has '公x': get 公告")
    terminal.send(Key.cancel)
    try terminal.expectCursorLine("probe> draft", column: 12)
    terminal.send("\(Key.search)upd\(Key.end)0\r")
    try terminal.expect("read [update 50]")
  }

  @Test func `Enter runs the line that Control-R found, Control-C goes back`() throws {
    let terminal = try Probe.start()
    terminal.send("list all\rdraft\(Key.search)lis")
    try terminal.expectCursorLine("search 'lis': list all")
    terminal.send(Key.interrupt)
    try terminal.expectCursorLine("probe> draft")
    terminal.send("\(Key.search)all\r")
    try terminal.wait("the line run again") { $0.lines.count { $0 == "read [list all]" } == 2 }
  }

  @Test func `two sessions both keep their lines`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("history")
    let one = try Probe.start(["--history", file])
    let two = try Probe.start(["--history", file])
    one.send("first\r")
    try one.expect("read [first]")
    try one.expectPrompt()
    two.send("second\r")
    try two.expect("read [second]")
    try two.expectPrompt()
    one.send("third\rquit\r")
    try one.waitForExit()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "first\nsecond\nthird\n")
  }

  @Test func `a file that is too long is cut to the newest lines`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("history")
    try (1...20).map { "line \($0)\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
    let terminal = try Probe.start(["--history", file, "--size", "3"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "line 18\nline 19\nline 20\n")
    #expect(try permissions(file) == 0o600)
    terminal.send("\(Key.up)\(Key.up)\(Key.up)\(Key.up)")
    try terminal.expectCursorLine("probe> line 18")
  }

  @Test func `a file that others may read is closed to them`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("one\n", to: "history", mode: 0o644)
    let terminal = try Probe.start(["--history", file])
    #expect(try permissions(file) == 0o600)
    terminal.send(Key.up)
    try terminal.expectCursorLine("probe> one")
  }

  @Test func `lines of several rows survive the file`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("history")
    let first = try Probe.start(["--history", file])
    first.send("\(Key.paste("one\\n\ntwo"))\rquit\r")
    try first.waitForExit()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "one\\\\n\\ntwo\n")
    let second = try Probe.start(["--history", file])
    second.send("\(Key.up)\r")
    try second.expect("read [one\\n|two]")
  }

  @Test(arguments: ["/dev/null/history", "/dev/null", "/proc/history"])
  func `a file that cannot be used is a warning and stops nobody`(file: String) throws {
    let terminal = try Probe.start(["--history", file])
    terminal.send("one\r\(Key.up)\r")
    try terminal.wait("the line twice") { $0.lines.count { $0 == "read [one]" } == 2 }
    terminal.send("two\r")
    try terminal.expect("read [two]")
    let history = History(path: file, limit: 10)
    history.add("one")
    #expect(history.warning?.contains("this session's lines are not kept") == true)
  }

  @Test(arguments: ["plain", "back\\slash", "two\nrows", "\\n is not a newline", "公告 🎉", "\\"])
  func `an entry comes back from the file as it went in`(entry: String) {
    let row = HistoryFile.encode(entry)
    #expect(!row.contains("\n"))
    #expect(HistoryFile.decode(row) == entry)
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}

@Suite struct `A line entered again` {
  private func history(_ folder: TemporaryFolder, limit: Int = 10) -> History {
    History(path: folder.file("history"), limit: limit)
  }

  @Test func `moves to the newest place and gets a new number, the others keep theirs`() throws {
    let folder = try TemporaryFolder()
    let history = history(folder)
    for line in ["a", "b", "c", "a", "a", "b"] { history.add(line) }
    #expect(history.numbered.map(\.number) == [3, 4, 5])
    #expect(history.entries == ["c", "a", "b"])
    // Appended only: another session may be appending at this moment.
    #expect(folder.text(of: "history") == "a\nb\nc\na\nb\n")
  }

  @Test func `is there once in the next session`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a\nb\na\nc\nb\n", to: "history")
    #expect(history(folder).entries == ["a", "c", "b"])
    #expect(folder.text(of: "history") == "a\nb\na\nc\nb\n")
  }

  @Test func `does not push others out of a file that is cut`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a\nb\n" + String(repeating: "c\n", count: 20), to: "history")
    #expect(history(folder, limit: 5).entries == ["a", "b", "c"])
    #expect(folder.text(of: "history") == "a\nb\nc\n")
  }

  @Test func `many times has the file written anew`() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "a\nb\n", count: 10), to: "history")
    #expect(history(folder, limit: 100).entries == ["a", "b"])
    #expect(folder.text(of: "history") == "a\nb\n")
  }

  @Test func `is forgotten with the rest, also by a session that goes on`() throws {
    let folder = try TemporaryFolder()
    let one = history(folder)
    let two = history(folder)
    one.add("a")
    two.add("b")
    try one.clear()
    #expect(one.entries == [])
    #expect(folder.text(of: "history") == "")
    two.add("c")
    #expect(history(folder).entries == ["c"])
    #expect(throws: HistoryFile.Failure.self) { try HistoryFile(path: folder.path).clear() }
  }

  // Only root can give files away.
  @Test(.enabled(if: geteuid() == 0)) func `of another user is neither read nor added to`() throws {
    let folder = try TemporaryFolder()
    try folder.write("theirs\n", to: "history", mode: 0o666)
    try #require(chown(folder.file("history"), 65_534, 65_534) == 0)
    let history = history(folder)
    #expect(history.entries == [])
    #expect(history.warning?.contains("it belongs to another user (65534)") == true)
    history.add("mine")
    #expect(folder.text(of: "history") == "theirs\n")
    #expect(throws: HistoryFile.Failure.self) { try HistoryFile(path: folder.file("history")).clear() }
  }

  @Test func `by many sessions at once is not lost`() async throws {
    let folder = try TemporaryFolder()
    await withTaskGroup(of: Void.self) { group in
      for session in 1...8 {
        group.addTask {
          for number in 1...50 {
            let history = History(path: folder.file("history"), limit: 500)
            history.add("session \(session) line \(number)")
          }
        }
      }
    }
    #expect(Set(history(folder, limit: 500).entries).count == 400)
  }
}

@Suite struct `Taking changes back` {
  private func list(_ texts: [String]) -> UndoList {
    var list = UndoList()
    for text in texts { list.note(.init(text: text, cursor: text.unicodeScalars.count)) }
    return list
  }

  @Test func `typed words are one change each, anything else is one by itself`() {
    var list = list(["a", "ab", "ab ", "ab c", "ab cd", "ab", ""])
    var seen: [String] = []
    while let state = list.undo() { seen.append(state.text) }
    #expect(seen == ["ab", "ab cd", "ab ", ""])
  }

  @Test func `without a change there is nothing to take back`() {
    var list = list([])
    #expect(list.undo() == nil)
    list.note(.init(text: "", cursor: 0))
    #expect(list.undo() == nil)
  }
}

@Suite struct `Texts too tall for the window` {
  @Test func `stand in the line as marks and come back in their places`() {
    var held = LongTexts()
    let one = held.hold("a\nb", as: "paste")
    let two = held.hold("long", as: "paste")
    #expect(one == "[paste 1: 2 lines]")
    #expect(two == "[paste 2: 4 characters]")
    #expect(held.hold("a\nb", as: "paste") == one)
    #expect(held.expanded("x \(two) y \(one)") == "x long y a\nb")
    #expect(held.expanded("[paste 3: 1 lines] [") == "[paste 3: 1 lines] [")
  }
}
