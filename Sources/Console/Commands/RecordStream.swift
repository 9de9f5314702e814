import BackendKit
import Synchronization

/// Prints the records of a list as the client hands them on.
final class RecordStream: Sendable {
  private let printer: Mutex<any RecordPrinter>
  private let taken = Mutex(0)
  private let output: Output
  private let flushes: Bool
  private let limit: Int
  private let keeping = Mutex((records: [Record](), isWhole: true))

  /// A stream to an output; `flushes` shows each batch at once, as a person wants it; without it a batch is shown
  /// with those that have come with it. The first records are kept, as many as `keeps` says.
  init(_ printer: sending any RecordPrinter, to output: Output, flushes: Bool, keeps limit: Int = 0) {
    self.limit = limit
    self.printer = Mutex(printer)
    self.output = output
    self.flushes = flushes
  }

  /// Prints a batch; asks for no more once nobody reads the output.
  func take(_ records: [Record]) -> RecordSink.Answer {
    taken.withLock { $0 += records.count }
    keep(records)
    output.write(printer.withLock { $0.add(records) })
    // A write for each batch would be one for each row where a server sends them one by one.
    if flushes { output.flush() } else { output.flushWhenIdle() }
    return output.isUnread ? .enough : .more
  }

  /// The first records, and whether they are all.
  var kept: (records: [Record], isWhole: Bool) { keeping.withLock { ($0.records, $0.isWhole) } }

  private func keep(_ records: [Record]) {
    keeping.withLock { kept in
      let room = limit - kept.records.count
      if records.count > room { kept.isWhole = false }
      if room > 0 { kept.records += records.prefix(room) }
    }
  }

  /// How many records there were.
  var count: Int { taken.withLock(\.self) }

  /// Whether there was a record.
  var hasPrinted: Bool { count > 0 }

  /// Ends what a failure cut short: nothing is printed where nothing was, not even a header.
  func abandon() -> [String] { hasPrinted ? finish() : [] }

  /// Prints what the printer held back and ends the document; returns what a reader should know of it.
  func finish() -> [String] {
    printer.withLock { printer in
      output.write(printer.finish())
      return printer.notes
    }
  }
}
