import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import SQL
import Synchronization

struct SQLResult: CommandPart {
  let context: CommandContext

  /// Prints the rows of a statement as they arrive, or draws a plot of them for people; then their cost.
  func show(
    _ statement: PreparedStatement, of source: SQLSource, _ output: RecordOutput, plot: SQLPlot? = nil
  ) async throws {
    let table = ResultTable(statement.columns, isNamed: output.format == .id)
    let presentation = output.presentation(context, fields: table.fields, columns: table.columns, isSingle: false)
    let results = results
    let isDrawn = plot != nil && output.isForPeople && results.rows == nil
    let value = SingleValue(isOnly: statement.columns.count == 1 && SQLText.givesOneRow(source.statement.text))
    results.page()
    let stream = RecordStream(
      output.format.printer(presentation), to: results.output, flushes: results.isInteractive,
      keeps: results.keptRecords, rows: value.isOnly ? nil : results.rows)
    defer { if !isDrawn { keep(stream, value, presentation) } }
    let isCaptured = results.rows != nil
    let progress = reporter.progress
    let report: SQLReport
    do throws(SQLError) {
      report = try await statement.run { rows throws(BackendError) in
        value.see(rows)
        if value.isOnly, isCaptured { return }
        progress?.advance(rows.count)
        if plot?.see(rows) == false {
          throw BackendError(.cancelled, "the rows cannot be plotted", effect: .rejected)
        }
        if isDrawn { return }
        guard try stream.take(page: rows.map(table.record)) == .more else {
          throw BackendError(.cancelled, "no more rows are needed", effect: .rejected)
        }
      }
    } catch {
      let wasUnread = results.output.isBroken || results.rows?.isFull == true
      stream.end(isWhole: false).forEach(note)
      if wasUnread { return }
      let error: any Error = plot?.isRefused == true ? SQLPlot.refusal : SQLRun(context).failure(error, of: source)
      throw stream.hasPrinted ? failure(error).afterPart : error
    }
    if let plot, isDrawn {
      plot.draw(in: results, of: table, presentation)
    } else if !(value.isOnly && isCaptured) {
      stream.end(isWhole: !Interruption.isDue).forEach(note)
    }
    guard !results.isUsed, !results.output.isBroken else { return }
    let time = takeTime().map { "  \(Footer.time($0))" } ?? ""
    tell(report.sentence + time)
  }

  private func keep(_ stream: RecordStream, _ value: SingleValue, _ presentation: Presentation) {
    stream.keep(in: results, presentation)
    if let only = value.value { results.result.value = .value(only) }
    results.result.count = value.isOnly ? 1 : stream.count
    results.result.coversList = !results.isUsed && !value.isOnly
  }
}

struct ResultTable: Sendable {
  let names: [String]
  let fields: [FieldDescription]
  /// True if the first column identifies the rows.
  let isNamed: Bool

  var columns: [FieldPath] { names.map { FieldPath($0) } }

  /// Names the fields like the columns, made unique by numbers.
  init(_ columns: [SQLColumn], isNamed: Bool = false) {
    self.isNamed = isNamed
    var names: [String] = []
    for column in columns {
      var (name, number) = (column.name, 1)
      while names.contains(name) {
        number += 1
        name = "\(column.name)_\(number)"
      }
      names.append(name)
    }
    self.names = names
    fields = zip(names, columns).map { FieldDescription($0, $1.kind ?? .any) }
  }

  func record(_ row: [Value]) -> Record {
    let id = isNamed ? row.first.flatMap { $0 == .null ? nil : RecordID($0.plainText) } : nil
    return Record(id: id, fields: Object(Array(zip(names, row))))
  }
}

/// The value of a statement with a single one.
final class SingleValue: Sendable {
  /// True if the statement returns one value for any records.
  let isOnly: Bool
  private let first = Mutex<Value?>(nil)

  init(isOnly: Bool) { self.isOnly = isOnly }

  var value: Value? { first.withLock(\.self) }

  func see(_ rows: [[Value]]) {
    guard isOnly, let value = rows.first?.first else { return }
    first.withLock { $0 = value }
  }
}

extension SQLReport {
  /// The cost of a run: `3 rows; 106 records read in 4 requests`.
  var sentence: String { "\(counted(shown, "row")); \(cost)" }

  var cost: String {
    "\(counted(tables.reduce(0) { $0 + $1.rows }, "record")) read in \(counted(requests, "request"))"
  }
}
