import BackendClient
import BackendKit
import Files
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleScreen

/// The keys of a screen of records that mark and edit, and the writes that the edits become.
@Suite struct BrowseEditTests {
  private static let path = ResourcePath(name: "todos")

  private func writes(_ bench: BrowseBench) throws -> [Write] {
    try bench.model.edits.planned(Self.path, BrowseBench.todos).map(\.write)
  }

  /// A bench whose cursor is in a column.
  private func bench(in column: Int, isEditable: Bool = true) throws -> BrowseBench {
    var bench = try BrowseBench(isEditable: isEditable)
    for _ in 0..<column { bench.press(.right) }
    return bench
  }

  // MARK: Marks

  @Test func `Space marks a record and goes on, and takes the mark back`() throws {
    var bench = try BrowseBench()
    bench.type("  ")
    #expect(Array(bench.model.marks.rows) == [0, 1] && bench.model.row == 2)
    #expect(bench.rows()[2].hasPrefix("*") && !bench.rows()[4].hasPrefix("*"))
    #expect(bench.foot() == "2 marked  Escape unmarks, ? keys, q leaves")
    #expect(bench.rows(40, 24).last == "2 marked  ? keys, q leaves")
    bench.press(.up)
    bench.type(" ")
    #expect(Array(bench.model.marks.rows) == [0])
  }

  @Test func `v begins a range, and marks it at its other end`() throws {
    var bench = try BrowseBench()
    bench.press(.down, .down, .down, .character("v"), .up, .up)
    #expect(bench.rows()[3].hasPrefix("*") && bench.model.marks.isEmpty)
    bench.type("v")
    #expect(Array(bench.model.marks.rows) == [1, 2, 3])
    #expect(bench.status() == "3 records marked")
  }

  @Test func `a star marks what was read and says if there is more, and takes all marks back`() throws {
    var bench = try BrowseBench()
    bench.type("*")
    #expect(bench.model.marks.count == 30)
    #expect(bench.status() == "30 records marked of those read so far; End reads all")
    bench.type("*")
    #expect(bench.model.marks.isEmpty)
    bench.model.list.finish(.failure(.unsupported("over")))
    bench.type("*")
    #expect(bench.status() == "30 records marked")
  }

  @Test func `marks are those of many rows`() {
    var marks = RowMarks()
    for row in [1_000_000, 0, 63, 64, 0] { marks[row] = true }
    marks[64] = false
    marks[-1] = true
    #expect(Array(marks.rows) == [0, 63, 1_000_000] && marks.count == 3)
    #expect(!marks[64] && marks[63] && !marks[-1] && !marks[2_000_000])
  }

  // MARK: Values

  @Test func `e edits a text in a line, and shows the old value beside the new one`() throws {
    var bench = try bench(in: 1)
    bench.type("e")
    #expect(bench.status() == "title: todo 0")
    bench.press(.home)
    bench.type("my ")
    bench.press(.end, .backspace, .character("1"), .left, .delete, .character("2"), .enter)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("title", "my todo 2")])])
    let row = bench.rows()[2]
    #expect(row.hasPrefix(" ~") && row.contains("→ my"))
    #expect(bench.foot() == "1 edit (1 to update): w sends, p shows the plan  ? keys")
  }

  @Test func `a wrong value says why and stays in the line; Escape leaves it`() throws {
    var bench = try bench(in: 4)
    bench.type("e")
    bench.press(.control("u"))
    bench.type("many")
    bench.press(.enter)
    #expect(bench.status().hasPrefix("count: many  count is an integer, and \"many\" is not"))
    bench.press(.control("u"), .character("5"), .enter)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("count", 5)])])
    bench.type("e")
    bench.press(.character("6"), .escape)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("count", 5)])])
    bench.press(.left, .left, .left)
    bench.type("elonger than that")
    bench.press(.enter)
    #expect(bench.status().contains("the limit is 12"))
  }

  @Test func `the value that a record has is not an edit`() throws {
    var bench = try bench(in: 1)
    bench.type("ex")
    bench.press(.enter)
    #expect(!bench.model.edits.isEmpty)
    bench.type("e")
    bench.press(.backspace, .enter)
    #expect(bench.model.edits.isEmpty)
  }

  @Test func `a boolean is toggled, and one of several values is chosen`() throws {
    var bench = try bench(in: 2)
    bench.type("e")
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("done", true)])])
    bench.type("e")
    #expect(bench.model.edits.isEmpty)
    bench.press(.right)
    bench.type("e")
    #expect(bench.status() == "size: S M L" && bench.selected() == "S|S")
    bench.press(.left, .enter)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("size", "L")])])
  }

  @Test(arguments: [(0, "id is the identifier"), (6, "made is read-only"), (7, "key is a secret")])
  func `a field that takes no values is not edited`(column: Int, reason: String) throws {
    var bench = try bench(in: column)
    bench.type("e")
    #expect(bench.status().contains(reason))
    #expect(bench.model.edits.isEmpty)
  }

  @Test func `an edit applies to all marked records`() throws {
    var bench = try bench(in: 2)
    bench.type("  ")
    bench.press(.down, .down)
    bench.type("e")
    let changes = [Change.set("done", true)]
    #expect(try writes(bench) == [.update(Self.path, "0", changes), .update(Self.path, "1", changes)])
    bench.type("x")
    #expect(bench.model.edits.isEmpty)
  }

  @Test func `more records than an edit takes are refused`() throws {
    var bench = try BrowseBench((0...BrowseEdits.most).map { BrowseBench.todo($0) })
    bench.type("*d")
    #expect(bench.model.edits.isEmpty)
    #expect(bench.status() == "more than 10,000 records are edited by update --where or delete --where")
  }

  // MARK: Records

  @Test func `d deletes a record or the marked ones, and again keeps them with their edits`() throws {
    var bench = try bench(in: 2)
    bench.type("ed")
    #expect(try writes(bench) == [.delete(Self.path, .one("0"))])
    #expect(bench.rows()[2].hasPrefix(" -"))
    bench.type("d")
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("done", true)])])
    bench.type("*d")
    #expect(bench.foot().hasPrefix("30 edits (30 to delete)"))
  }

  @Test func `a key that edits ends a range, and d again keeps all that are marked`() throws {
    var bench = try BrowseBench()
    bench.type("v")
    bench.press(.down, .down)
    bench.type("d")
    #expect(try writes(bench).count == 3)
    bench.press(.down)
    bench.type("d")
    #expect(try writes(bench).isEmpty)
  }

  @Test func `the value of the marked records is edited, not that of the cursor`() throws {
    var bench = try BrowseBench()
    for _ in 0..<4 { bench.press(.right) }
    bench.type("  e")
    #expect(bench.status() == "count of 2 records: 0")
    bench.press(.escape, .left, .left)
    bench.type("ee")
    #expect(try writes(bench).isEmpty)
  }

  @Test func `a record that a list shows in part is read whole to be copied`() throws {
    var record = BrowseBench.todo(1)
    record.fields["title"] = nil
    record.unloaded = ["title"]
    var bench = try BrowseBench([record])
    bench.type("o")
    #expect(bench.takeEffect() == .copy(record))
    #expect(bench.model.edits.isEmpty)
    bench.model.duplicate(BrowseBench.todo(1))
    #expect(bench.model.edits.new.map { $0.fields["title"] } == ["todo 1"])
  }

  @Test func `a value under a telling name is not copied`() throws {
    var record = BrowseBench.todo(1)
    record.fields["token"] = "abc"
    var bench = try BrowseBench([record])
    bench.model.isSecret = { $0 == "token" }
    bench.type("o")
    let new = try #require(bench.model.edits.new.first?.fields)
    #expect(new["title"] == "todo 1" && new["token"] == nil)
  }

  @Test func `o makes a new record with the values that can be sent`() throws {
    var bench = try bench(in: 2)
    bench.type("eo")
    let fields = Object([
      ("title", "todo 0"), ("done", true), ("size", "S"), ("count", 0), ("userId", 7),
    ])
    #expect(try writes(bench).last == .create(Self.path, fields))
    #expect(bench.rows()[2].hasPrefix(" +") && bench.rows()[3].hasPrefix(" ~"))
    bench.type("e")
    #expect(bench.model.edits.new.first?.fields["done"] == false)
    bench.type("d")
    #expect(bench.model.edits.new.isEmpty)
  }

  @Test func `p and w ask for the plan and for sending, once there are edits`() throws {
    var bench = try bench(in: 2)
    bench.type("pw")
    #expect(bench.takeEffect() == nil)
    #expect(bench.status() == "nothing is edited")
    bench.type("ep")
    #expect(bench.takeEffect() == .preview)
    bench.type("w")
    #expect(bench.takeEffect() == .send)
    bench.type("u")
    #expect(bench.takeEffect() == nil)
    bench.type("xu")
    #expect(bench.takeEffect() == .undo)
  }

  @Test func `E opens the record in the editor`() throws {
    var bench = try BrowseBench()
    bench.type("E")
    #expect(bench.takeEffect() == .openEditor(BrowseBench.todo(0)))
  }

  @Test func `what was written is no longer an edit, and what failed stays with its reason`() throws {
    var bench = try bench(in: 2)
    bench.type("  ")
    bench.press(.home)
    bench.type("e")
    let planned = try writes(bench)
    bench.model.edits.made(planned[0])
    try bench.model.edits.keep("1", because: "it was changed", now: BrowseBench.todo(1, title: "other"))
    #expect(bench.model.edits.count == 1)
    bench.press(.down)
    #expect(bench.rows()[3].hasPrefix("*!"))
    #expect(bench.status() == "it was changed")
    // The edit is now one of the record as it is.
    #expect(try bench.model.edits.planned(Self.path, BrowseBench.todos)[0].record?.fields["title"] == "other")
  }

  @Test func `each write is checked against the record that was shown`() throws {
    var bench = try bench(in: 2)
    bench.type("e")
    let planned = try #require(try bench.model.edits.planned(Self.path, BrowseBench.todos).first)
    #expect(planned.before?.fields["title"] == "todo 0")
    guard case .unchanged = planned.condition else {
      Issue.record("the condition is \(planned.condition)")
      return
    }
  }

  // MARK: Leaving

  @Test func `leaving with edits asks, and Escape stays`() throws {
    var bench = try bench(in: 2)
    bench.type("eq")
    #expect(bench.takeEffect() == nil)
    #expect(bench.status() == "s send  k keep  d drop  Escape stay: 1 edit not sent")
    #expect(bench.foot() == "k writes a plan file, which apply sends")
    #expect(bench.rows(40, 10)[8...] == ["s send  k keep  d drop  Escape stay: 1 …", bench.foot()])
    bench.press(.escape)
    #expect(bench.model.edits.count == 1 && bench.model.afterwards == nil)
    bench.type("qs")
    #expect(bench.takeEffect() == .send && bench.model.afterwards == .leave)
    bench.type("qd")
    #expect(bench.takeEffect() == .leave && bench.model.edits.isEmpty)
  }

  @Test func `edits are kept in a file with the name that is typed`() throws {
    var bench = try bench(in: 2)
    bench.type("eqk")
    bench.press(.enter)
    #expect(bench.takeEffect() == nil)
    bench.type("a b.plan")
    bench.press(.enter)
    #expect(bench.takeEffect() == .keep("a b.plan") && bench.model.afterwards == .leave)
  }

  @Test func `without permission to write no key marks or edits`() throws {
    var bench = try bench(in: 2, isEditable: false)
    bench.type(" v*eEdoxpwu")
    #expect(bench.model.edits.isEmpty && bench.model.marks.isEmpty && bench.takeEffect() == nil)
    bench.type("q")
    #expect(bench.takeEffect() == .leave)
  }

  @Test func `the new value is seen where both do not fit`() {
    #expect(BrowseModel.arrow("a", "b", 5) == "a → b")
    #expect(BrowseModel.arrow("old text", "new", 8) == "o… → new")
    #expect(BrowseModel.arrow("old text", "new text", 6) == "ne…")
  }
}
