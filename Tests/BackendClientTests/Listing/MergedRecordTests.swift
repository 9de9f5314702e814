import BackendClient
import BackendConformance
import BackendKit
import Testing

/// A record that was read alone, over its row in a list.
@Suite("Rows and single records") struct MergedRecordTests {
  private static let resource = ResourceDescription(
    name: "items", identifier: IdentifierRule(form: .integer),
    fields: [
      FieldDescription("n", .integer), FieldDescription("t", .text), FieldDescription("b", .boolean),
      FieldDescription("a", .any),
    ], capabilities: .all)

  private func merged(_ alone: [(String, Value)], _ row: [(String, Value)]) -> MergedRecord {
    MergedRecord(
      Record(id: "1", fields: Object(alone), unloaded: ["late"]), over: Record(id: "1", fields: Object(row)),
      of: Self.resource)
  }

  @Test("what only the row has is kept, and the single record's values come first") func kept() {
    let merged = merged([("x", 1), ("y", .null)], [("x", 2), ("y", 3), ("z", 4), ("late", 5)])
    #expect(merged.record.fields == Object([("x", 1), ("y", .null), ("z", 4)] as [(String, Value)]))
    #expect(merged.record.listed == ["z"] && merged.conflicts.isEmpty)
    #expect(KnownFields(merged.record).fields["z"] == nil)
  }

  @Test(
    "the described type decides between two types; without one they are named",
    arguments: [
      ("n", "7", 7, 7), ("n", 7, "7", 7), ("t", 7, "7", "7"), ("t", "7", 7, "7"), ("b", "true", true, true),
      ("b", 1, true, true), ("a", "7", 7, nil), ("other", 7, "7", nil), ("n", "seven", 7, nil), ("a", [1], 1, nil),
      ("a", .null, 1, .null), ("a", 1, .null, 1),
    ] as [(String, Value, Value, Value?)])
  func types(name: String, alone: Value, listed: Value, expected: Value?) {
    let merged = merged([(name, alone)], [(name, listed)])
    #expect(merged.record.fields[name] == expected ?? alone)
    #expect(merged.conflicts.map(\.field) == (expected == nil ? [name] : []))
  }
}
