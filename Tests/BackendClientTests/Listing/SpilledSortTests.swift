import BackendKit
import Glibc
import TestSupport
import Testing

@testable import BackendClient

@Suite("A sort that does not fit in memory") struct SpilledSortTests {
  /// Records of every kind, with few and with many different values.
  private func records(_ count: Int, _ random: inout SeededGenerator) -> [Record] {
    random.records(count).enumerated().map { place, fields in
      var record = Record(id: random.once(in: 50) ? nil : RecordID("\(place)"), fields: fields)
      record.fields["many"] = .int(random.number(0...count))
      if random.once(in: 3) { record.unloaded = ["body", "x\u{0}y"] }
      if random.once(in: 3) { record.revision = "W/\"\(place)\n\"" }
      return record
    }
  }

  @Test("gives what one in memory gives, in the same order, with any amount of memory", arguments: 1...24)
  func same(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let records = records(random.number(0...4_000), &random)
    let keys = (0..<random.number(1...2)).map { _ in
      SortKey(FieldPath(random.pick(["many", "n", "title", "user.n", "nowhere"])), isDescending: random.once(in: 2))
    }
    let ignoresCase = random.once(in: 2)
    let wanted = random.pick([nil, nil, 1, 700, 3_000, 10_000])
    let expected = ReferenceEvaluator.sorted(records, by: keys, ignoringCase: ignoresCase)
    // With 1 each record is a run of its own, and runs are merged over and over.
    for memory in [1, 2_000, 60_000, 1 << 20] {
      let spill = TemporarySpill()
      var selection = SortedSelection(
        by: keys, ignoringCase: ignoresCase, wanted: wanted, budget: ListBudget(sortMemory: memory) { spill })
      for record in records { try selection.add(record) }
      #expect(selection.count == records.count)
      if memory < 2_000, records.count > 1 { #expect(selection.keptCount < 2) }
      let found = try selection.all()
      #expect(found == Array(expected.prefix(wanted ?? .max)), "\(memory)")
    }
  }

  @Test("a spool returns its records as they were added, in any order, with any amount of memory", arguments: 1...8)
  func spool(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let records = records(random.number(1...4_000), &random)
    for memory in [0, 2_000, 1 << 20] {
      let spill = TemporarySpill()
      let spool = RecordSpool(memory: memory) { spill }
      let middle = random.number(0...records.count)
      try spool.add(Array(records[..<middle]))
      // Of what is not yet written, too.
      for place in stride(from: 0, to: middle, by: 97) { #expect(try spool.record(at: place) == records[place]) }
      try spool.add(Array(records[middle...]))
      #expect(spool.count == records.count)
      for place in records.indices.reversed() { #expect(try spool.record(at: place) == records[place]) }
    }
  }

  @Test("keeps numbers as they are written") func numbers() throws {
    let texts = ["1.0", "10e-1", "1e400", "9007199254740993", "-0.0", "1E+2"]
    let records = texts.map { Record(id: nil, fields: Object([("n", Number($0).map(Value.number) ?? .null)])) }
    let spill = TemporarySpill()
    var selection = SortedSelection(
      by: [SortKey(FieldPath("nowhere"))], ignoringCase: false, wanted: nil, budget: ListBudget(sortMemory: 1) { spill }
    )
    for record in records { try selection.add(record) }
    let found = try selection.all()
    #expect(found.map { JSONWriter.compact(.object($0.fields)) } == texts.map { "{\"n\":\($0)}" })
  }

  @Test("goes on in memory where no file can be made") func withoutFile() throws {
    var selection = SortedSelection(
      by: [SortKey(FieldPath("n"))], ignoringCase: false, wanted: nil, budget: ListBudget(sortMemory: 1) { nil })
    for number in [3, 1, 2] { try selection.add(Record(id: nil, fields: Object([("n", .int(number))]))) }
    let found = try selection.all()
    #expect(found.map { $0.fields["n"] } == [1, 2, 3])
  }

  @Test("skips, limits and projects as one in memory", arguments: [0, 3, 499, 500, 501, 1_999, 5_000])
  func window(skip: Int) async throws {
    let shape = Shape(paging: .offset, total: true)
    let memory = shape.memory((0..<2_000).map { Object([("n", .int($0 * 7919 % 2_000)), ("m", .int($0 % 3))]) })
    var query = ListQuery(.notes, sort: [SortKey(FieldPath("m")), SortKey(FieldPath("n"))], fields: [FieldPath("n")])
    query.skip = skip
    for limit in [nil, 1, 500, 700] {
      let plain = try await shape.client(of: memory).gather(ListRequest(query, limit: limit))
      let budget = ListBudget(sortMemory: 9_000) { TemporarySpill() }
      let spilled = try await shape.client(of: memory, budget: budget).gather(ListRequest(query, limit: limit))
      #expect(spilled.records == plain.records)
      #expect(spilled.summary == plain.summary)
    }
  }
}

/// A file without a name.
private final class TemporarySpill: Spill {
  // Used by one task at a time, as a file of the system is.
  private nonisolated(unsafe) let file = tmpfile()

  deinit { if let file { fclose(file) } }

  func append(_ bytes: [UInt8]) throws(BackendError) {
    guard let file, fseek(file, 0, SEEK_END) == 0, fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw .unsupported("no room")
    }
  }

  func read(_ count: Int, at place: Int) throws(BackendError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let file, fseek(file, place, SEEK_SET) == 0, fread(&bytes, 1, count, file) == count else {
      throw .unsupported("cannot be read")
    }
    return bytes
  }
}
