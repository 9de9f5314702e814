import BackendKit
import Synchronization

/// Prints the records of a list as the client hands them on.
final class RecordStream: Sendable {
  /// How many records are formatted between two looks for an interruption.
  private static let batch = 100

  private let printer: Mutex<any RecordPrinter>
  private let taken = Mutex(0)
  private let output: Output
  private let flushes: Bool
  private let limit: Int
  private let keeping = Mutex((records: [Record](), count: 0))
  private let rows: RowSpool?

  /// A stream to an output; `flushes` shows each batch at once, as a person wants it; without it a batch is shown
  /// with those that have come with it. The first records are kept, as many as `keeps` says. Where they are used instead
  /// of shown, `rows` takes them.
  init(
    _ printer: sending any RecordPrinter, to output: Output, flushes: Bool, keeps limit: Int = 0, rows: RowSpool? = nil
  ) {
    self.limit = limit
    self.rows = rows
    self.printer = Mutex(printer)
    self.output = output
    self.flushes = flushes
  }

  /// Prints a batch; asks for no more once nobody reads the output.
  func take(_ records: [Record]) -> RecordSink.Answer {
    taken.withLock { $0 += records.count }
    if let rows {
      rows.add(records)
      // Whoever uses them says why.
      return rows.isFull ? .enough : .more
    }
    keep(records)
    output.write(formatted: printer.withLock { $0.add(records) })
    // A write for each batch would be one for each row where a server sends them one by one.
    if flushes { output.flush() } else { output.flushWhenIdle() }
    return output.isUnread ? .enough : .more
  }

  /// Prints a page of a list, whose size is the server's choice: once it is given up, the rest is not formatted.
  func take(page records: [Record]) throws(BackendError) -> RecordSink.Answer {
    var answer = RecordSink.Answer.more
    for start in stride(from: 0, to: records.count, by: Self.batch) where answer == .more {
      if Interruption.isDue { throw BackendError(.cancelled, "the list was interrupted", effect: .rejected) }
      answer = take(Array(records[start...].prefix(Self.batch)))
    }
    return answer
  }

  /// The first records, whether they are all, and how many there were.
  var kept: (records: [Record], isWhole: Bool, count: Int) {
    keeping.withLock { ($0.records, $0.records.count == $0.count, $0.count) }
  }

  private func keep(_ records: [Record]) {
    keeping.withLock { kept in
      let room = limit - kept.records.count
      kept.count += records.count
      if room > 0 { kept.records += records.prefix(room) }
    }
  }

  /// How many records there were.
  var count: Int { taken.withLock(\.self) }

  /// Whether there was a record.
  var hasPrinted: Bool { count > 0 }

  /// Ends the output, the whole of it or what an interruption left.
  func end(isWhole: Bool) -> [String] { isWhole ? finish() : abandon() }

  /// Ends what a failure cut short: nothing is printed where nothing was, not even a header.
  func abandon() -> [String] { hasPrinted ? end { $0.abandon() } : [] }

  /// Prints what the printer held back and ends the document; returns what a reader should know of it.
  func finish() -> [String] { end { $0.finish() } }

  private func end(_ text: (inout any RecordPrinter) -> String) -> [String] {
    if let rows {
      // A list of nothing is a result, too.
      rows.add([])
      return []
    }
    return printer.withLock { printer in
      output.write(formatted: text(&printer))
      return printer.notes
    }
  }
}
