import BackendKit
import ConsoleOutput
import ConsoleSystem
import Synchronization

/// Prints the records of a list as the client hands them on.
final class RecordStream: Sendable {
  /// The number of records taken between two checks for an interruption.
  private static let batch = 100

  private let text: Mutex<RecordText>
  private let taken = Mutex(0)
  private let output: Output
  private let flushes: Bool
  private let limit: Int
  private let keeping = Mutex((records: [Record](), count: 0))
  private let rows: RowBuffer?

  /// A stream to an output; `flushes` shows each batch at once, as a person wants it; without it a batch is shown
  /// with those that have come with it. The first records are kept, as many as `keeps` says. Where they are used instead
  /// of shown, `rows` takes them. With `tellsAll` each of them tells of something that was done.
  init(
    _ text: RecordText, to output: Output, flushes: Bool, keeps limit: Int = 0, rows: RowBuffer? = nil,
    tellsAll: Bool = false
  ) {
    var text = text
    text.tellsAll = tellsAll
    self.limit = limit
    self.rows = rows
    self.text = Mutex(text)
    self.output = output
    self.flushes = flushes
  }

  /// A stream of records to the results of a command, of which the first are kept; shown at once to a person unless `flushes` says
  /// otherwise.
  convenience init(
    _ output: RecordOutput, _ presentation: Presentation, _ results: Results, flushes: Bool? = nil
  ) {
    self.init(
      output.format.printer(presentation), to: results.output, flushes: flushes ?? results.isInteractive,
      keeps: results.keptRecords, rows: results.rows)
  }

  /// Keeps what was shown for later commands; what is used instead of shown is not kept.
  func keep(in results: Results, _ presentation: Presentation) {
    guard results.rows == nil else { return }
    results.keep(kept.records, isWhole: kept.isWhole, count: count, presentation)
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
    text.withLock { $0.add(records) { output.write(formatted: $0) } }
    // A write for each batch would be one for each row where a server sends them one by one.
    if flushes { output.flush() } else { output.flushWhenIdle() }
    return output.isUnread ? .enough : .more
  }

  /// Prints a page of a list, whose size is the server's choice; throws once it is given up.
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

  /// The number of records so far.
  var count: Int { taken.withLock(\.self) }

  /// True if there was a record.
  var hasPrinted: Bool { count > 0 }

  /// Ends the output, the whole of it or what an interruption or a failure left: then nothing is printed where nothing was,
  /// not even a header. Returns what a reader should know of it.
  func end(isWhole: Bool) -> [String] {
    if let rows {
      // A list of nothing is a result, too.
      if isWhole || hasPrinted { rows.add([]) }
      return []
    }
    guard isWhole || hasPrinted else { return [] }
    return text.withLock { text in
      text.end(isWhole: isWhole) { output.write(formatted: $0) }
      return text.notes
    }
  }
}
