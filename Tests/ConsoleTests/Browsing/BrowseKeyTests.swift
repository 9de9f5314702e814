import BackendClient
import BackendKit
import Files
import Foundation
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleScreen

/// The keys of a screen of records that look, each with what it changes and what it asks for.
@Suite struct BrowseKeyTests {
  @Test func `arrows and pages move the cursor within the records and the columns`() throws {
    var bench = try BrowseBench()
    #expect(bench.selected() == "0")
    bench.press(.down, .down, .right)
    #expect(bench.selected() == "todo 2")
    bench.press(.up, .left, .left, .left)
    #expect(bench.selected() == "1")
    bench.press(.pageDown)
    #expect(bench.selected() == "21")
    bench.press(.pageDown, .pageDown)
    #expect(bench.selected() == "29")
    bench.press(.pageUp)
    #expect(bench.selected() == "9")
    bench.press(.home, .up)
    #expect(bench.selected() == "0")
    #expect(bench.takeEffect() == nil)
  }

  @Test func `the window follows the cursor, and has names, records and two lines below`() throws {
    var bench = try BrowseBench()
    #expect(bench.rows(80, 10).count == 10)
    #expect(bench.rows(80, 10)[0] == "it/todos  1 of 30 read so far")
    #expect(bench.rows(80, 10)[1].hasPrefix("   ID  TITLE    DONE   SIZE  COUNT  USERID"))
    #expect(bench.rows(80, 10)[2].hasPrefix("    0  todo 0   false  S         0       7  early"))
    bench.press(.pageDown, .down)
    let rows = bench.rows(80, 10)
    #expect(rows[2].contains("todo 2") && rows[7].contains("todo 7"))
    #expect(rows[9] == "? keys, q leaves")
  }

  @Test(arguments: [(40, 10), (200, 60), (10, 3), (1, 1), (0, 0)])
  func `every window gets a picture`(columns: Int, rows: Int) throws {
    var bench = try BrowseBench()
    bench.press(.down, .right)
    for keys: [ScreenKey] in [[], [.character("c")], [.escape, .character("?")], [.escape, .character("/")]] {
      for key in keys { bench.press(key) }
      #expect(bench.rows(columns, rows).count == max(5, rows))
    }
  }

  @Test func `columns scroll sideways while the identifier stays`() throws {
    var bench = try BrowseBench()
    for _ in 0..<7 { bench.press(.right) }
    let head = bench.rows(30, 10)[1]
    #expect(head.hasPrefix("   ID  ") && head.contains("KEY") && !head.contains("TITLE"))
    for _ in 0..<6 { bench.press(.left) }
    #expect(bench.rows(30, 10)[1].contains("TITLE"))
  }

  @Test func `End reads on until Escape, and goes to the last record read`() async throws {
    var bench = try BrowseBench()
    bench.press(.end)
    #expect(bench.model.isReadingAll && bench.model.row == 29)
    #expect(bench.status() == "reading: 30 records so far; Escape stops")
    bench.press(.control("c"))
    #expect(!bench.model.isReadingAll)
    #expect(bench.status() == "stopped after 30 records")
    bench.press(.end, .up)
    #expect(!bench.model.isReadingAll && bench.model.row == 28)
    bench.model.list.finish(.failure(.unsupported("over")))
    bench.press(.end)
    #expect(!bench.model.isReadingAll && bench.model.row == 29)
    #expect(bench.status() == "over")
  }

  @Test func `a slash filters with each character, and Escape shows all again`() throws {
    var bench = try BrowseBench()
    bench.press(.down, .character("/"))
    #expect(bench.takeEffect() == nil)
    bench.type("ab")
    #expect(bench.model.filter == "ab")
    #expect(bench.takeEffect() == .read(isTyping: true))
    #expect(bench.status().hasPrefix("/ab"))
    #expect(bench.model.frame((80, 24)).cursor.map { [$0.column, $0.row] } == [3, 22])
    bench.press(.backspace, .paste("c d"), .enter)
    #expect(bench.model.filter == "ac d")
    #expect(bench.rows()[0].hasPrefix("it/todos  /ac d  "))
    bench.press(.character("/"), .escape)
    #expect(bench.model.filter.isEmpty)
    #expect(bench.takeEffect() == .read())
  }

  @Test func `a filter is conditions as of list, and other words are searched for`() throws {
    let filter = try BrowseFilter("done=false two 'words x' count>3", of: BrowseBench.todos)
    #expect(filter.filters.map(\.description) == ["done=false", "count>3"])
    #expect(filter.search == "two words x")
    #expect(filter.line == ["done=false", "count>3", "--search", "'two words x'"])
    #expect(try BrowseFilter("", of: BrowseBench.todos).line.isEmpty)
    for wrong in ["nothing=1", "title~", "'open"] {
      #expect(throws: (any Error).self, "\(wrong)") { try BrowseFilter(wrong, of: BrowseBench.todos) }
    }
  }

  @Test func `s sorts by the column, again in descending order, and then not at all`() throws {
    var bench = try BrowseBench()
    #expect(bench.model.sort == nil)
    bench.press(.right, .character("s"))
    #expect(bench.takeEffect() == .read())
    #expect(bench.model.sort == [SortKey(.member("title"))])
    bench.press(.character("s"))
    #expect(bench.model.sort == [SortKey(.member("title"), isDescending: true)])
    #expect(bench.rows()[0].contains("  sorted by -title  "))
    bench.press(.left, .character("s"))
    #expect(bench.model.sort == [SortKey(.member("id"))])
    bench.press(.character("s"), .character("s"))
    #expect(bench.model.sort == [] && bench.rows()[0] == "it/todos  1 of 30 read so far")
    bench.press(.character("s"))
    #expect(bench.model.sort == [SortKey(.member("id"))])
  }

  @Test func `c chooses columns, of which the identifier stays`() throws {
    var bench = try BrowseBench()
    bench.press(.character("c"), .character(" "), .down, .character(" "))
    #expect(bench.rows()[2...3] == ["[x] id", "[ ] title"])
    bench.press(.enter)
    let head = bench.rows()[1]
    #expect(head.contains("ID") && head.contains("DONE") && !head.contains("TITLE"))
    bench.press(.character("c"), .home, .down, .character(" "), .escape)
    #expect(bench.rows()[1].contains("TITLE"))
  }

  @Test func `Enter shows a record, whose text scrolls`() throws {
    var bench = try BrowseBench()
    bench.press(.down, .enter)
    #expect(bench.takeEffect() == .show(BrowseBench.todo(1)))
    bench.model.mode = .text(BrowsedText("a", (0..<50).map { "line \($0)" }.joined(separator: "\n")))
    #expect(bench.rows()[0...1] == ["a", "line 0"])
    bench.press(.pageDown)
    #expect(bench.rows()[1] == "line 22")
    bench.press(.end)
    #expect(bench.rows()[22] == "line 49")
    bench.press(.home, .down)
    #expect(bench.rows()[1] == "line 1")
    bench.press(.escape)
    #expect(bench.selected() == "1")
  }

  @Test func `Tab follows the reference of the column, or the only one`() throws {
    var bench = try BrowseBench()
    bench.press(.tab)
    let relation = Relation(FieldPath("userId"), RecordReference(to: "users"))
    #expect(bench.takeEffect() == .follow(relation, "7"))
    var plain = BrowseBench.todos
    plain.fields.removeAll { $0.name == "userId" }
    bench = try BrowseBench(of: plain)
    bench.press(.tab)
    #expect(bench.takeEffect() == nil)
    #expect(bench.status() == "todos has no reference fields")
  }

  @Test func `Escape ends what was begun, and then goes back where there is a screen to go back to`() throws {
    var bench = try BrowseBench(isInner: true)
    bench.type("v")
    bench.press(.down, .escape)
    #expect(bench.model.range == nil)
    bench.type(" ")
    bench.press(.escape)
    #expect(bench.model.marks.isEmpty && bench.takeEffect() == nil)
    bench.press(.escape)
    #expect(bench.takeEffect() == .back)
    bench.press(.backspace)
    #expect(bench.takeEffect() == .back)
    bench = try BrowseBench()
    bench.press(.escape, .backspace)
    #expect(bench.takeEffect() == nil)
  }

  @Test func `r reads again, keeps the row, and marks what changed`() throws {
    var bench = try BrowseBench()
    bench.press(.down, .down, .character("r"))
    #expect(bench.takeEffect() == .read())
    _ = bench.rows()
    let records = (0..<30).map { BrowseBench.todo($0, title: $0 == 4 ? "other" : nil) }
    bench.model.show(try BrowseBench.list(records, bench.client))
    #expect(bench.model.row == 2)
    let changed = bench.model.frame((80, 24)).rows.joined().filter { $0.role == .change }
    #expect(changed.map(\.text.text) == ["other  "])
    // The cursor stays on its record, wherever that is now.
    let cursor = bench.selected()
    bench.model.show(try BrowseBench.list(Array(records.dropFirst()), bench.client))
    #expect(bench.model.row == 1 && bench.selected() == cursor)
    bench.model.show(try BrowseBench.list(Array(records.dropFirst(3)), bench.client))
    #expect(bench.status() == "the record under the cursor is no longer in its place")
    // Another list is another one: it begins at its first record.
    bench.model.show(try BrowseBench.list(records, bench.client, search: "x"))
    #expect(bench.model.row == 0)
    #expect(!bench.model.frame((80, 24)).rows.joined().contains { $0.role == .change })
  }

  @Test func `a question mark shows the keys, those that edit only where there are any`() throws {
    var bench = try BrowseBench()
    bench.type("?")
    #expect(bench.rows(80, 30).contains { $0.contains("send the edits") })
    bench = try BrowseBench(isEditable: false)
    bench.type("?")
    let rows = bench.rows(80, 30)
    #expect(rows.contains { $0.contains("sort by the column") } && !rows.contains { $0.contains("edit") })
  }

  @Test func `each key of the guide is one of the screen`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let guide = try String(contentsOf: root.appending(path: "docs/guide/browse.md"), encoding: .utf8)
    let table = guide.components(separatedBy: "| --- | --- |\n").last?.components(separatedBy: "\n\n").first ?? ""
    let names = table.split(separator: "\n").map { row in
      row.split(separator: "|")[0].replacing("`", with: "").trimmingCharacters(in: .whitespaces)
    }
    let told = Set(names.joined(separator: ", ").components(separatedBy: ", "))
    let keys = Set(BrowseKey.all.flatMap { $0.keys.components(separatedBy: ", ") })
    #expect(keys.subtracting(told).subtracting(["Backspace", "Escape"]) == [])
    #expect(told.subtracting(keys) == ["?"])
  }

  @Test func `q leaves`() throws {
    var bench = try BrowseBench()
    bench.type("q")
    #expect(bench.takeEffect() == .leave)
  }

  @Test func `records of others are shown as tables show them, and cut before they are measured`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    var fields = (0..<2_000).map { ("f\($0)", Value.string("\u{1B}[2J\u{202E}\($0)")) }
    fields.append(("long", .string(long)))
    fields.append(("marks", .string("a" + String(repeating: "\u{301}", count: 1 << 20))))
    let hostile = ResourceDescription(
      name: "odd", identifier: IdentifierRule(form: .text), isOpen: true,
      capabilities: Capabilities(operations: [.list, .update]))
    let records = (0..<40).map { Record(id: RecordID("\($0)"), fields: Object(fields + [("id", .string("\($0)"))])) }
    var bench = try BrowseBench(records, of: hostile)
    let text = bench.rows().joined()
    #expect(text.contains("\\x1b[2J\\u{202e}0"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    for _ in 0..<2_010 { bench.press(.right) }
    let end = bench.rows()
    #expect(end[1].contains("LONG") && end[1].contains("MARKS"))
    #expect(end[2].contains("xxx…") && end.allSatisfy { $0.utf8.count < 20_000 })
  }
}
