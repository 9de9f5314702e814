import BackendKit
import Testing

@testable import Console
@testable import ConsoleOutput

@Suite("Identifiers as lines") struct IdentifierLineTests {
  /// Pieces with a meaning in a line, in JSON, in an escape or to a terminal.
  private static let pieces = [
    " ", "\t", "\n", "\r", "\r\n", "\\", "\\\\", "{", "}", "[", "]", "\"", "x", "u", "{41}", "41", "n", "t", "r", ":",
    ",",
    "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{202E}", "e\u{301}", "\u{301}", "\u{FFFD}", "食",
    "👩", "\u{200D}",
  ]

  private static func identifier(_ seed: UInt64) -> String {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    return (0...next(6)).map { _ in pieces[next(pieces.count)] }.joined()
  }

  @Test("each is read back as it was, from a file and from a terminal, and none reads like a record or like two lines")
  func roundTrip() throws {
    for seed in 1...20_000 as ClosedRange<UInt64> {
      let identifier = Self.identifier(seed)
      for isTerminal in [false, true] {
        let line = IdentifierLine.written(identifier, isTerminal: isTerminal)
        let bytes = Array(line.utf8)
        #expect(!bytes.contains(0x0A) && !bytes.contains(0x0D))
        #expect(IdentifierLine.placeOfJSON(bytes[...]) == nil)
        let read = try IdentifierLine.read(bytes[...])
        #expect(
          read.utf8.elementsEqual(identifier.utf8),
          "\(identifier.debugDescription) was written as \(line.debugDescription)")
      }
    }
  }

  @Test("several are told apart as they were, with the ends of lines of either kind", arguments: ["\n", "\r\n"])
  func lines(end: String) throws {
    let identifiers = (1...2_000 as ClosedRange<UInt64>).map(Self.identifier)
    let text = identifiers.map { IdentifierLine.written($0, isTerminal: false) + end }.joined()
    for form in [InputForm.identifiers, .either] {
      let read = try InputRecord.read(Array(text.utf8), as: form, from: "F", identifier: "id")
      #expect(read.count == identifiers.count)
      for (place, (record, identifier)) in zip(read, identifiers).enumerated() {
        #expect(record.fields == nil)
        #expect(record.id?.text.utf8.elementsEqual(identifier.utf8) == true)
        #expect(record.description == "F:\(place + 1)")
      }
    }
  }
}
