import BackendKit
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
      ("price = 'x'", "a number"), ("tags = x", "a list, which cannot be compared"),
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
      "done = true", "order >= 1.5", "order ~ 1", "title = true", "due > 2026", "body ~ 1", "other = x",
      "owner.name = x",
      "unknown = x", "tags is null", "done is missing", "done in (true, false)",
    ])
  func silent(condition: String) throws { #expect(try notes(condition).isEmpty) }

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
