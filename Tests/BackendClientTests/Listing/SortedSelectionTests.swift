import BackendKit
import TestSupport
import Testing

@testable import BackendClient

@Suite("The first records of a sort") struct SortedSelectionTests {
  @Test(
    "are those of the whole list sorted, whatever is let go",
    arguments: [1, 501, 900])
  func wanted(_ wanted: Int) throws {
    var generator = SeededGenerator(seed: wanted)
    for distinct in [1, 40, 5_000] {
      let records = (0..<1_200).map { place in
        Record(
          id: RecordID("\(place)"), fields: Object([("a", .int(Int.random(in: 0..<distinct, using: &generator)))]))
      }
      for isDescending in [false, true] {
        let keys = [SortKey(FieldPath("a"), isDescending: isDescending)]
        var selection = SortedSelection(by: keys, ignoringCase: false, wanted: wanted)
        var all = SortedSelection(by: keys, ignoringCase: false, wanted: nil)
        for record in records {
          try selection.add(record)
          try all.add(record)
        }
        let sorted = ReferenceEvaluator.sorted(records, by: keys, ignoringCase: false)
        let first = try selection.all()
        let whole = try all.all()
        #expect(first == Array(sorted.prefix(wanted)))
        #expect(whole == sorted)
        #expect(selection.count == records.count)
      }
    }
  }

  @Test("let go of what cannot be among them") func lettingGo() throws {
    for order in [Array(0..<3_000), (0..<3_000).reversed()] {
      var selection = SortedSelection(by: [SortKey(FieldPath("a"))], ignoringCase: false, wanted: 10)
      for number in order {
        try selection.add(Record(id: RecordID("\(number)"), fields: Object([("a", .int(number))])))
        #expect(selection.keptCount <= 1_001)
      }
      let first = try selection.all()
      #expect(first.compactMap { $0.id?.text } == (0..<10).map { String($0) })
    }
  }
}

extension SortedSelection {
  /// The wanted records in their order.
  mutating func all() throws(BackendError) -> [Record] {
    var rest = try finish()
    var records: [Record] = []
    while case let batch = try rest.next(), !batch.isEmpty { records += batch }
    return records
  }
}
