package import BackendKit
import ConsoleSystem

/// The records of one result in a format, passed on in pieces as they arrive.
///
/// The server decides how many records there are and how large they are. So formats do not loop over them: between any
/// two records an interruption is checked, after which no more are formatted.
package struct RecordText: Sendable {
  /// The approximate number of bytes passed on at once.
  private static let piece = 1 << 16

  private var printer: any RecordPrinter
  /// The first records, until the format has as many as it needs.
  private var held: [Record] = []
  private var hasBegun = false
  /// True if each record reports something that was done, which is printed in any case.
  package var tellsAll = false
  /// True if an interruption prevented records from being printed.
  package private(set) var isCut = false

  init(_ printer: any RecordPrinter) { self.printer = printer }

  /// Messages for standard error about what the output could not show; complete at the end.
  package var notes: [String] { isCut ? [] : printer.notes }

  /// Passes on the text that can be printed after these records.
  package mutating func add(_ records: [Record], to write: ([UInt8]) -> Void) {
    var text: [UInt8] = []
    if hasBegun {
      print(records, &text, write)
    } else {
      held += records
      if held.count >= printer.sampleSize { begin(&text, write) }
    }
    write(text)
  }

  /// Passes on the remaining text: the end of the whole, or of an interrupted result.
  package mutating func end(isWhole: Bool, to write: ([UInt8]) -> Void) {
    var text: [UInt8] = []
    if !hasBegun { begin(&text, write) }
    text += (isWhole && !isCut ? printer.finish() : printer.abandon()).utf8
    write(text)
  }

  private mutating func begin(_ text: inout [UInt8], _ write: ([UInt8]) -> Void) {
    hasBegun = true
    let records = held
    held = []
    func isOver() -> Bool { self.isOver(records.count - 1) }
    isCut = isOver()
    if isCut { return }
    let head = printer.begin(Array(records.prefix(printer.sampleSize)))
    isCut = isOver()
    if isCut { return }
    text += head.utf8
    print(records, &text, write)
  }

  private mutating func print(_ records: [Record], _ text: inout [UInt8], _ write: ([UInt8]) -> Void) {
    for index in records.indices {
      isCut = isCut || isOver(index)
      if isCut { return }
      printer.add(records[index], to: &text)
      guard text.count >= Self.piece else { continue }
      write(text)
      text.removeAll(keepingCapacity: true)
    }
  }

  /// Returns whether formatting has to stop. A single record is printed completely or not at all.
  private func isOver(_ index: Int) -> Bool { index > 0 && !tellsAll && Interruption.isDue }
}

extension RecordText {
  /// Adds records, and returns the text that can be printed now.
  package mutating func add(_ records: [Record]) -> String {
    var text: [UInt8] = []
    add(records) { text += $0 }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the remaining text at the end.
  package mutating func finish() -> String { end(isWhole: true) }

  /// Returns the remaining text of an interrupted result.
  mutating func abandon() -> String { end(isWhole: false) }

  private mutating func end(isWhole: Bool) -> String {
    var text: [UInt8] = []
    end(isWhole: isWhole) { text += $0 }
    return String(decoding: text, as: UTF8.self)
  }
}
