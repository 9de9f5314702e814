import BackendKit
import ConsoleOutput
import ConsoleSystem
import Synchronization

/// Prints the records of a list as they arrive.
final class RecordStream: Sendable {
  /// The number of records between two checks for an interruption.
  private static let batch = 100

  private let text: Mutex<RecordText>
  private let taken = Mutex(0)
  private let output: Output
  private let flushes: Bool
  private let limit: Int
  private let keeping = Mutex((records: [Record](), count: 0))
  private let rows: RowBuffer?

  /// Creates a stream to an output, which keeps the first `keeps` records. With `flushes`, each batch is shown at once,
  /// for people; otherwise together with others that arrived. `rows` takes the records if they are used instead of
  /// shown. With `tellsAll`, each record reports something that was done.
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

  /// Creates a stream to the results of a command, which keeps the first records. It flushes for people unless
  /// `flushes` is given.
  convenience init(
    _ output: RecordOutput, _ presentation: Presentation, _ results: Results, flushes: Bool? = nil
  ) {
    self.init(
      output.format.printer(presentation), to: results.output, flushes: flushes ?? results.isInteractive,
      keeps: results.keptRecords, rows: results.rows)
  }

  /// Keeps the shown records for later commands; records that are used instead are not kept.
  func keep(in results: Results, _ presentation: Presentation) {
    guard results.rows == nil else { return }
    results.keep(kept.records, isWhole: kept.isWhole, count: count, presentation)
  }

  /// Prints a batch; stops the list once nobody reads the output.
  func take(_ records: [Record]) -> RecordSink.Answer {
    taken.withLock { $0 += records.count }
    if let rows {
      rows.add(records)
      // The user of the rows reports why.
      return rows.isFull ? .enough : .more
    }
    keep(records)
    text.withLock { $0.add(records) { output.write(formatted: $0) } }
    // A server may send records one by one, which would cost a write each.
    if flushes { output.flush() } else { output.flushWhenIdle() }
    return output.isUnread ? .enough : .more
  }

  /// Prints a page of any size. Throws if it is interrupted.
  func take(page records: [Record]) throws(BackendError) -> RecordSink.Answer {
    var answer = RecordSink.Answer.more
    for start in stride(from: 0, to: records.count, by: Self.batch) where answer == .more {
      if Interruption.isDue { throw BackendError(.cancelled, "the list was interrupted", effect: .rejected) }
      answer = take(Array(records[start...].prefix(Self.batch)))
    }
    return answer
  }

  /// The first records, whether these are all, and the number of all.
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

  var count: Int { taken.withLock(\.self) }

  var hasPrinted: Bool { count > 0 }

  /// Ends the output, whole or after an interruption or failure; without records the latter prints nothing, not even a
  /// header. Returns notes for the user.
  func end(isWhole: Bool) -> [String] {
    if let rows {
      // An empty list is a result, too.
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
