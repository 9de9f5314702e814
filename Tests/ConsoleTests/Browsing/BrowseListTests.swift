import BackendClient
import BackendKit
import Files
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleScreen

/// A screen whose list is read anew, and what its user is told of edits and conditions.
@Suite struct BrowseListTests {
  private static let path = ResourcePath(name: "todos")

  private func writes(_ bench: BrowseBench) throws -> [Write] {
    try bench.model.edits.planned(Self.path, BrowseBench.todos).map(\.write)
  }

  private func list(_ numbers: some Sequence<Int>, _ bench: BrowseBench, search: String? = nil) throws -> BrowsedList {
    try BrowseBench.list(numbers.map { BrowseBench.todo($0) }, bench.client, search: search)
  }

  private func bench(in column: Int, of resource: ResourceDescription = BrowseBench.todos) throws -> BrowseBench {
    var bench = try BrowseBench(of: resource)
    for _ in 0..<column { bench.press(.right) }
    return bench
  }

  // MARK: Another list

  @Test func `marks follow their records into another list, and those without are told until they are back`()
    async throws
  {
    var bench = try BrowseBench()
    bench.press(.down)
    bench.type("  ")
    let found = try list([2, 5], bench, search: "x")
    bench.model.show(found)
    #expect(Array(bench.model.marks.rows) == [0])
    #expect(bench.foot() == "1 marked, 1 more not read yet  Escape unmarks, ? keys, q leaves")
    bench.type("d")
    #expect(bench.status() == "1 marked record not read yet: End reads all; Escape takes the marks back")
    #expect(bench.model.edits.isEmpty)
    try await bench.finish(found)
    bench.type("d")
    #expect(try writes(bench) == [.delete(Self.path, .one("2"))])
    #expect(bench.rows(120).last?.contains("  1 marked, 1 more not in this list  ") == true)
    bench.type("x")
    bench.model.show(try list(0..<30, bench))
    #expect(Array(bench.model.marks.rows) == [1, 2])
    #expect(bench.foot() == "2 marked  Escape unmarks, ? keys, q leaves")
    bench.model.show(try list([5], bench, search: "x"))
    bench.press(.escape)
    #expect(bench.foot() == "? keys, q leaves")
    bench.model.show(try list(0..<30, bench))
    #expect(bench.model.marks.isEmpty)
  }

  @Test func `marks are found among records that are read later`() throws {
    var bench = try BrowseBench()
    bench.press(.end)
    bench.type(" ")
    let spool = bench.client.makeSpool()
    try spool.add((0..<25).map { BrowseBench.todo($0) })
    bench.model.show(BrowsedList(bench.model.list.request, of: BrowseBench.todos, in: spool))
    #expect(bench.model.marks.isEmpty)
    try spool.add((25..<30).map { BrowseBench.todo($0) })
    bench.model.look()
    #expect(Array(bench.model.marks.rows) == [29])
  }

  @Test func `an edit is dropped once the record has all its values`() throws {
    var bench = try bench(in: 1)
    for text in ["one", "two"] {
      bench.type("e")
      bench.press(.control("u"))
      bench.type(text)
      bench.press(.enter, .down)
    }
    bench.press(.delete)
    var records = (0..<30).map { BrowseBench.todo($0) }
    records[0].fields["title"] = "one"
    records[1].fields["count"] = 5
    records[2].fields["title"] = nil
    records[2].unloaded = ["title"]
    bench.model.show(try BrowseBench.list(records, bench.client))
    let planned = try bench.model.edits.planned(Self.path, BrowseBench.todos)
    #expect(planned.map(\.write.id) == ["1", "2"])
    // A conflict is found by what was shown when the edit was made.
    #expect(planned.first?.record?.fields["count"] == 1)
  }

  @Test func `without a marked record in the list, nothing is edited`() async throws {
    var bench = try BrowseBench()
    bench.type(" ")
    let rest = try list(1..<30, bench)
    bench.model.show(rest)
    try await bench.finish(rest)
    bench.type("d")
    #expect(bench.model.edits.isEmpty)
    #expect(bench.status() == "1 marked record not in this list; Escape takes the marks back")
    bench.press(.escape)
    bench.type("d")
    #expect(try writes(bench) == [.delete(Self.path, .one("1"))])
  }

  @Test func `a list that ended early has not been read to its end`() throws {
    var bench = try BrowseBench()
    bench.press(.end)
    bench.type(" ")
    bench.press(.up)
    bench.type(" ")
    let part = try list(0..<29, bench)
    part.finish(.failure(.unsupported("over")))
    bench.model.show(part)
    bench.type("d")
    #expect(bench.model.edits.isEmpty)
    #expect(bench.status().hasPrefix("1 marked record not read yet"))
  }

  @Test func `a value that is typed goes to no other record`() throws {
    var bench = try bench(in: 1)
    bench.press(.down)
    bench.type("e")
    bench.model.show(try list([0] + (2..<30), bench))
    #expect(bench.status() == "the record under the cursor is no longer in its place")
    bench.type("x")
    bench.press(.enter)
    #expect(bench.model.edits.isEmpty)
  }

  @Test func `the cursor goes to what was created only if it was not moved meanwhile`() throws {
    var bench = try BrowseBench()
    bench.type("o")
    let new = try #require(bench.model.edits.new.first?.fields)
    bench.model.made(.create(Self.path, new), "29")
    bench.press(.down)
    let row = bench.model.row
    bench.model.show(try list(0..<30, bench))
    #expect(bench.model.row == row)
  }

  @Test func `an edit whose record another one has deleted is told`() async throws {
    var bench = try BrowseBench()
    bench.type("d")
    bench.press(.down)
    let rest = try list(1..<30, bench)
    bench.model.show(rest)
    #expect(bench.status() == "no longer in its place: 1 marked or edited record")
    try await bench.finish(rest)
    #expect(bench.foot() == "1 edit (1 to delete; 1 not in this list): w sends, p shows the plan  ? keys")
    bench.model.show(try list(0..<30, bench))
    #expect(bench.foot() == "1 edit (1 to delete): w sends, p shows the plan  ? keys")
  }

  @Test func `a list that has become much shorter has the cursor at its end`() throws {
    var bench = try BrowseBench((0..<1_200).map { BrowseBench.todo($0) })
    bench.press(.end, .up)
    let short = try list(0..<10, bench)
    short.finish(.failure(.unsupported("over")))
    bench.model.show(short)
    #expect(bench.model.row == 9)
    #expect(bench.status() == "the record under the cursor is no longer in its place")
  }

  @Test func `from a new record the cursor goes to what was created, or back to what was copied`() throws {
    var bench = try BrowseBench()
    bench.press(.down, .down, .down, .character("o"))
    #expect(bench.model.row == 0)
    bench.model.made(try #require(try writes(bench).first), "30")
    #expect(bench.selected() == "3")
    bench.model.show(try list(0...30, bench))
    #expect(bench.selected() == "30")
    bench.type("o")
    bench.model.made(try #require(try writes(bench).first), "99")
    bench.model.show(try list(0...30, bench))
    #expect(bench.selected() == "30")
    // A cursor on another record stays there.
    bench.type("o")
    bench.press(.down, .down)
    bench.model.made(try #require(try writes(bench).first), "31")
    bench.model.show(try list(0...31, bench))
    #expect(bench.selected() == "1")
  }

  @Test func `columns are no wider than what is there`() throws {
    var bench = try bench(in: 1)
    let head = bench.rows()[1]
    bench.type("e more")
    bench.press(.enter)
    #expect(bench.rows()[1] != head)
    bench.type("x")
    #expect(bench.rows()[1] == head)
    let wide = (0..<30).map { BrowseBench.todo($0, title: $0 == 20 ? "a title of many letters" : nil) }
    bench.model.show(try BrowseBench.list(wide, bench.client))
    #expect(bench.rows()[1] != head)
    bench.model.show(try list(0..<30, bench))
    #expect(bench.rows()[1] == head)
  }

  // MARK: Edits

  @Test func `a record is looked at with each new value beside the old one`() throws {
    var bench = try bench(in: 1)
    bench.type("ex")
    bench.press(.enter, .right, .right, .right, .delete)
    let fields = bench.model.edits.compared(BrowseBench.todo(0)).fields
    #expect(fields["title"] == "todo 0 → todo 0x" && fields["count"] == "0 → null" && fields["done"] == false)
    let lines = bench.model.edits.compared(BrowseBench.todo(0, title: "two\nlines")).fields
    #expect(lines["title"] == "two\nlines\n→ todo 0x")
    #expect(bench.model.edits.compared(BrowseBench.todo(1)) == BrowseBench.todo(1))
  }

  @Test func `Tab follows the edited reference`() throws {
    var bench = try bench(in: 5)
    bench.press(.character("e"), .control("u"), .character("8"), .enter, .tab)
    let relation = Relation(FieldPath("userId"), RecordReference(to: "users"))
    #expect(bench.takeEffect() == .follow(relation, "8"))
    bench.press(.delete, .tab)
    #expect(bench.takeEffect() == nil)
    #expect(bench.status() == "userId refers to no record here")
  }

  @Test func `Delete clears a field of any type, also in marked records`() throws {
    var bench = try bench(in: 2)
    bench.type("  ")
    bench.press(.delete)
    let changes = [Change.set("done", .null)]
    #expect(try writes(bench) == [.update(Self.path, "0", changes), .update(Self.path, "1", changes)])
    bench = try self.bench(in: 0)
    bench.press(.delete)
    #expect(bench.status() == "id is the identifier" && bench.model.edits.isEmpty)
  }

  @Test func `a null that the service does not keep clears the field, and is left out of a new record`() throws {
    var lossy = BrowseBench.todos
    (lossy.capabilities.keepsNull, lossy.capabilities.createsNull) = (false, false)
    var bench = try bench(in: 4, of: lossy)
    bench.press(.delete)
    #expect(try writes(bench) == [.update(Self.path, "0", [.unset("count")])])
    #expect(bench.model.edits.compared(BrowseBench.todo(0)).fields["count"] == "0 → -")
  }

  @Test func `a field that cannot be null gets an empty text, or stays`() throws {
    var strict = BrowseBench.todos
    for place in strict.fields.indices { strict.fields[place].isNullable = false }
    var bench = try bench(in: 1, of: strict)
    bench.press(.delete)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("title", "")])])
    bench = try self.bench(in: 4, of: strict)
    bench.press(.delete)
    #expect(bench.status() == "count cannot be null" && bench.model.edits.isEmpty)
  }

  @Test func `a number is not empty, and the line says how it gets null`() throws {
    var bench = try bench(in: 4)
    bench.press(.character("e"), .control("u"), .enter)
    #expect(bench.status().hasSuffix(#"count is an integer, and "" is not (Escape, then Delete sets null)"#))
    bench.press(.escape, .delete)
    #expect(try writes(bench) == [.update(Self.path, "0", [.set("count", .null)])])
  }

  @Test func `the question before leaving tells which edits it is about`() throws {
    var bench = try BrowseBench(isInner: true)
    bench.model.editsBefore = 2
    bench.press(.right, .right, .character("e"), .character("q"))
    #expect(bench.status() == "s send  k keep  d drop  Escape stay: 1 edit here, 2 in lists before")
    // Going back leaves the others alone.
    bench.press(.escape, .backspace)
    #expect(bench.status() == "s send  k keep  d drop  Escape stay: 1 edit not sent")
    bench.type("d")
    #expect(bench.takeEffect() == .back)
  }

  // MARK: Messages

  @Test func `a condition that no record can meet says so, as count does`() throws {
    let note = #""count>abc" matches no record: count is described as a number"#
    var bench = try BrowseBench()
    bench.type("/count>abc")
    #expect(bench.status() == "/count>abc  \(note)")
    bench.press(.enter, .down)
    #expect(bench.status() == note)
    bench.press(.character("/"), .escape)
    #expect(!bench.status().contains("matches no record"))
    bench.type("/'open")
    bench.press(.enter)
    #expect(bench.status() == "/'open  the quote ' at column 1 is not closed")
  }

  @Test func `a field that is not described is refused, or told where there may be others`() throws {
    let known = "unknown field \"titel\" in todos (did you mean title?)"
    var bench = try BrowseBench()
    bench.type("/titel=a")
    bench.press(.enter)
    #expect(bench.status() == "/titel=a  \(known)")
    var open = BrowseBench.todos
    open.isOpen = true
    #expect(try BrowseFilter("titel=a", of: open).notes == [known])
    #expect(try BrowseFilter("title=a", of: open).notes.isEmpty)
  }

  @Test func `a message that does not fit ends with an ellipsis`() throws {
    var bench = try BrowseBench()
    bench.type("*")
    #expect(bench.rows(30, 10)[8] == "30 records marked of those re…")
    #expect(bench.rows(20, 10)[0] == "it/todos  1 of 30 r…")
    #expect(bench.rows(20, 10)[9] == "30 marked  ? keys, …")
  }
}
