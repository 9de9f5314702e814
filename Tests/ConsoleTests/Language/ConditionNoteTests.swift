import BackendKit
import ConsoleSystem
import Testing

@testable import CommandLanguage

@Suite("Notes on conditions") struct ConditionNoteTests {
  private func notes(_ condition: String, source: ResourceDescription.Source = .adapter) throws -> [String] {
    let kinds: [(String, FieldDescription.Kind)] = [
      ("done", .boolean), ("order", .integer), ("price", .number), ("title", .text), ("due", .date), ("body", .html),
      ("tags", .list), ("owner", .object), ("other", .any),
    ]
    let resource = ResourceDescription(
      name: "todos", identifier: IdentifierRule(form: .text), fields: kinds.map { FieldDescription($0, $1) },
      source: source, capabilities: Capabilities(operations: [.list]))
    return resource.notes(on: [try WhereParser.filter(from: condition)])
  }

  @Test(
    "a value that can be none of its field is reported with what the field is",
    arguments: [
      ("done = maybe", "a boolean (true or false)"), ("done < 1", "a boolean (true or false)"),
      ("done ~ true", "a boolean, which contains no text"), ("order > many", "a number"),
      ("price = 'x'", "a number"), ("order = 3.5", "a whole number"), ("tags = x", "a list, which cannot be compared"),
      ("not (title = a or owner = x)", "an object; only its fields can be compared (owner.NAME)"),
    ])
  func reported(condition: String, reason: String) throws {
    let notes = try notes(condition)
    #expect(notes.count == 1)
    #expect(
      notes.first?.hasSuffix("\" matches no record: \(condition.fieldName) is described as \(reason)") == true)
  }

  @Test(
    "what a record may meet is reported nowhere",
    arguments: [
      "done = true", "order >= 1.5", "order = 3.0", "price = 3.5", "order = 99999999999999999999", "order ~ 1",
      "title = true", "due > 2026", "due ~ T", "body ~ 1", "other = x",
      "owner.name = x",
      "unknown = x", "tags is null", "done is missing", "done in (true, false)",
    ])
  func silent(condition: String) throws { #expect(try notes(condition).isEmpty) }

  @Test("a part of a value that has none is reported, whatever it is compared with")
  func parts() throws {
    for condition in ["order.name = x", "order.name != x", "order.name in (a, b)"] {
      #expect(try notes(condition) == ["no record has order.name: order is described as integer"])
    }
    #expect(try notes("order.name = x", source: .sample) == ["no record has order.name: order is integer"])
  }

  @Test("a text that is no date is reported for a field of dates with what it matches")
  func dates() throws {
    for (condition, which) in [("due = banana", "no record"), ("due < banana", "every record with a value")] {
      let shown = condition.filter { $0 != " " }
      #expect(try notes(condition) == ["\"\(shown)\" matches \(which): due is described as a date"])
    }
  }

  @Test("words for days mean days in conditions on days and dates, and are texts elsewhere")
  func words() throws {
    let resource = ResourceDescription(
      name: "todos", identifier: IdentifierRule(form: .text),
      fields: [FieldDescription("due", .date), FieldDescription("day", .day), FieldDescription("title", .text)],
      capabilities: Capabilities(operations: [.list]))
    func dated(_ condition: String) throws -> String {
      try resource.dated([try WhereParser.filter(from: condition)]).map(\.description).joined()
    }
    #expect(
      try dated("due < 3.10.2017 or not (day in (4.10.2017, x))") == "(due<2017-10-03 or not day in (2017-10-04, x))")
    #expect(try dated("due < '3.10.2017' and title = 4.10.2017") == "(due<'3.10.2017' and title=4.10.2017)")
    #expect(try dated("due ~ yesterday and title > tomorrow") == "(due~yesterday and title>tomorrow)")
    for word in ["yesterday", "tomorrow"] {
      let day = try #require(try TypedDate.iso(word))
      #expect(CivilDate.isDay(day))
      #expect(try dated("due < \(word)") == "due<\(day)")
      #expect(try dated("day = \(word)") == "day=\(day)")
    }
    #expect(throws: UsageError.self) { try dated("due = 3/10/2017") }
  }

  @Test("an opposite holds for every record; each comparison is reported once, also of several values") func several()
    throws
  {
    #expect(
      try notes("done != maybe") == [
        "\"done!=maybe\" matches every record: done is described as a boolean (true or false)"
      ])
    #expect(
      try notes("order in (1, two) or order in (two, three)").map { $0.prefix(11) } == [
        "\"order=two\"", "\"order=thre",
      ])
  }

  @Test("where the kind of a field was only seen in a record, no more than that is said") func sample() throws {
    #expect(
      try notes("done = maybe", source: .sample) == [
        "\"done=maybe\" may match no record: done was a boolean (true or false) in the record that was read"
      ])
  }
}

extension String {
  /// The field of a condition on one that is noted.
  fileprivate var fieldName: String {
    ["done", "order", "price", "tags", "owner"].first { contains($0) } ?? ""
  }
}
