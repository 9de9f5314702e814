import BackendKit
import CommandLanguage
import Testing

@testable import Console

@Suite("Rows that wait") struct RowBufferTests {
  @Test("A list without an end is given up with a sentence before it fills the disk, and none of it is used")
  func limit() {
    let spool = RowBuffer(in: "/tmp", limit: 1 << 20)
    let record = Record(id: "1", fields: Object([("text", .string(String(repeating: "x", count: 1000)))]))
    var count = 0
    while !spool.isFull, count < 10_000 {
      spool.add([record])
      count += 1
    }
    // A thousand are kept in memory, and about a thousand fit a MiB.
    #expect((2000..<2100).contains(count))
    let failure = #expect(throws: CommandFailure.self) { _ = try RowBuffer.Reader(spool) }
    #expect(failure?.message == "the records take more than 1 MiB")
    #expect(failure?.hint == "nothing was done with the records; --limit asks for fewer")
  }

  @Test("Long records wait in the file as well, and a value of them all has a limit", arguments: [40, 80])
  func long(count: Int) throws {
    let spool = RowBuffer(in: "/tmp")
    let text = String(repeating: "x", count: 1 << 20)
    let fields = Object([("text", .string(text))])
    for number in 0..<count { spool.add([Record(id: RecordID("\(number)"), fields: fields)]) }
    var ids: [String] = []
    try spool.forEach { record throws(CommandFailure) in
      #expect(record.fields["text"]?.text?.utf8.count == text.utf8.count)
      ids.append(record.id?.text ?? "")
      return true
    }
    #expect(ids == (0..<count).map(String.init))
    guard count > 64 else { return #expect(try spool.result().value.array?.count == count) }
    let failure = #expect(throws: CommandFailure.self) { _ = try spool.result() }
    #expect(failure?.message == "the result of 80 records takes more than 64 MiB")
  }

  @Test("What fits is read again as it came") func fits() throws {
    let spool = RowBuffer(in: "/tmp", limit: 1 << 20)
    for number in 0..<1500 { spool.add([Record(id: RecordID("\(number)"), fields: Object([("n", .int(number))]))]) }
    var ids: [String] = []
    try spool.forEach { record throws(CommandFailure) in
      ids.append(record.id?.text ?? "")
      return true
    }
    #expect(ids == (0..<1500).map(String.init))
  }
}
